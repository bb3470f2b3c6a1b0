"""The findings of the linter: diagnostics placed in files, their related places and fixes."""

import os
from collections.abc import Callable, Iterable
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


class Fix:
    """A change that settles the diagnostic; `safe` ones are applied without asking, a `guess` only when it is chosen.

    The files in `unmarked` lose their byte order mark. A file that doesn't exist yet is taken for an empty text. A
    report that shows titles needs no edits: they may be given as a function, which is asked once somebody wants them.
    """

    __slots__ = ("_edits", "guess", "safe", "title", "unmarked")

    def __init__(
        self,
        title: str,
        safe: bool,
        edits: tuple[FileEdit, ...] | Callable[[], tuple[FileEdit, ...]],
        unmarked: tuple[Path, ...] = (),
        guess: bool = False,
    ) -> None:
        self.title = title
        self.safe = safe
        self._edits = edits
        self.unmarked = unmarked
        self.guess = guess

    @property
    def edits(self) -> tuple[FileEdit, ...]:
        """What is written."""
        return self.work_out()

    def work_out(self) -> tuple[FileEdit, ...]:
        """Have the edits at hand, while what they are made from is."""
        if not isinstance(self._edits, tuple):
            self._edits = self._edits()
        return self._edits

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Fix):
            return NotImplemented
        alike = self._known_by() == other._known_by()
        return alike and self.edits == other.edits

    def __hash__(self) -> int:
        return hash(self._known_by())

    def _known_by(self) -> tuple[object, ...]:
        return self.title, self.safe, self.unmarked, self.guess

    def __reduce__(self) -> tuple[type["Fix"], tuple[object, ...]]:
        return Fix, (self.title, self.safe, self.edits, self.unmarked, self.guess)

    def __repr__(self) -> str:
        return f"Fix({self.title!r}, {self.safe!r}, {self.edits!r}, {self.unmarked!r})"


def writable(texts: Iterable[str], files: Iterable[Path]) -> bool:
    """Whether UTF-8 takes the texts, and disks the paths: names in a registry may hold NUL and half letters."""
    try:
        "".join(texts).encode("utf-8")
        return not any(b"\0" in os.fsencode(file) for file in files)
    except UnicodeEncodeError:
        return False


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
