"""A small form over the window that asks for one line of text."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QCompleter, QLabel, QLineEdit, QVBoxLayout, QWidget

from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.popup import Popup

_WIDTH = 300


class AskPopup(Popup):
    """`answered` is emitted by Enter with a text that isn't empty; Escape or a click elsewhere closes it without."""

    answered = Signal(str)

    def __init__(self, parent: QWidget, title: str, label: str, text: str = "", known: Sequence[str] = ()) -> None:
        """`known` are offered while typing."""
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        question = QLabel(title)
        question.setTextFormat(Qt.TextFormat.PlainText)
        question.setWordWrap(True)
        question.setFont(ui_font(12))
        column.addWidget(question)
        self.field = QLineEdit(text)
        self.field.setFont(mono_font(12))
        self.field.setPlaceholderText(label)
        self.field.setAccessibleName(label)
        if known:
            completer = QCompleter(list(known), self.field)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            self.field.setCompleter(completer)
        self.field.returnPressed.connect(self._answer)
        column.addWidget(self.field)
        self.setFixedWidth(_WIDTH)

    def open_at(self, at: QPoint) -> None:
        """Show it at a global point, kept on the screen."""
        self.show_for(self.field, at)

    def _answer(self) -> None:
        text = self.field.text().strip()
        if text:
            self.close()
            self.answered.emit(text)
