"""The editor of the source panel: shows a text, and turns what the person writes into text edits."""

import re
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget

from stepflow_gui.gui.source.finding.search import Hit
from stepflow_gui.gui.source.folding import Folding, head_of
from stepflow_gui.gui.source.keys import indent_edits, new_line, tab_text
from stepflow_gui.gui.source.languages.json_lexer import Lex
from stepflow_gui.gui.source.languages.pairs import Pairs
from stepflow_gui.gui.source.languages.syntax import Colours
from stepflow_gui.gui.source.mapping import LateTextEdit, has_long_line, joined_changes, line_end
from stepflow_gui.gui.source.marks import Mark, behind_text, selection_of, shifted, wave
from stepflow_gui.gui.source.pairing import Pairing
from stepflow_gui.gui.widgets.fonts import mono_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.lint.diagnostic import RANK, Severity
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit, moved
from stepflow_gui.text.source import Source, Span

_FLAG = Qt.TextInteractionFlag
_SELECTABLE = _FLAG.TextSelectableByMouse | _FLAG.TextSelectableByKeyboard
_KEY = QKeySequence.StandardKey
_MOST_WAVES = 300  # at once: a very long line may have more in view than anybody sees
_BESIDE = 32  # pixels that are shown beside what is revealed
_NEW_LINE = re.compile(r"\r\n|\r|\n|\u2028|\u2029")


