"""The part of the inspector above the steps of a group: its commands, what comes in, what goes out."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from stepflow_gui.flow.groups.drawing import GroupFacts
from stepflow_gui.gui.widgets.dock import PanelTitle
from stepflow_gui.gui.widgets.finding_line import wrapped_label
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.wrap_layout import WrapLayout
from stepflow_gui.messages import _

_INTENTS = 12  # that are named
_ABOVE = 8  # pixels above a title


class GroupHead(QWidget):
    """`asked` is emitted with what is to be done with the group: "toggle", or the id of an action."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._buttons = {word: QPushButton() for word in ("toggle", "zoom-selection", "rename-group", "ungroup")}
        row = WrapLayout(gap=6)
        for word, button in self._buttons.items():
            button.setObjectName("formButton")
            button.clicked.connect(partial(self._ask, word))
            row.addWidget(button)
        self._titles = [PanelTitle() for _part in range(3)]
        for title in self._titles:
            title.setContentsMargins(0, _ABOVE, 0, 0)
        self._lines = [wrapped_label(ui_font(12)) for _part in range(2)]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(row)
        for title, line in zip(self._titles, self._lines, strict=False):
            column.addWidget(title)
            column.addWidget(line)
        column.addWidget(self._titles[-1])

    def show_group(self, facts: GroupFacts, *, folded: bool, own: bool) -> None:
        """`own`: it was made manually."""
        texts = (_("Unfold") if folded else _("Fold"), _("Zoom to Group"), _("Rename Group…"), _("Ungroup"))
        for (word, button), text in zip(self._buttons.items(), texts, strict=True):
            button.setText(text)
            button.setVisible(own or word in {"toggle", "zoom-selection"})
        for title, text in zip(self._titles, (_("Comes in"), _("Goes out"), _("Members")), strict=True):
            title.set_title(text)
        for title, line, intents in zip(self._titles, self._lines, (facts.coming, facts.leaving), strict=False):
            line.setText(_named(intents))
            title.setVisible(bool(intents))
            line.setVisible(bool(intents))

    def _ask(self, word: str, _on: bool = False) -> None:
        self.asked.emit(word)


def _named(intents: Sequence[tuple[str, int]]) -> str:
    shown = [f"{intent} ×{count}".lstrip() for intent, count in intents[:_INTENTS]]
    rest = len(intents) - len(shown)
    return _(", ").join([*shown, *([f"+{rest}"] if rest else [])])
