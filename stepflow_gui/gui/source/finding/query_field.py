"""A field for what is looked for, with its switches: match case, whole words, regular expression."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton

from stepflow_gui.gui.source.finding.search import SearchQuery
from stepflow_gui.gui.widgets.controls import name_it
from stepflow_gui.gui.widgets.fields import polish
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.messages import _


class QueryField(QLineEdit):
    """`asked()`: the text or a switch changed."""

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumWidth(60)
        self.case, self.word, self.pattern = (sign_toggle(sign) for sign in ("Aa", "ab", ".*"))
        self.toggles = (self.case, self.word, self.pattern)
        inside = QHBoxLayout(self)
        inside.setContentsMargins(0, 0, 4, 0)
        inside.setSpacing(1)
        inside.addStretch(1)
        for toggle in self.toggles:
            inside.addWidget(toggle)
            toggle.toggled.connect(lambda _on: self.asked.emit())
        self.setTextMargins(0, 0, sum(toggle.width() + 1 for toggle in self.toggles), 0)
        self.textChanged.connect(lambda _text: self.asked.emit())

    @property
    def query(self) -> SearchQuery:
        """What is looked for."""
        return SearchQuery(self.text(), self.case.isChecked(), self.word.isChecked(), self.pattern.isChecked())

    def show_wrong(self, wrong: bool) -> None:
        """Mark what is written as no regular expression, or as too hard."""
        if self.property("wrong") != wrong:
            self.setProperty("wrong", wrong)
            polish(self)

    def retranslate(self, name: str) -> None:
        """Show the field in the language in use, under its name."""
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self.setFont(mono_font(12))
        name_it(self.case, _("Match case"))
        name_it(self.word, _("Whole words only"))
        name_it(self.pattern, _("Regular expression, matched line by line; $1 in the replacement is its first group"))
        whole = QFont(ui_font(11))
        whole.setUnderline(True)
        self.word.setFont(whole)


def sign_toggle(sign: str) -> QToolButton:
    """A small switch that shows a sign."""
    button = QToolButton()
    button.setObjectName("findToggle")
    button.setText(sign)
    button.setCheckable(True)
    button.setFixedSize(QSize(22, 20))
    button.setFont(ui_font(11))
    button.setCursor(Qt.CursorShape.ArrowCursor)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
