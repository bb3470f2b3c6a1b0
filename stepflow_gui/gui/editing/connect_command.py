"""What a drop of a transition means where more than one thing could be meant: asked for in a menu at the pointer."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from stepflow_gui.flow.model import Step, Transition
from stepflow_gui.formats.change import can, can_connect
from stepflow_gui.formats.changes import AddCase, Change, MakeUnconditional, Retarget
from stepflow_gui.formats.changes import Connect as Led
from stepflow_gui.formats.climpt.vocabulary import INTENTS_OF_KIND, intents_of
from stepflow_gui.gui.canvas.gestures import NEW_INTENT, ConnectAsked
from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.movements import is_piece
from stepflow_gui.gui.editing.change_maker import ChangeMaker
from stepflow_gui.gui.editing.movement_menus import ask_rule
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from stepflow_gui.gui.widgets.menu_text import add_heading, plain
from stepflow_gui.lint.run_paths import enum_at
from stepflow_gui.messages import _


class Connecting:
    """Carries the drops of one document out."""

    def __init__(self, desk: Desk, document: Document, editing: ChangeMaker) -> None:
        self._desk = desk
        self._document = document
        self._editing = editing

    def why_not(self, step_id: str, intent: str, target: str | None) -> str | None:
        """Why a transition may not go there, for the canvas while one is dragged; None where it may.

        An intent that the gate lacks is not a reason: it is added. `NEW_INTENT` means any that the step lacks.
        """
        if self._document.text_broken:
            return _("Fix the syntax error first.")
        flow = self._document.last_valid.flow
        step = flow.steps.get(step_id)
        if intent != NEW_INTENT:
            refused = can_connect(flow, step_id, intent, target)
            return refused.reason if refused else None
        if step is None:
            return _("There is no step “{step}”").format(step=step_id)
        if is_piece(flow):
            refused = can_connect(flow, step_id, _("Done"), target)
            return refused.reason if refused else None
        missing = self._missing(step)
        if not missing:
            return _("“{step}” has all intents that a step of its kind can have").format(step=step_id)
        reasons = [self._refusal(Led(step_id, each, target, allow=True)) for each in missing]
        return None if None in reasons else reasons[0]

    def jump_targets(self, step: Step) -> list[str] | None:
        """The steps that the output schema lets an answer name as the target of a jump; None where it lets any."""
        field = step.gate.target_field if step.gate is not None else None
        values = enum_at(self._document.last_valid.schema(step), field.value) if field is not None else None
        if values is None:
            return None
        return [value for value in values if isinstance(value, str) and value in self._document.last_valid.flow.steps]

    def connect(self, wanted: ConnectAsked) -> QMenu | None:
        """Point a transition at a step or at the end; the menu that asks what is meant, where that isn't plain."""
        step = self._document.last_valid.flow.steps.get(wanted.step)
        rule = step.transition(wanted.intent) if step is not None else None
        if self._document.text_broken or step is None:
            return None
        if is_piece(self._document.last_valid.flow):
            if wanted.intent == NEW_INTENT:
                ask_rule(self._desk.canvas, self._editing, self._document.last_valid.flow, step, wanted.target)
            else:
                self._editing.make(Retarget(wanted.step, wanted.intent, wanted.target))
            return None
        if wanted.intent == NEW_INTENT:
            return self._ask(self._intents(step, wanted.target))
        if rule is not None and rule.cases and wanted.case is None:
            return self._ask(self._conditions(step, rule, wanted.target))
        lacking = self._lacking(step, wanted.intent)
        if lacking and wanted.case is None and wanted.intent != "abort":
            return self._ask(self._additions(wanted, lacking))
        self._editing.make(Retarget(wanted.step, wanted.intent, wanted.target, wanted.case))
        return None

    # What a menu offers

    def _conditions(self, step: Step, rule: Transition, target: str | None) -> QMenu:
        """A conditional transition was led somewhere: one of its values, a new value, or all of them."""
        menu = QMenu(self._desk.canvas)
        goal = target if target is not None else _("the end")
        add_heading(
            menu, _("“{intent}” depends on “{condition}”").format(intent=rule.intent, condition=_condition(rule))
        )
        self._entry(
            menu,
            _("&Add a Value That Goes to {step}…").format(step=plain(goal)),
            lambda: self._ask_value(rule, step, target),
        )
        for case in rule.cases:
            if (case.target.value if case.target else None) != target:
                change = Retarget(step.id, rule.intent, target, case.value)
                title = _("Connect “{case}” to {step}").format(case=plain(case.value), step=plain(goal))
                self._entry(menu, title, partial(self._editing.make, change))
        always: list[Change] = [
            MakeUnconditional(step.id, rule.intent, rule.cases[0].value),
            Retarget(step.id, rule.intent, target),
        ]
        title = _("Connect “{intent}” of {step} to {target}").format(intent=rule.intent, step=step.id, target=goal)
        menu.addSeparator()
        self._entry(
            menu, _("Al&ways Connect to {step}").format(step=plain(goal)), lambda: self._editing.make_all(always, title)
        )
        return menu

    def _ask_value(self, rule: Transition, step: Step, target: str | None) -> None:
        title = _("A value of “{condition}” for which “{intent}” goes to {step}").format(
            condition=_condition(rule), intent=rule.intent, step=target if target is not None else _("the end")
        )
        popup = AskPopup(self._desk.canvas, title, _("Value"))
        popup.answered.connect(lambda value: self._editing.make(AddCase(step.id, rule.intent, value, target)))
        popup.open_at(QCursor.pos())

    def _intents(self, step: Step, target: str | None) -> QMenu:
        """A transition was drawn from the port for new ones: the intent is asked for."""
        menu = QMenu(self._desk.canvas)
        goal = target if target is not None else _("the end")
        add_heading(menu, _("Which intent goes to {step}?").format(step=goal))
        for intent in self._missing(step):
            change = Led(step.id, intent, target, allow=True)
            if self._refusal(change) is None:
                self._entry(menu, plain(intent), partial(self._editing.make, change))
        return menu

    def _additions(self, wanted: ConnectAsked, lacking: Sequence[str]) -> QMenu:
        """A transition of an intent that the gate or the enum lacks."""
        menu = QMenu(self._desk.canvas)
        where = _(" and ").join(lacking)
        add_heading(menu, _("“{intent}” is missing in {where}").format(intent=wanted.intent, where=where))
        both = Led(wanted.step, wanted.intent, wanted.target, allow=True)
        self._entry(menu, _("Connect, and &Add It There"), partial(self._editing.make, both))
        alone = Retarget(wanted.step, wanted.intent, wanted.target)
        self._entry(menu, _("&Connect Only"), partial(self._editing.make, alone))
        return menu

    # What there is

    def _missing(self, step: Step) -> list[str]:
        """The intents that a step of its kind can have, and that this one has neither in its gate nor as a rule."""
        known = INTENTS_OF_KIND.get(step.kind or "") if self._document.last_valid.flow.format != "complete" else None
        listed = known or intents_of(self._document.last_valid.flow.format)
        if step.gate is None:
            return []
        return [each for each in listed if not step.gate.allows(each) and step.transition(each) is None]

    def _lacking(self, step: Step, intent: str) -> list[str]:
        """In what the intent is missing: the gate's list, the schema's enum."""
        found = []
        if step.gate is not None and not step.gate.allows(intent):
            found.append("allowedIntents")
        schema = self._document.last_valid.schema(step)
        words = [value.value for value in schema.enum] if not schema.problem else []
        if words and intent not in words and not self._mentions(words, intent):
            found.append(_("the schema’s enum"))
        return found

    def _mentions(self, words: Sequence[object], intent: str) -> bool:
        from stepflow_gui.formats.climpt.vocabulary import aliases_of

        flow_format = self._document.last_valid.flow.format
        meant = aliases_of(flow_format) if flow_format == "complete" else {}
        return any(meant.get(word) == intent for word in words if isinstance(word, str))

    def _refusal(self, change: Change) -> str | None:
        """Why a change can't be made at all; other steps that have the enum too are asked about later."""
        refused = can(self._document.folder, change)
        return refused.reason if refused is not None and "shared" not in refused.options else None

    def _ask(self, menu: QMenu) -> QMenu:
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(QCursor.pos())
        return menu

    def _entry(self, menu: QMenu, title: str, act: Callable[[], object]) -> None:
        menu.addAction(title).triggered.connect(lambda _on=False: act())


def _condition(rule: Transition) -> str:
    return rule.condition.value if rule.condition is not None else "?"