class SourceEditor(LateTextEdit):
    """Keeps no history of its own and decides nothing: it reports what was written and shows what it is given.

    `written(edit, label, typing)`: the person wrote something, the document shows it already; `accept` must follow.
    `asked(edits, label)`: a change that isn't in the document yet; `apply_edits` follows where it is granted.
    """

    written = Signal(object, object, object)
    asked = Signal(object, object)
    undo_asked = Signal()
    redo_asked = Signal()
    find_asked = Signal(bool)  # with replacing
    jumped = Signal()  # the caret went elsewhere, other than by writing
    resized = Signal()
    context_menu_asked = Signal(int, object)  # for an offset, at a global point
    menu_asked = Signal(object, int)  # a menu to be begun, and the offset that it is for
    marked = Signal()  # what the gutter shows may have changed
    shown = Signal()  # another text is there, not yet coloured

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.hovered: int | None = None  # the offset of the findings that are shown under the mouse
        self.link: Span | None = None  # what a click would follow
        self.folding = Folding(self)
        self._pairing = Pairing()
        self.theme = theme
        self.step_lines: tuple[int, int] | None = None  # first and last block of the selected step
        self.marks: list[Mark] = []
        self.brackets: tuple[tuple[int, int], tuple[int, int] | None] = ((-1, -1), None)  # caret, revision; found there
        self.hits: Sequence[Hit] = ()
        self.scope: Span | None = None
        self._colours = Colours(self.document(), theme)
        self._laying = self._marking = False
        self._composing = False  # an input method's text is open
        self._gathered: tuple[int, int, int] | None = None  # what changed meanwhile: position, removed, added
        self._expected = 0  # where writing leaves the caret
        self._severities: dict[int, Severity] = {}
        self._waves: list[tuple[tuple[int, int], Severity]] = []  # in view: positions, severity
        self.setUndoRedoEnabled(False)
        self.setAcceptDrops(False)  # dropped files belong to the window
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setCursorWidth(2)
        self.setCornerWidget(QWidget())
        self.document().contentsChange.connect(self._contents_change)
        self.textChanged.connect(self.refresh)
        self.cursorPositionChanged.connect(self._caret_moved)
        self.verticalScrollBar().valueChanged.connect(self.refresh)
        self.set_theme(theme)

    # What is shown

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self.theme = theme
        # A palette of its own wouldn't outlive the application's next style sheet.
        self.setStyleSheet(
            f"SourceEditor {{ background: {theme.hex('canvas')}; color: {theme.hex('text')};"
            f" selection-background-color: {theme.mix('accent', 'canvas', 0.28).name()};"
            f" selection-color: {theme.hex('text')}; }}"
        )
        self.set_font(mono_font(12))
        self._colours.set_theme(theme)
        self.refresh()

    def set_font(self, font: QFont) -> None:
        """Show the text in a font."""
        self.setFont(font)
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))

    def show_text(self, source: Source) -> None:
        """Show another text from its start: a large one once it is seen."""
        self.marks = []
        self.step_lines = None
        if not self.wait_with(source):
            self.lay_out(source)

    def lay_out(self, source: Source) -> None:
        self._laying = True
        text = self.mapping.take(source)
        if self.isReadOnly() != self.mapping.is_cut:
            self.setReadOnly(self.mapping.is_cut)
            if self.mapping.is_cut:
                self.setTextInteractionFlags(_SELECTABLE)
        self._colours.working = True  # it looks at no block of a new text before somebody sees it
        self.setPlainText(text)
        self._colours.working = False
        self._colours.forget(0, 0)
        self._expected = 0
        self._pairing.forget()
        self.link = None
        self.shown.emit()
        self._laying = False
        self.refresh()

    def set_language(self, lex: Lex, pairs: Pairs) -> None:
        """Colour the text as of another language, in which other signs come in pairs."""
        self._pairing.pairs = pairs
        self._colours.set_language(lex)
        self.refresh()

    def set_link(self, link: Span | None) -> None:
        """Show a stretch as a link."""
        if link != self.link:
            self.link = link
            self.refresh()

    def apply_edits(self, edits: list[TextEdit], after: Source, follow: bool = False) -> None:
        """Show edits that were made elsewhere, the caret and what is in view kept; or `follow` the last edit."""
        if self.goes_on_waiting(after):
            self.marks = shifted(self.marks, edits)
            return
        if self._gathered is not None or self.mapping.is_cut or has_long_line(after.text):
            self._mark_again(edits, after, follow)
            return
        first = self.firstVisibleBlock().blockNumber()
        above = sum(1 for edit in edits if self._block_of(edit.end) < first)
        count = self.blockCount()
        self._laying = True
        self.mapping.apply_edits(edits, after)
        self.marks = shifted(self.marks, edits)
        self._laying = False
        if follow and edits:
            self.place_caret(_behind(edits))
        elif above:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + self.blockCount() - count)
        self.refresh()

    def _mark_again(self, edits: list[TextEdit], after: Source, follow: bool) -> None:
        # Where something half composed isn't in the text, or not all of the text is in the document.
        self._gathered = None
        caret = _behind(edits) if follow else moved(self.mapping.offset(self.textCursor().position()), edits)
        marks = shifted(self.marks, edits)
        bars = (self.verticalScrollBar(), self.horizontalScrollBar())
        places = [bar.value() for bar in bars]
        self.show_text(after)
        self.marks = marks
        self.place_caret(caret)
        if not follow:
            for bar, place in zip(bars, places, strict=True):
                bar.setValue(place)
        self.refresh()

    def accept(self, edit: TextEdit, after: Source) -> None:
        """The text that the document shows since something was written."""
        self.mapping.advance([edit], after)
        self.marks = shifted(self.marks, [edit])

    def set_marks(self, marks: list[Mark]) -> None:
        """Underline findings."""
        self.marks = marks
        self.refresh()

    def set_hits(self, hits: Sequence[Hit], scope: Span | None) -> None:
        """Mark what was found, and the stretch that it was looked for in where that isn't all."""
        self.hits, self.scope = hits, scope
        self.refresh()

    def reveal(self, span: Span) -> None:
        """Select a stretch and bring it into view, with lines around it and what stands to its left."""
        cursor = self.textCursor()
        cursor.setPosition(self.mapping.position(span.end))
        cursor.setPosition(self.mapping.position(span.start), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        line = cursor.blockNumber()
        first = self.firstVisibleBlock().blockNumber()
        if not first + 2 <= line <= first + self._lines_in_view() - 4:
            self.centerCursor()
        bar = self.horizontalScrollBar()
        bar.setValue(0)
        left = self.cursorRect(cursor).left()
        cursor.setPosition(cursor.anchor())
        right = self.cursorRect(cursor).right()
        bar.setValue(max(0, min(right + _BESIDE - self.viewport().width(), left - _BESIDE)))

    @property
    def caret(self) -> int:
        """The caret's offset in the text."""
        return 0 if self.is_waiting else self.mapping.offset(self.textCursor().position())

    @property
    def composing(self) -> bool:
        """Whether an input method's text is open."""
        return self._composing

    def visible_lines(self) -> Iterator[tuple[QTextBlock, float, float]]:
        """The blocks in view with top and height in pixels."""
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= self.viewport().height():
            if block.isVisible():
                height = self.blockBoundingRect(block).height()
                yield block, top, height
                top += height
            block = block.next()

    def line_severities(self) -> dict[int, Severity]:
        """The worst finding of each block in view that has one."""
        return self._severities

    def set_margin(self, width: int) -> None:
        """Leave room for the gutter."""
        if self.viewportMargins().left() != width:
            self.setViewportMargins(width, 0, 0, 0)

    def refresh(self) -> None:
        """Colour and mark what is in view."""
        if self._colours.working or self._laying or self._composing or self.is_waiting:
            return
        if self._marking:  # marks lay out wrapped lines, whose height asks for a refresh while Qt's list is in use
            QTimer.singleShot(0, self, self.refresh)
            return
        self._marking = True
        self._colours.show(self.firstVisibleBlock(), self._lines_in_view() + 1)
        self._decorate()
        self._marking = False

    def _lines_in_view(self) -> int:
        return self.viewport().height() // max(1, self.fontMetrics().lineSpacing()) + 1

    def _block_of(self, offset: int) -> int:
        return self.document().findBlock(self.mapping.position(offset)).blockNumber()

    def place_caret(self, offset: int) -> None:
        """Put the caret at an offset, in view; what is written there goes on with what was written before."""
        cursor = self.textCursor()
        cursor.setPosition(self.mapping.position(offset))
        self._expected = cursor.position()
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def _decorate(self) -> None:
        lines = [block for block, _top, _height in self.visible_lines()] or [self.firstVisibleBlock()]
        top, last = self.mapping.offset(lines[0].position()), lines[-1]
        bottom = self.mapping.offset(last.position() + last.length() - (2 if self.mapping.is_cut else 1))
        selections = [*behind_text(self, Span(top, bottom)), *self._link_marks()]
        self._severities = {}
        self._waves = []
        for mark in reversed(self.marks):  # the worst of a place is painted last
            if top <= mark.start <= bottom and len(self._waves) < _MOST_WAVES:
                block = self.document().findBlock(self.mapping.position(mark.start))
                if block.isVisible():
                    self._waves.append((self.mapping.underlined(mark.start, mark.end), mark.severity))
                line = head_of(block).blockNumber()
                worst = self._severities.get(line)
                if worst is None or RANK[mark.severity] < RANK[worst]:
                    self._severities[line] = mark.severity
        self.setExtraSelections(selections)
        self.viewport().update()
        self.marked.emit()

    def _link_marks(self) -> Iterator[QTextEdit.ExtraSelection]:
        if self.link is not None:
            form = QTextCharFormat()
            form.setForeground(self.theme.color("accent"))
            form.setFontUnderline(True)
            yield selection_of(self.stretch(*map(self.mapping.position, self.link)), form)

    def paintEvent(self, event: QPaintEvent) -> None:
        # The waves are painted here and not by Qt, which hides them under a selection.
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for (start, end), severity in self._waves:
            here, there = self.cursorRect(self.stretch(start, start)), self.cursorRect(self.stretch(end, end))
            if event.rect().intersects(here.united(there)):
                painter.setPen(QPen(self.theme.color(severity), 1.2))
                painter.drawPolyline(wave(here.left(), max(there.left(), here.left() + 6), here.bottom()))
        painter.end()

    def stretch(self, start: int, end: int) -> QTextCursor:
        """What is between two positions of the document."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        return cursor

    # What the person writes

    def _contents_change(self, position: int, removed: int, added: int) -> None:
        if self._colours.working:
            return
        self._colours.forget(position, added)
        if self._laying:
            return
        if self._composing:
            self._gathered = joined_changes(self._gathered, (position, removed, added))
        else:
            self._write(position, removed, added, typing=True)

    def _write(self, position: int, removed: int, added: int, typing: bool) -> None:
        edit = self.mapping.edit_of(position, removed, added)
        if edit is not None:
            self._expected = position + added
            self.written.emit(edit, _("Typing") if edit.text else _("Erase"), typing)

    def _caret_moved(self) -> None:
        if self._laying or self._composing:
            return
        cursor = self.textCursor()
        if cursor.position() != self._expected or cursor.hasSelection():
            self._expected = cursor.position()
            self.jumped.emit()
        self.refresh()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if self.isReadOnly():
            event.ignore()
            return
        # Qt first removes what was selected, then keeps what is being composed out of the document until it is
        # committed: all that together is one edit.
        self._composing = True
        super().inputMethodEvent(event)
        self._composing = bool(event.preeditString())
        if self._gathered is not None and (event.commitString() or not self._composing):
            gathered, self._gathered = self._gathered, None
            self._write(*gathered, typing=False)
        self.refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        cursor = self.textCursor()
        if event.matches(_KEY.Undo):
            self.undo_asked.emit()
        elif event.matches(_KEY.Redo):
            self.redo_asked.emit()
        elif event.matches(_KEY.Find):
            self.find_asked.emit(False)
        elif self.isReadOnly():
            super().keyPressEvent(event)
            return
        elif event.matches(_KEY.InsertParagraphSeparator) or event.matches(_KEY.InsertLineSeparator):
            place = self.mapping.source.position(self.mapping.offset(cursor.selectionStart()))
            line = self.mapping.source.line_text(place.line)
            text, back = new_line(line, place.column - 1, self.mapping.source.text)
            cursor.insertText(text)
            cursor.setPosition(cursor.position() - back)
            self._expected = cursor.position()
            self.setTextCursor(cursor)
            self.ensureCursorVisible()
        elif event.key() == Qt.Key.Key_Tab and not cursor.hasSelection():
            cursor.insertText(tab_text(cursor.positionInBlock(), self.mapping.source.text))
        elif event.key() in {Qt.Key.Key_Tab, Qt.Key.Key_Backtab}:
            self._indent(outwards=event.key() == Qt.Key.Key_Backtab)
        elif self._pairing.typed(event, cursor):
            self._expected = cursor.position()  # writing goes on
            self.setTextCursor(cursor)
            self.ensureCursorVisible()
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def _indent(self, outwards: bool) -> None:
        cursor = self.textCursor()
        ends = [self.mapping.offset(at) for at in (cursor.selectionStart(), cursor.selectionEnd())]
        edits = indent_edits(self.mapping.source, Span(*ends), outwards)
        if edits:
            self.asked.emit(edits, _("Unindent") if outwards else _("Indent"))

    def event(self, event: QEvent) -> bool:
        of_history = isinstance(event, QKeyEvent) and (event.matches(_KEY.Undo) or event.matches(_KEY.Redo))
        if of_history and event.type() == QEvent.Type.ShortcutOverride:
            event.ignore()  # the window's one history
            return False
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()
        self.refresh()

    def createMimeDataFromSelection(self) -> QMimeData:
        cursor = self.textCursor()
        start, end = self.mapping.offset(cursor.selectionStart()), self.mapping.offset(cursor.selectionEnd())
        # Qt's own object with our text: the clipboard outlives Python, and with it everything that was made there.
        data = super().createMimeDataFromSelection()
        for kind in data.formats():
            data.data(kind)  # else Qt fills it in later
            data.removeFormat(kind)
        data.setText(self.mapping.source.text[start:end].replace("\r\n", "\n").replace("\r", "\n"))
        return data

    def insertFromMimeData(self, source: QMimeData) -> None:
        if not source.hasText():
            return
        cursor = self.textCursor()
        start, end = self.mapping.offset(cursor.selectionStart()), self.mapping.offset(cursor.selectionEnd())
        text = _NEW_LINE.sub(line_end(self.mapping.source.text), source.text())
        self.asked.emit([TextEdit(start, end, text)], _("Paste"))
        self.ensureCursorVisible()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        here = self.mapping.offset(self.cursorForPosition(event.pos()).position()) if by_mouse else self.caret
        self.context_menu_asked.emit(here, event.globalPos())


def _behind(edits: list[TextEdit]) -> int:
    """Where the last of some edits ends once all were made."""
    by = sum(len(edit.text) - (edit.end - edit.start) for edit in edits)
    return edits[-1].end + by if edits else 0
