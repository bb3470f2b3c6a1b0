"""The code frame: lines of a file with their numbers, and carets below what is meant."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.lint.diagnostic import Range
from stepflow_gui.lint.report.printable import line_of_code, width
from stepflow_gui.text.source import Source

LIMIT = 110  # columns of a line that are shown; of longer ones a part around the place
BEFORE = 30  # of these, how many before the place


class FrameLine(NamedTuple):
    """A line of a frame: the number in the file, or None below it; `marks` is where carets stand in `text`."""

    number: int | None
    text: str
    is_marks: bool = False


def frame(source: Source, where: Range, mark: str = "^", context: int = 1) -> Iterator[FrameLine]:
    """The lines of a place: `context` lines before and after, and marks below the first line of it."""
    first = where.start.line
    for number in range(max(1, first - context), min(source.line_count, first + context) + 1):
        text = source.line_text(number)
        if number != first:
            if text.strip():
                yield FrameLine(number, _cut(text, 0, 0)[0])
            continue
        start = where.start.column - 1
        end = where.end.column - 1 if where.end.line == first else len(text)
        shown, at, until = _cut(text, start, max(end, start + 1))
        yield FrameLine(number, shown)
        yield FrameLine(None, " " * at + mark * max(1, until - at), is_marks=True)


def _cut(text: str, start: int, end: int) -> tuple[str, int, int]:
    """What is shown of a line, and the columns in it between which the place stands."""
    left, right, begin, finish = "", "", 0, len(text)
    if len(text) > LIMIT:
        begin = max(0, start - BEFORE) if start > LIMIT - BEFORE else 0
        finish = min(len(text), begin + LIMIT)
        left, right = "…" if begin else "", "…" if finish < len(text) else ""
    end = min(end, finish)
    before = left + line_of_code(text[begin:start])
    meant = line_of_code(text[start:end])
    after = line_of_code(text[end:finish]) + right
    at = width(before)
    return before + meant + after, at, at + width(meant)
