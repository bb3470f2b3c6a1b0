"""One line to type in, with a list to choose from where there is one; entered by Enter or by leaving it."""

from collections.abc import Callable, Sequence
from typing import Self

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPaintDevice,
    QPainter,
    QPaintEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import QApplication, QCompleter, QLineEdit, QStyle, QStyleOptionFrame

from stepflow_gui.gui.widgets.fonts import mono_font

Choices = Callable[[], Sequence[str]]
_WRITTEN = Qt.ItemDataRole.UserRole  # of an item of the list
_ROOMY = 12  # characters, from which on a text that is too long is elided in the middle
_BESIDE_TEXT = 2  # pixels that a line edit keeps at either side of its text


class TextChoice(str):
    """A text to choose that the list shows with what it means."""

    __slots__ = ("label",)

    def __new__(cls, text: str, label: str) -> Self:
        """`label` is what the list shows."""
        made = super().__new__(cls, text)
        made.label = label
        return made

    label: str


def asks_for_history(event: QEvent) -> bool:
    """Whether a field is asked if it takes undo or redo itself: that is only for what is being typed in it."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)


def hatch(painted: QPaintDevice, area: QRectF) -> None:
    """Hatch a field that stands for values that differ, so it doesn't look empty."""
    painter = QPainter(painted)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colour = QApplication.palette().placeholderText().color()
    colour.setAlpha(70)
    painter.setBrush(QBrush(colour, Qt.BrushStyle.BDiagPattern))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), 4, 4)
    painter.end()


def _with_alt(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)


class FormLineEdit(QLineEdit):
    """`entered` is emitted with a text that differs from the one shown. Escape brings that one back."""

    entered = Signal(str)

    def __init__(self, choices: Choices | None = None) -> None:
        super().__init__()
        self._shown = ""
        self.hatched = False  # it stands for values that differ
        self._choices = choices
        self.setFont(mono_font(11))  # ids share a narrow column
        self.setMinimumWidth(40)
        self.setAcceptDrops(False)  # of a file its path would be written in here; files are for the window
        self.editingFinished.connect(self.enter)

    def show_text(self, text: str) -> None:
        """Show the file's text; what is being typed stays unless the file changed."""
        if text != self._shown or not self.isModified():
            self._shown = text
            if self.text() != text:
                self.setText(text)
                self.setCursorPosition(0)
            self.setModified(False)

    @property
    def pending(self) -> bool:
        """Whether something is typed that wasn't entered."""
        return self.text() != self._shown and not self.isReadOnly()

    def enter(self) -> None:
        """Enter what is typed."""
        if self.pending:
            self.entered.emit(self.text())

    def settle(self) -> None:
        """What is typed was taken."""
        self._shown = self.text()
        self.setModified(False)

    def restore(self) -> None:
        """Show the file's text again."""
        self.setText(self._shown)
        self.setModified(False)

    def drop(self) -> None:
        """Open the list of what can be chosen."""
        completer = self._complete()
        if completer is not None and not self.isReadOnly():
            completer.setCompletionPrefix("")
            completer.complete()

    def event(self, event: QEvent) -> bool:
        if asks_for_history(event) and not self.pending:
            event.ignore()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.pending:
            self.restore()
        elif event.key() == Qt.Key.Key_Down and self._choices is not None and not _with_alt(event):
            self.drop()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._complete()

    def paintEvent(self, event: QPaintEvent) -> None:
        """At rest a text that is too long has dots in it; with the keyboard it is whole, to be moved in."""
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        room = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        room = room.marginsRemoved(self.textMargins()).adjusted(_BESIDE_TEXT, 0, -_BESIDE_TEXT, 0)
        roomy = room.width() >= _ROOMY * self.fontMetrics().averageCharWidth()
        mode = Qt.TextElideMode.ElideMiddle if roomy else Qt.TextElideMode.ElideRight
        shown = self.fontMetrics().elidedText(self.text(), mode, room.width())
        if self.hasFocus() or shown == self.text():
            super().paintEvent(event)
            if self.hatched and not self.text():
                hatch(self, QRectF(self.rect()))
            return
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)
        painter.end()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        self.selectAll()

    def _complete(self) -> QCompleter | None:
        if self._choices is None or self.isReadOnly():
            return None
        completer = self.completer()
        if completer is None:
            completer = QCompleter(self)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            completer.setCompletionRole(_WRITTEN)
            completer.activated[str].connect(self._chosen)
            self.setCompleter(completer)
        model = QStandardItemModel(completer)
        for choice in self._choices():
            item = QStandardItem(choice.label if isinstance(choice, TextChoice) else choice)
            item.setData(str(choice), _WRITTEN)
            model.appendRow(item)
        completer.setModel(model)
        return completer

    def _chosen(self, text: str) -> None:
        self.setText(text)
        self.enter()
