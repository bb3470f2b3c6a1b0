"""A small form that asks why a finding is to be left out, where that is written, and until when."""

import time
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from stepflow_gui.gui.widgets.controls import Chooser
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.messages import _


class SuppressionInput(NamedTuple):
    """What the form was filled with; `place` is the number of one of the places offered."""

    place: int
    reason: str
    until: str


class SuppressForm(QWidget):
    """`asked(Wish)` is emitted by Enter or the button, once there is a reason and the day, if any, is one."""

    asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = QLabel()
        self.title.setWordWrap(True)
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.place = Chooser()
        self.reason = QLineEdit()
        self.until = QLineEdit()
        self.trouble = QLabel()
        self.trouble.setProperty("token", "error")
        self.trouble.setWordWrap(True)
        self.button = QPushButton()
        self.button.setProperty("primary", True)
        self._labels = [QLabel(), QLabel(), QLabel()]
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        for row, (label, field) in enumerate(zip(self._labels, (self.reason, self.place, self.until), strict=True)):
            label.setBuddy(field)
            label.setProperty("muted", True)
            grid.addWidget(label, row, 0)
            grid.addWidget(field, row, 1)
        grid.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 4, 12, 8)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addLayout(grid)
        column.addWidget(self.trouble)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignRight)
        column.addStretch(1)
        self.reason.textChanged.connect(self._judge)
        self.until.textChanged.connect(self._judge)
        for field in (self.reason, self.until):
            field.returnPressed.connect(self._ask)
        self.button.clicked.connect(self._ask)
        self.setFocusProxy(self.reason)
        self.retranslate()

    def retranslate(self) -> None:
        """Show the form in the language in use."""
        words = (_("Reason"), _("Written in"), _("Until"))
        for label, word, field in zip(self._labels, words, (self.reason, self.place, self.until), strict=True):
            label.setText(word)
            label.setFont(ui_font(11))
            field.setAccessibleName(word)
            field.setFont(ui_font(12))
        self.title.setFont(ui_font(12))
        self.until.setFont(mono_font(12))
        self.reason.setPlaceholderText(_("Why this is acceptable here"))
        self.until.setPlaceholderText(_("e.g. 2030-12-31; leave empty for no end date"))
        self.until.setToolTip(self.until.placeholderText())
        self.button.setText(_("Suppress"))
        self.button.setFont(ui_font(12, QFont.Weight.DemiBold))
        self.trouble.setFont(ui_font(11))
        self._judge()

    def ask_for(self, title: str, places: Sequence[str]) -> None:
        """Ask about a finding, with the places where that can be written, the usual one first."""
        self.title.setText(title)
        self.reason.clear()
        self.until.clear()
        self.show_text("")
        self.place.clear()
        self.place.addItems(list(places))

    def show_text(self, trouble: str) -> None:
        """Show what went wrong."""
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))

    def _judge(self) -> None:
        until = self.until.text().strip()
        wrong = bool(until) and not is_day(until)
        self.until.setProperty("wrong", wrong)
        self.until.style().polish(self.until)
        self.show_text(_("Write the date as 2030-12-31.") if wrong else "")
        self.button.setEnabled(bool(self.reason.text().strip()) and not wrong)

    def _ask(self) -> None:
        if self.button.isEnabled() and self.place.currentIndex() >= 0:
            self.asked.emit(
                SuppressionInput(self.place.currentIndex(), self.reason.text().strip(), self.until.text().strip())
            )


def is_day(text: str) -> bool:
    """Whether a text is a day, as `until` is written."""
    try:
        return time.strftime("%Y-%m-%d", time.strptime(text, "%Y-%m-%d")) == text
    except ValueError:
        return False
