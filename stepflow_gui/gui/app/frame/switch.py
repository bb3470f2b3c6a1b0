"""A switch: a few words beside each other of which one holds."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from stepflow_gui.gui.widgets.fonts import ui_font

_ROUND = 28  # pixels round the words


class Switch(QWidget):
    """`picked(name)`: the person wants another. Left and Right go through them, as in a row of tabs."""

    picked = Signal(str)

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QPushButton] = {}
        for name in names:
            button = QPushButton()
            button.setObjectName("switch")
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.clicked.connect(partial(self._clicked, name))
            self._group.addButton(button)
            self._row.addWidget(button)
            self.buttons[name] = button
        first, last = self.buttons[names[0]], self.buttons[names[-1]]
        first.setProperty("end", "left")
        last.setProperty("end", "right")

    @property
    def shown(self) -> str:
        """The one that holds."""
        return next((name for name, button in self.buttons.items() if button.isChecked()), "")

    def show_picked(self, name: str) -> None:
        """Show that one holds."""
        self.buttons[name].setChecked(True)

    def set_texts(self, name: str, texts: Sequence[str], tips: Sequence[str]) -> None:
        """Name the switch and its words in the language in use; `tips` are the longer words of each."""
        self.setAccessibleName(name)
        for button, text, tip in zip(self.buttons.values(), texts, tips, strict=True):
            button.setFont(ui_font(12))
            button.setText(text)
            bold = QFontMetrics(ui_font(12, QFont.Weight.DemiBold)).horizontalAdvance(text)
            button.setMinimumWidth(bold + _ROUND)  # as wide whichever holds, which is bold
            button.setToolTip(tip)
            button.setAccessibleName(text)
            button.setAccessibleDescription(name)

    def _clicked(self, name: str, _on: bool = False) -> None:
        self.picked.emit(name)
