"""What the linter says: diagnostics placed in files, their related places and fixes."""

import os
from pathlib import Path
from typing import Literal, NamedTuple

from stepflow_gui.text.source import Position

Severity = Literal["error", "warning", "info"]
ERROR: Severity = "error"
WARNING: Severity = "warning"
INFO: Severity = "info"
RANK = {ERROR: 0, WARNING: 1, INFO: 2}


class Range(NamedTuple):
    """From one position to another, the end not included."""

    start: Position
    end: Position


class Related(NamedTuple):
    """Another place that the diagnostic is about."""

    file: Path
    pointer: str | None
    range: Range
    message: str


class FileEdit(NamedTuple):
    """A text edit in a file."""

    file: Path
    range: Range
    text: str


class Fix(NamedTuple):
    """A change that settles the diagnostic; `safe` ones are applied without asking.

    The files in `unmarked` lose their byte order mark. A file that isn't there yet is taken for an empty text.
    """

    title: str
    safe: bool
    edits: tuple[FileEdit, ...]
    unmarked: tuple[Path, ...] = ()

    @property
    def is_writable(self) -> bool:
        """Whether disks take the paths, and UTF-8 the texts: names in a registry may hold NUL and half letters."""
        try:
            for edit in self.edits:
                edit.text.encode("utf-8")
                if b"\0" in os.fsencode(edit.file):
                    return False
        except UnicodeEncodeError:
            return False
        return True


class Diagnostic(NamedTuple):
    """One finding, placed. `file` is absolute; `format` the id of the registry's format, None where none is known."""

    code: str
    name: str
    severity: Severity
    message: str
    file: Path
    format: str | None
    pointer: str | None
    step: str | None
    range: Range
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()


def order(diagnostic: Diagnostic) -> tuple[str, int, str, str]:
    """Sort key: file, position, code, message."""
    return (diagnostic.file.as_posix(), diagnostic.range.start.offset, diagnostic.code, diagnostic.message)
