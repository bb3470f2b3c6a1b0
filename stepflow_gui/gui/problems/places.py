"""Where a finding, or a problem of the configuration, is shown."""

from pathlib import Path
from typing import NamedTuple

from stepflow_gui.gui.document.document import Document
from stepflow_gui.lint.diagnostic import Diagnostic, Range
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Span


class ExcerptLine(NamedTuple):
    """A line of a source; `is_place`: it is the one that a finding is about."""

    number: int
    text: str
    is_place: bool


_AROUND = 3  # lines


def is_at(found: Diagnostic, path: Path, offset: int) -> bool:
    """Whether a finding, or what it is related to, is at an offset of a file."""
    places = [(found.file, found.range), *((related.file, related.range) for related in found.related)]
    return any(
        file == path and place.start.offset <= offset <= max(place.end.offset, place.start.offset + 1)
        for file, place in places
    )


def line_span(text: str, line: int) -> Span:
    """Where a line stands, counted from 1, without its end."""
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[: line - 1]))
    return Span(start, start + (len(lines[line - 1].rstrip("\r\n")) if line <= len(lines) else 0))


def excerpt_of(document: Document, file: Path, place: Range) -> tuple[ExcerptLine, ...]:
    """The line of a place with three before and three after it, as far as there are any; () where none can be read."""
    source = document.source(file)
    if isinstance(source, ReadProblem):
        return ()
    line = place.start.line
    first = max(1, min(line - _AROUND, source.line_count - 2 * _AROUND))
    numbers = range(first, min(source.line_count, first + 2 * _AROUND) + 1)
    return tuple(ExcerptLine(number, source.line_text(number), number == line) for number in numbers)


def shown_place(found: Diagnostic, document: Document) -> tuple[Path, Range]:
    """Where a finding is; where that file can't be shown, what it is related to in the registry."""
    if isinstance(document.source(found.file), ReadProblem):
        for related in found.related:
            if related.file == document.path:
                return related.file, related.range
    return found.file, found.range
