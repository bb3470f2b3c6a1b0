"""Renaming in place: a field over the name that shows at once what is wrong with the new one."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from stepflow_gui.formats.changes import Change
from stepflow_gui.formats.edits import Plan
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.popup import Popup
from stepflow_gui.messages import _

_NARROWEST, _WIDEST = 260, 420
_SOON = 60  # milliseconds after a key; where a look takes long, twice what it took


class RenameCheck(NamedTuple):
    """What a new name would do, or what speaks against it; `choices` are the changes that would pass anyway."""

    text: str
    change: Change | Plan | None  # None where it can't be made
    choices: Sequence[tuple[str, Change]] = ()


class RenamePopup(Popup):
    """`wanted` is emitted with the change, or its plan, by Enter or a button; Escape or a click elsewhere closes it."""

    wanted = Signal(object)

    def __init__(self, parent: QWidget, name: str, judge: Callable[[str], RenameCheck], hint: str = "") -> None:
        """`hint` is shown while the old name is there."""
        super().__init__(parent)
        self._judge = judge
        self._name = name
        self._hint = hint or _("Enter renames it everywhere, Escape cancels")
        self._verdict = RenameCheck("", None)
        self.field = QLineEdit(name)
        self.field.setFont(mono_font(12))
        self.field.setAccessibleName(_("New name of “{name}”").format(name=name))
        self.message = QLabel()
        self.message.setTextFormat(Qt.TextFormat.PlainText)
        self.message.setWordWrap(True)
        self.message.setFont(ui_font(11))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(6, 6, 6, 8)
        self._column.setSpacing(6)
        self._column.addWidget(self.field)
        self._column.addWidget(self.message)
        self.buttons: list[QPushButton] = []
        wide = self.field.fontMetrics().horizontalAdvance(name + "mmmmmm") + 40
        self.setFixedWidth(max(_NARROWEST, min(wide, _WIDEST)))
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_SOON)
        self._later.timeout.connect(self._look)
        self.field.textChanged.connect(lambda _text: self._later.start())
        self.field.returnPressed.connect(self._answer)
        self._look()

    def open_at(self, at: QPoint) -> None:
        """Show it with the field's text at a global point, the old name ready to be typed over."""
        self._at = at - QPoint(15, 12)
        self.show_for(self.field, self._at)

    @property
    def new(self) -> str:
        """What is written."""
        return self.field.text().strip()

    def _look(self) -> None:
        self._later.stop()
        begun = time.perf_counter()
        if self.new == self._name:
            self._verdict = RenameCheck(self._hint, None)
        else:
            self._verdict = self._judge(self.new)
        self._later.setInterval(max(_SOON, round(2000 * (time.perf_counter() - begun))))
        wrong = self._verdict.change is None and self.new != self._name
        self.message.setText(self._verdict.text)
        self.message.setProperty("token", "error" if wrong else "muted")
        self.message.style().unpolish(self.message)
        self.message.style().polish(self.message)
        for button in self.buttons:
            self._column.removeWidget(button)
            button.deleteLater()
        self.buttons = [self._button(label, change) for label, change in self._verdict.choices]
        if self.isVisible():
            self.show_at(self._at)

    def _button(self, label: str, change: Change) -> QPushButton:
        button = QPushButton(label)
        button.setFont(ui_font(12))
        button.setAutoDefault(False)
        button.clicked.connect(lambda: self._take(change))
        self._column.addWidget(button)
        return button

    def _answer(self) -> None:
        self._look()
        if self.new == self._name:
            self.close()
        elif self._verdict.change is not None:
            self._take(self._verdict.change)

    def _take(self, change: Change | Plan) -> None:
        self.close()
        self.wanted.emit(change)
