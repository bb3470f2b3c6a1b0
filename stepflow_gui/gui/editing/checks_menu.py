"""What is done on the closing card, by its menu and by drag: validators are ordered, and get failure patterns."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPointF
from PySide6.QtGui import QAction, QCursor
from PySide6.QtWidgets import QMenu

from stepflow_gui.flow.model import Step, Text
from stepflow_gui.formats.changes import (
    AddCondition,
    AddFailurePattern,
    AddValidationStep,
    Change,
    MoveItem,
    RemoveField,
    SetField,
)
from stepflow_gui.formats.climpt.eras import guide_for
from stepflow_gui.formats.climpt.validation import Validation, ValidationStep, Validator
from stepflow_gui.gui.canvas.check_gesture import CheckGesture, Dropped, MoveCheck
from stepflow_gui.gui.canvas.items.closing_card import ClosingCard
from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.editing.change_maker import ChangeMaker
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from stepflow_gui.gui.widgets.menu_text import add_heading, plain
from stepflow_gui.messages import _
from stepflow_gui.run.machine.closure_checks import validation_key
from stepflow_gui.run.machine.verdict import verdict_of
from stepflow_gui.text.pointer import join, split


class ChecksMenu:
    """Fills menus about the validation of one document's steps."""

    def __init__(
        self, desk: Desk, document: Document, editing: ChangeMaker, closing_key: Callable[[str], str | None]
    ) -> None:
        self._desk = desk
        self._closing_key = closing_key  # gives the validation that a step closes with
        self._document = document
        self._editing = editing

    def card_at(self, spot: QPointF) -> ClosingCard | None:
        """The closing card at a point of the scene."""
        card = self._desk.canvas.graph.run_layer.card
        return card if card is not None and card.holds(spot) else None

    def of_card(self, menu: QMenu, card: ClosingCard, spot: QPointF) -> None:
        """Entries about the validator that is hit, and about all of them."""
        checks = self._checks()
        step = self._validation_of(checks, card.sign.step)
        if step is None:
            return
        row = card.row_at(spot)
        if row is not None and row < len(step.validators):
            self._of_validator(menu, checks, step.validators, row)
            menu.addSeparator()
        free = [name for name in checks.validators if all(name != text.value for text in step.validators)]
        below = menu.addMenu(_("&Add Validator"))
        for name in free:
            self._entry(below, plain(name), partial(self._editing.make, AddCondition(step.at.name, name)))
        below.setEnabled(bool(free))
        self._entry(menu, _("Show in &Source"), partial(self._document.reveal, self._document.path, step.at.key_span))

    def begin_drag(self, step: str, row: int) -> CheckGesture | None:
        """A validator of a step's card is dragged; None while nothing can be changed."""
        checks = self._checks()
        found = self._validation_of(checks, step)
        if self._document.text_broken or found is None or row >= len(found.validators):
            return None
        validators = [text.value for text in found.validators]
        validator = checks.validators.get(validators[row])
        if validator is None:
            return CheckGesture(row, validators, (), None)
        target = validator.failure_pattern
        return CheckGesture(row, validators, list(checks.patterns), target.value if target else None)

    def drop(self, step: str, asked: Dropped) -> None:
        """A validator was dropped on a pattern or on another one."""
        checks = self._checks()
        found = self._validation_of(checks, step)
        if found is None:
            return
        condition, _index = _item_of(found.validators[asked.row])
        if isinstance(asked, MoveCheck):
            self._editing.make(MoveItem(condition, _item_of(found.validators[asked.to])[1]))
            return
        validator = checks.validators[found.validators[asked.row].value]
        self._connect(validator.at.name, join(validator.at.pointer, "failurePattern"), asked.pattern)

    def of_step(self, menu: QMenu, step: Step) -> None:
        """The entry that gives a closure step its first validator; none where it has some or can't have any."""
        checks = self._checks()
        if step.kind != "closure" or not checks.validators or self._validation_of(checks, step.id) is not None:
            return
        good = self._document.last_valid
        era = guide_for(good.flow.format)
        key = step.id if era.validates_by_step else validation_key(verdict_of(good.agent).type)
        changes = {name: AddValidationStep(key, (name,)) for name in checks.validators}
        fitting = {name: change for name, change in changes.items() if self._editing.refusal(change) is None}
        if fitting:
            below = menu.addMenu(_("&Check before It Closes"))
            for name, change in fitting.items():
                self._entry(below, plain(name), partial(self._editing.make, change))

    def _of_validator(self, menu: QMenu, checks: Validation, listed: list[Text], row: int) -> None:
        text = listed[row]
        add_heading(menu, text.value)
        validator = checks.validators.get(text.value)
        if validator is not None:
            self._patterns(menu.addMenu(_("&Connect Its Failure to")), checks, validator)
            there = partial(self._document.reveal, self._document.path, validator.at.key_span)
            self._entry(menu, _("Show &Validator in Source"), there)
        condition, index = _item_of(text)
        if row > 0:
            self._entry(menu, _("Check &Earlier"), partial(self._editing.make, MoveItem(condition, index - 1)))
        if row + 1 < len(listed):
            self._entry(menu, _("Check &Later"), partial(self._editing.make, MoveItem(condition, index + 1)))
        self._entry(menu, _("&Remove from These Checks"), partial(self._editing.make, RemoveField(condition)))

    def _patterns(self, menu: QMenu, checks: Validation, validator: Validator) -> None:
        where = join(validator.at.pointer, "failurePattern")
        current = validator.failure_pattern.value if validator.failure_pattern else None
        for name in checks.patterns:
            action = self._entry(menu, plain(name), partial(self._connect, validator.at.name, where, name))
            action.setCheckable(True)
            action.setChecked(name == current)
        menu.addSeparator()
        self._entry(menu, _("&New Failure Pattern…"), partial(self._ask_pattern, validator.at.name, where))

    def _ask_pattern(self, validator: str, where: str) -> None:
        title = _("New failure pattern of “{validator}”").format(validator=validator)
        popup = AskPopup(self._desk.canvas, title, _("Name"))
        popup.answered.connect(partial(self._add_pattern, validator, where))
        popup.open_at(QCursor.pos())

    def _add_pattern(self, validator: str, where: str, name: str) -> None:
        text = _("What “{validator}” finds").format(validator=validator)
        self._connect(validator, where, name, AddFailurePattern(name, text))

    def _connect(self, validator: str, where: str, name: str, *before: Change) -> None:
        title = _("Connect the failure of {validator} to {name}").format(validator=validator, name=name)
        self._editing.make_all([*before, SetField(where, name)], title)

    def _checks(self) -> Validation:
        return Validation(self._document.last_valid.flow.document.root)

    def _validation_of(self, checks: Validation, step: str) -> ValidationStep | None:
        key = self._closing_key(step)
        return next((each for each in checks.steps if each.at.name == key), None)

    def _entry(self, menu: QMenu, title: str, act: Callable[[], object]) -> QAction:
        action = menu.addAction(title)
        action.triggered.connect(lambda _on=False: act())
        return action


def _item_of(validator: Text) -> tuple[str, int]:
    """The pointer and index of the condition that names a validator."""
    parts = split(validator.pointer)[:-1]
    return join("", *parts), int(parts[-1])
