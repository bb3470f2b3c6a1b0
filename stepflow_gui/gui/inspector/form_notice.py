"""Why a change wasn't made, shown where it was requested, with what would allow it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from stepflow_gui.formats.change import plan
from stepflow_gui.formats.changes import (
    AddIntent,
    Change,
    Connect,
    RemoveField,
    RemoveIntent,
    RemoveStep,
    RenameIntent,
    SetIntents,
)
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.wrap_layout import WrapLayout
from stepflow_gui.messages import _
from stepflow_gui.project.problem_text import describe

Make = Callable[[Change], Plan | Refusal]


class AllowedChange(NamedTuple):
    """A change that would be allowed: its button's label."""

    label: str
    change: Change


def make(document: Document, change: Change) -> Plan | Refusal:
    """Make a change as one entry of the history, or return why not."""
    found = plan(document.folder, change)
    if isinstance(found, Refusal) or not found.edits:
        return found
    problem = document.apply(found.edits, found.title, "inspector")
    return Refusal(describe(problem)) if problem else found


def allowed_changes(change: Change, refusal: Refusal) -> list[AllowedChange]:
    """What the person may answer to a refusal by a click."""
    allowed = []
    for option in refusal.options:
        match option, change:
            case "force", RemoveField() | RemoveStep():
                allowed.append(AllowedChange(_("Do it anyway"), change._replace(force=True)))
            case "shared", Connect() | AddIntent() | RemoveIntent() | SetIntents() | RenameIntent():
                allowed.append(AllowedChange(_("Apply to these steps too"), change._replace(shared=True)))
            case "allow", Connect():
                allowed.append(AllowedChange(_("Add the intent as well"), change._replace(allow=True)))
    return allowed


class Notice(QWidget):
    """A reason with buttons. `picked` is emitted with the change that is wanted instead."""

    picked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setFont(ui_font(11))  # as findings at a field
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._column.addWidget(self._text)
        self._below: QWidget | None = None
        self.hide()

    @property
    def text(self) -> str:
        """The text shown; empty while there is none."""
        return "" if self.isHidden() else self._text.text()

    def show_text(self, text: str, token: str = "error") -> None:
        """Show a text in a colour token."""
        self._clear()
        self._text.setText(text)
        self._text.setProperty("token", token)
        self._text.style().unpolish(self._text)
        self._text.style().polish(self._text)
        self.show()

    def refuse(self, change: Change, refusal: Refusal, steps: Callable[[], Sequence[str]]) -> None:
        """Show why a change wasn't made, and offer what would allow it; `steps` are possible targets."""
        self.show_text(refusal.reason)
        if {"target", "targets"} & set(refusal.options) and isinstance(change, AddIntent | SetIntents):
            self._ask_target(change, steps)
            return
        allowed = allowed_changes(change, refusal)
        if allowed:
            self._below = QWidget()
            row = WrapLayout(self._below, 6)
            for each in allowed:
                button = QPushButton(each.label)
                button.setAccessibleDescription(refusal.reason)
                button.clicked.connect(lambda _on=False, wanted=each.change: self.picked.emit(wanted))
                row.addWidget(button)
            self._column.addWidget(self._below)
            self._below.show()

    def quiet(self) -> None:
        """Clear the text."""
        self._clear()
        self.hide()

    def _clear(self) -> None:
        if self._below is not None:
            self._below.hide()
            self._below.deleteLater()
            self._below = None

    def _ask_target(self, change: AddIntent | SetIntents, steps: Callable[[], Sequence[str]]) -> None:
        field = FormLineEdit(steps)
        field.setPlaceholderText(_("step id"))
        field.setAccessibleName(self._text.text())
        field.entered.connect(lambda target: self._add_with_target(change, target))
        self._below = field
        self._column.addWidget(field)
        field.show()
        field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _add_with_target(self, change: AddIntent | SetIntents, target: str) -> None:
        if not target:
            return
        if isinstance(change, AddIntent):
            self.picked.emit(change._replace(target=target))
            return
        given = dict(change.targets)
        asked = next(
            (intent for intent in change.intents if _("“{word}”").format(word=intent) in self._text.text()), None
        )
        if asked is not None and asked not in given:
            self.picked.emit(change._replace(targets=(*change.targets, (asked, target))))
