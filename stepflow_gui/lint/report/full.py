"""The report for people: each diagnostic with its code frame, the other places, its fixes; a sum at the end."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.lint.diagnostic import Diagnostic, Range
from stepflow_gui.lint.engine.outcome import LintOutcome
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import line_of_code, printable, width
from stepflow_gui.lint.report.summary import COLORS, painted, severity_name, summary
from stepflow_gui.messages import _
from stepflow_gui.text.source import Source

_LIMIT = 110  # columns of a line that are shown; of longer ones a part around the place
_BEFORE = 30  # of these, how many before the place


class _FrameLine(NamedTuple):
    """A line of a frame: the number in the file, or None below it; `marks` is where carets are in `text`."""

    number: int | None
    text: str
    is_marks: bool = False


def frame(source: Source, where: Range, mark: str = "^", context: int = 1) -> Iterator[_FrameLine]:
    """The lines of a place: `context` lines before and after, and marks below the first line of it."""
    first = where.start.line
    for number in range(max(1, first - context), min(source.line_count, first + context) + 1):
        text = source.line_text(number)
        if number != first:
            if text.strip():
                yield _FrameLine(number, _cut(text, 0, 0)[0])
            continue
        start = where.start.column - 1
        end = where.end.column - 1 if where.end.line == first else len(text)
        shown, at, until = _cut(text, start, max(end, start + 1))
        yield _FrameLine(number, shown)
        yield _FrameLine(None, " " * at + mark * max(1, until - at), is_marks=True)


def _cut(text: str, start: int, end: int) -> tuple[str, int, int]:
    """What is shown of a line, and the columns in it between which the place stands."""
    left, right, begin, finish = "", "", 0, len(text)
    if len(text) > _LIMIT:
        begin = max(0, start - _BEFORE) if start > _LIMIT - _BEFORE else 0
        finish = min(len(text), begin + _LIMIT)
        left, right = "…" if begin else "", "…" if finish < len(text) else ""
    end = min(end, finish)
    before = left + line_of_code(text[begin:start])
    meant = line_of_code(text[start:end])
    after = line_of_code(text[end:finish]) + right
    at = width(before)
    return before + meant + after, at, at + width(meant)


_DIM, _BOLD = "2", "1"


def full_lines(outcome: LintOutcome, folder: Path, color: bool = False) -> Iterator[str]:
    """The lines of the report; paths are relative to `folder`."""
    return FullReport(outcome, folder, color).lines()


class FullReport:
    """Writes the report. Paths are relative to `folder`."""

    def __init__(self, outcome: LintOutcome, folder: Path, color: bool = False) -> None:
        self.outcome = outcome
        self.folder = folder
        self.color = color

    def lines(self) -> Iterator[str]:
        """The lines of the report."""
        for diagnostic in self.outcome.diagnostics:
            yield from self._diagnostic(diagnostic)
            yield ""
        yield summary(self.outcome)

    def _diagnostic(self, diagnostic: Diagnostic) -> Iterator[str]:
        place = self._place(diagnostic.file, diagnostic.range)
        label = self._paint(f"{severity_name(diagnostic.severity)} {diagnostic.code}", COLORS[diagnostic.severity])
        yield f"{self._paint(place, _BOLD)}: {label}: {printable(diagnostic.message)}"
        gutter = self._gutter(diagnostic)
        yield from self._frame(diagnostic.file, diagnostic.range, gutter, COLORS[diagnostic.severity])
        for related in diagnostic.related:
            where = self._place(related.file, related.range)
            yield f"{' ' * gutter} {self._paint('=', _DIM)} {where}: {printable(related.message)}"
            yield from self._frame(related.file, related.range, gutter, _DIM, mark="~", context=0)
        for fix in diagnostic.fixes:
            text = _("Fix: {title}") if fix.safe else _("Suggestion: {title}")
            yield f"{' ' * gutter} {self._paint('=', _DIM)} {text.format(title=printable(fix.title))}"

    def _frame(
        self, file: Path, where: Range, gutter: int, color: str, mark: str = "^", context: int = 1
    ) -> Iterator[str]:
        source = self._source(file)
        if source is None or not source.text:
            return
        for line in frame(source, where, mark, context):
            number = "" if line.number is None else str(line.number)
            text = self._paint(line.text, color) if line.is_marks else line.text
            yield f"{self._paint(f'{number:>{gutter}} |', _DIM)} {text}".rstrip()

    def _gutter(self, diagnostic: Diagnostic) -> int:
        lines = [diagnostic.range.start.line + 1, *(related.range.start.line for related in diagnostic.related)]
        return max(4, len(str(max(lines))))

    def _source(self, file: Path) -> Source | None:
        return self.outcome.sources.get(file)

    def _place(self, file: Path, where: Range) -> str:
        return f"{printable(shown_path(file, self.folder))}:{where.start.line}:{where.start.column}"

    def _paint(self, text: str, color: str) -> str:
        return painted(text, color) if self.color else text
