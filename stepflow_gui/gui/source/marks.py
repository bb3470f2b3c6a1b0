"""What is marked in the source editor: findings under the text; behind it the caret's line, brackets, what is found."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from PySide6.QtCore import QPointF
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtWidgets import QTextEdit

from stepflow_gui.gui.source.finding.search import Hit
from stepflow_gui.gui.source.languages.json_lexer import parts
from stepflow_gui.gui.source.mapping import Mapping, units
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.lint.diagnostic import RANK, Diagnostic, Range, Severity
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Span

_FARTHEST = 5_000  # lines that are searched for the other bracket
_OPEN = "{["
_CLOSED = "}]"
_MOST = 200  # hits marked at once, of which a long line may have more than anybody sees

_Marks = Iterator[QTextEdit.ExtraSelection]


class Mark(NamedTuple):
    """A finding's place in a file, in offsets."""

    start: int
    end: int
    severity: Severity
    code: str
    message: str


def marks_in(
    path: Path, diagnostics: Iterable[Diagnostic], besides: Iterable[tuple[Diagnostic, Span]] = ()
) -> list[Mark]:
    """Where findings are in a file: what they are about, else the places in it that they are related to.

    `other_files_version` are others, with their places in it.
    """
    found: list[Mark] = []
    for diagnostic in diagnostics:
        for place in _places(path, diagnostic):
            start, end = place.start.offset, place.end.offset
            found.append(Mark(start, max(end, start), diagnostic.severity, diagnostic.code, diagnostic.message))
    found += [Mark(*span, each.severity, each.code, each.message) for each, span in besides]
    return sorted(found, key=lambda mark: (mark.start, RANK[mark.severity]))


def _places(path: Path, diagnostic: Diagnostic) -> list[Range]:
    if diagnostic.file == path:
        return [diagnostic.range]
    return [related.range for related in diagnostic.related if related.file == path]


def shifted(marks: Sequence[Mark], edits: Iterable[TextEdit]) -> list[Mark]:
    """Marks moved along with the text, until the linter has checked it again."""
    moved = list(marks)
    for edit in reversed(list(edits)):
        by = len(edit.text) - (edit.end - edit.start)
        for index, mark in enumerate(moved):
            if edit.end <= mark.start:
                moved[index] = mark._replace(start=mark.start + by, end=mark.end + by)
            elif edit.start < mark.end:
                start = min(mark.start, edit.start)
                moved[index] = mark._replace(start=start, end=max(start, mark.end + by))
    return moved


def wave(left: int, right: int, bottom: int) -> list[QPointF]:
    """The corners of a wavy line, in pixels."""
    return [QPointF(x, bottom - (2 if index % 2 else 0)) for index, x in enumerate(range(left, right + 1, 2))]


def bracket_pair(block: QTextBlock, column: int) -> tuple[int, int] | None:
    """The positions in the document of the bracket before or behind a column of a block, and of its other half.

    None where there is no bracket, or none that belongs to it.
    """
    here = _brackets(block)
    for at, sign in here:
        if at in {column - 1, column}:
            position = block.position() + at
            other = _other(block, at, forwards=sign in _OPEN)
            return None if other is None else (position, other)
    return None


def _other(block: QTextBlock, column: int, forwards: bool) -> int | None:
    depth = 0
    first = True
    for _line in range(_FARTHEST):
        if not block.isValid():
            return None
        listed = _brackets(block)
        for at, sign in listed if forwards else reversed(listed):
            if first and (at < column if forwards else at > column):
                continue
            depth += 1 if (sign in _OPEN) == forwards else -1
            if depth == 0:
                return block.position() + at
        first = False
        block = block.next() if forwards else block.previous()
    return None


def _brackets(block: QTextBlock) -> list[tuple[int, str]]:
    # Columns in UTF-16 units.
    line = block.text()
    if not any(sign in line for sign in _OPEN + _CLOSED):
        return []
    return [(units(line[: part.start]), line[part.start]) for part in parts(line) if part.role == "bracket"]


class MarkedEditor(Protocol):
    """An editor as far as its marks go. `brackets` keeps the pair that was found at a caret and revision."""

    theme: Theme
    hits: Sequence[Hit]
    scope: Span | None
    brackets: tuple[tuple[int, int], tuple[int, int] | None]

    @property
    def mapping(self) -> Mapping: ...
    def textCursor(self) -> QTextCursor: ...
    def document(self) -> QTextDocument: ...
    def stretch(self, start: int, end: int) -> QTextCursor: ...


def behind_text(editor: MarkedEditor, view: Span) -> _Marks:
    """All marks, for what lies between two offsets; later ones are painted over earlier ones."""
    yield from _scope(editor)
    yield _current_line(editor)
    yield from _hits(editor, view)
    yield from _bracket_marks(editor)


def selection_of(cursor: QTextCursor, form: QTextCharFormat) -> QTextEdit.ExtraSelection:
    """A stretch with a look of its own."""
    selection = QTextEdit.ExtraSelection()
    selection.cursor = cursor
    selection.format = form
    return selection


def _current_line(editor: MarkedEditor) -> QTextEdit.ExtraSelection:
    form = _tinted(editor, "accent", 0.07)
    form.setProperty(QTextFormat.Property.FullWidthSelection, True)
    cursor = editor.textCursor()
    cursor.clearSelection()
    return selection_of(cursor, form)


def _bracket_marks(editor: MarkedEditor) -> _Marks:
    # Looked for once a place and text: this is asked at each scroll, and the other half may be thousands of lines away.
    cursor = editor.textCursor()
    here = (cursor.position(), editor.document().revision())
    if editor.brackets[0] != here:
        editor.brackets = (here, bracket_pair(cursor.block(), cursor.positionInBlock()))
    for position in editor.brackets[1] or ():
        form = _tinted(editor, "accent", 0.25)
        form.setForeground(editor.theme.color("text"))
        yield selection_of(editor.stretch(position, position + 1), form)


def _hits(editor: MarkedEditor, view: Span) -> _Marks:
    form = _tinted(editor, "warning", 0.22)
    first = bisect_left(editor.hits, view.start, key=lambda hit: hit.start)
    for hit in editor.hits[first : first + _MOST]:
        if hit.start > view.end:
            return
        ends = editor.mapping.position(hit.start), editor.mapping.position(hit.end)
        yield selection_of(editor.stretch(*ends), form)


def _scope(editor: MarkedEditor) -> _Marks:
    # Where something is looked for, if that isn't all of the text.
    if editor.scope is not None:
        ends = (editor.mapping.position(at) for at in editor.scope)
        yield selection_of(editor.stretch(*ends), _tinted(editor, "accent", 0.12))


def _tinted(editor: MarkedEditor, token: str, share: float) -> QTextCharFormat:
    form = QTextCharFormat()
    form.setBackground(editor.theme.mix(token, "canvas", share))
    return form
