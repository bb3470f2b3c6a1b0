"""What a field of an answer is edited with: buttons for choices, a growing text box, a line for numbers."""

import json
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from stepflow_gui.gui.widgets.fields import one_line
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.wrap_layout import WrapLayout
from stepflow_gui.text.json.tree import JsonValue

_MOST_BUTTONS = 8  # choices; more go into a list
_LONGEST_BUTTON = 28  # characters
_MOST_LINES = 8  # of a text box, before it scrolls


class Segments(QWidget):
    """Choices as buttons of which one is down; many or long ones as a list."""

    chosen = Signal(int)

    def __init__(self, labels: Sequence[str]) -> None:
        super().__init__()
        self.setObjectName("panel")
        row = WrapLayout(self, 4)
        self._group = QButtonGroup(self)
        self._list: QComboBox | None = None
        if len(labels) <= _MOST_BUTTONS and all(len(label) <= _LONGEST_BUTTON for label in labels):
            for number, label in enumerate(labels):
                button = QPushButton(one_line(label).replace("&", "&&"))
                button.setObjectName("segment")
                button.setCheckable(True)
                button.setFont(mono_font(12))
                button.setAccessibleName(label)
                self._group.addButton(button, number)
                row.addWidget(button)
            self._group.idClicked.connect(self.chosen)
        else:
            self._list = QComboBox()
            self._list.setFont(mono_font(12))
            self._list.setMinimumWidth(80)
            self._list.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            self._list.setMinimumContentsLength(18)
            for label in labels:
                self._list.addItem(one_line(label))
            self._list.activated.connect(self.chosen)
            row.addWidget(self._list)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def show_chosen(self, number: int | None) -> None:
        """Show which one is chosen; None: none of them."""
        if self._list is not None:
            self._list.setCurrentIndex(-1 if number is None else number)
            return
        self._group.setExclusive(False)
        for button in self._group.buttons():
            button.setChecked(self._group.id(button) == number)
        self._group.setExclusive(True)

    def rename(self, labels: Sequence[str]) -> None:
        """Call the same choices otherwise."""
        for button, label in zip(self._group.buttons(), labels, strict=False):
            button.setText(one_line(label).replace("&", "&&"))
            button.setAccessibleName(label)
            button.setFont(ui_font(12))
        hints = [button.sizeHint() for button in self._group.buttons()]
        self.setFixedWidth(sum(hint.width() + 4 for hint in hints))  # all in one row
        for button in self._group.buttons():
            button.setFixedHeight(max(hint.height() for hint in hints))  # whatever their scripts

    def name(self, text: str, description: str) -> None:
        """What a screen reader calls it."""
        self.setAccessibleName(text)
        for widget in self.stops():
            widget.setAccessibleDescription(f"{text}. {description}" if description else text)
        if self._list is not None:
            self._list.setAccessibleName(text)

    def stops(self) -> list[QWidget]:
        """Where the Tab key stops."""
        return [self._list] if self._list is not None else [*self._group.buttons()]


class TextBox(QPlainTextEdit):
    """A text that may have several lines: as high as it needs, up to a few lines. Tab leaves it."""

    typed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("answerText")
        self.setTabChangesFocus(True)
        self.setFont(ui_font(12))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(4)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(60)
        self.textChanged.connect(self._changed)
        self._grow()

    def show_text(self, text: str) -> None:
        """Show a text; the cursor stays where it is when nothing changed."""
        if text != self.toPlainText():
            with QSignalBlocker(self):
                self.setPlainText(text)
            self._grow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._grow()

    def _changed(self) -> None:
        self._grow()
        self.typed.emit(self.toPlainText())

    def _grow(self) -> None:
        lines = int(self.document().size().height())  # a plain text's height is in lines
        shown = max(1, min(lines, _MOST_LINES))
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if lines > _MOST_LINES else policy.ScrollBarAlwaysOff)
        height = shown * QFontMetrics(self.font()).lineSpacing() + 12
        if height != self.height():
            self.setFixedHeight(height)


class NumberLine(QLineEdit):
    """One line for a number; anything else is a text, so the form can report it."""

    valued = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setFont(mono_font(12))
        self.setMinimumWidth(60)
        self.textEdited.connect(lambda text: self.valued.emit(number_of(text)))

    def show_value(self, value: JsonValue) -> None:
        """Show a value; what is being typed stays where it means the same."""
        if self.text() and number_of(self.text()) == value and type(number_of(self.text())) is type(value):
            return
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        if text != self.text():
            self.setText(text)
            self.setCursorPosition(0)

    def sizeHint(self) -> QSize:
        return QSize(160, super().sizeHint().height())


def number_of(text: str) -> JsonValue:
    """What a person means who types a number; the text itself where it is none."""
    for make in (int, float):
        try:
            number = make(text.strip().translate(_FULL_WIDTH))
        except ValueError:
            continue
        return number if abs(number) < float("inf") else text
    return text


def label_of(value: JsonValue) -> str:
    """A choice as its button's label."""
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


def small_button(text: str, name: str) -> QPushButton:
    """A quiet button beside a field."""
    button = QPushButton(text)
    button.setObjectName("quiet")
    button.setFont(ui_font(11))
    button.setAutoDefault(True)
    button.setAccessibleName(name)
    button.setToolTip(name if name != text else "")
    return button


_FULL_WIDTH = {ord("０") + digit: ord("0") + digit for digit in range(10)} | {ord("．"): ord("."), ord("－"): ord("-")}
