"""What becomes of a file as a unified difference, as `patch` and `git apply` read it."""

import difflib
from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.lint.fixing import FixedFile
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.text.source import BOM


def file_difference(change: FixedFile, folder: Path) -> Iterator[str]:
    """The lines with their ends, as `patch` reads them; paths are those seen from `folder`."""
    name = printable(shown_path(change.path, folder))
    before = _lines(change.before.text, change.before.bom) if change.before else []
    old = f"a/{name}" if change.before else "/dev/null"
    for line in difflib.unified_diff(before, _lines(change.after.text, change.after.bom), old, f"b/{name}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str, marked: bool) -> list[str]:
    """The lines with their ends, as `patch` counts them: nothing but a line feed ends one."""
    whole = (BOM if marked else "") + text
    lines = [f"{line}\n" for line in whole.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]
