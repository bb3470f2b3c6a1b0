"""What is marked behind the text of the source editor: the caret's line, brackets in pairs, what is found."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Protocol

from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtWidgets import QTextEdit

from stepflow_gui.gui.source.finding.search import Hit
from stepflow_gui.gui.source.mapping import Mapping
from stepflow_gui.gui.source.marks import bracket_pair
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.text.source import Span

_MOST = 200  # hits marked at once, of which a long line may have more than anybody sees

_Marks = Iterator[QTextEdit.ExtraSelection]


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
    yield from _brackets(editor)


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


def _brackets(editor: MarkedEditor) -> _Marks:
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
