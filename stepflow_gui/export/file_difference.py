"""What becomes of a file as a unified difference, as `patch` and `git apply` read it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from stepflow_gui.lint.fixing import FixedFile
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.text.line_matching import LineMatcher
from stepflow_gui.text.source import BOM


def file_difference(change: FixedFile, folder: Path) -> Iterator[str]:
    """The lines with their ends, as `patch` reads them; paths are those seen from `folder`."""
    name = printable(shown_path(change.path, folder))
    before = _lines(change.before.text, change.before.bom) if change.before else []
    old = f"a/{name}" if change.before else "/dev/null"
    for line in unified_difference(before, _lines(change.after.text, change.after.bom), old, f"b/{name}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def unified_difference(before: Sequence[str], after: Sequence[str], old: str, new: str) -> Iterator[str]:
    """The lines of a unified difference between two files with these names; `before` and `after` keep their ends."""
    for number, group in enumerate(LineMatcher(before, after).get_grouped_opcodes()):
        if not number:
            yield f"--- {old}\n"
            yield f"+++ {new}\n"
        first, last = group[0], group[-1]
        yield f"@@ -{_lines_named(first[1], last[2])} +{_lines_named(first[3], last[4])} @@\n"
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                yield from (f" {line}" for line in before[start:end])
            else:
                yield from (f"-{line}" for line in before[start:end])
                yield from (f"+{line}" for line in after[new_start:new_end])


def _lines_named(start: int, end: int) -> str:
    """Lines as a head names them: from 1, their number only where it isn't one; of none the line before them."""
    count = end - start
    return f"{start + 1}" if count == 1 else f"{start + (count > 0)},{count}"


def _lines(text: str, marked: bool) -> list[str]:
    """The lines with their ends, as `patch` counts them: nothing but a line feed ends one."""
    whole = (BOM if marked else "") + text
    lines = [f"{line}\n" for line in whole.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]
