"""The contract of a step: schema enum, allowedIntents and transitions side by side, what doesn't agree marked."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from stepflow_gui.flow.model import Step
from stepflow_gui.gui.fonts import ui_font
from stepflow_gui.gui.panels.fields import contract_cell
from stepflow_gui.messages import _


class Contract(NamedTuple):
    """The three lists that must agree; `enum` is None where the output schema can't be read."""

    enum: tuple[str, ...] | None
    allowed: tuple[str, ...]
    transitions: tuple[str, ...]

    def rows(self) -> list[str]:
        """Every intent of the three, in the order of the file."""
        return list(dict.fromkeys([*self.allowed, *self.transitions, *(self.enum or ())]))

    def broken(self, intent: str) -> bool:
        """Whether the intent is missing in one of the lists. `abort` needs neither enum nor rule (seed 000)."""
        if intent == "abort":
            return False
        lists = [self.allowed, self.transitions, *([self.enum] if self.enum is not None else [])]
        return any(intent not in listed for listed in lists)


def contract_of(step: Step, enum: Sequence[str] | None) -> Contract:
    """The contract of a step, given the intent enum of its resolved output schema."""
    allowed = tuple(text.value for text in step.gate.intents) if step.gate else ()
    return Contract(None if enum is None else tuple(enum), allowed, tuple(rule.intent for rule in step.transitions))


class ContractGrid(QWidget):
    """Three columns, one row an intent."""

    def __init__(self, contract: Contract) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        columns: list[tuple[str, tuple[str, ...] | None]] = [
            (_("schema enum"), contract.enum),
            ("allowedIntents", contract.allowed),
            ("transitions", contract.transitions),
        ]
        for column, (title, listed) in enumerate(columns):
            grid.setColumnStretch(column, 1)
            head = QLabel(title)
            head.setFont(ui_font(11))
            head.setProperty("muted", True)
            grid.addWidget(head, 0, column)
            for row, intent in enumerate(contract.rows(), start=1):
                if listed is None:
                    cell = contract_cell(_("unknown") if row == 1 else "", False)
                elif intent in listed:
                    cell = contract_cell(intent, False)
                else:
                    cell = contract_cell(
                        _("no “{intent}”").format(intent=intent) if contract.broken(intent) else "",
                        contract.broken(intent),
                    )
                cell.setAccessibleName(f"{title}: {cell.whole or '–'}")
                grid.addWidget(cell, row, column)
