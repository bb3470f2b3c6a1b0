"""The canvas's context menu: what can be done with the step, the transition or the place that it was asked for."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QMenu

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.change import can_connect
from stepflow_gui.formats.changes import AddEntry, AddIntent, Connect, MakeConditional, MakeUnconditional
from stepflow_gui.formats.checks.card import ports_of
from stepflow_gui.formats.climpt.vocabulary import INTENTS_OF_KIND, intents_of
from stepflow_gui.gui.canvas.gestures import ConnectAsked as Led
from stepflow_gui.gui.canvas.gestures import CreateStep
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.generated_ids import are_hashed, begins, shown_name
from stepflow_gui.gui.document.movements import is_piece, targets_of
from stepflow_gui.gui.document.step_terms import title_of_command
from stepflow_gui.gui.editing.canvas_commands import SEPARATOR, add_alignments, add_commands
from stepflow_gui.gui.editing.case_editing import CaseEditing
from stepflow_gui.gui.editing.checks_menu import ChecksMenu
from stepflow_gui.gui.editing.movement_menus import add_rule_entries, add_step_entries
from stepflow_gui.gui.widgets.menu_text import add_heading, plain
from stepflow_gui.messages import _

if TYPE_CHECKING:
    from stepflow_gui.gui.document.document import Document
    from stepflow_gui.gui.editing.canvas_editing import CanvasEditing

MANY = 40  # targets that a menu lists; beyond them steps are led by drag, form or text
Extend = Callable[[QMenu, str], object]
"""Adds entries about a step to its menu."""


class CanvasMenu:
    """Builds and opens the menu. `extend_step` lets other parts of the window add to that of a step."""

    def __init__(
        self,
        desk: Desk,
        document: "Document",
        editing: "CanvasEditing",
        closing_key: Callable[[str], str | None] = lambda _step: None,
    ) -> None:
        self._desk = desk
        self._document = document
        self._editing = editing
        self._cases = CaseEditing(document, desk.canvas, editing)
        self._checks = ChecksMenu(desk, document, editing, closing_key)
        self.extend_step: list[Extend] = []
        desk.canvas.menu_requested.connect(self.open)
        layer = desk.canvas.graph.run_layer
        layer.begin_check, layer.drop_check = self._checks.begin_drag, self._checks.drop

    def detach(self) -> None:
        """Open no more."""
        self._desk.canvas.menu_requested.disconnect(self.open)
        layer = self._desk.canvas.graph.run_layer
        layer.begin_check = layer.drop_check = None

    def open(self, at: QPoint, spot: QPointF) -> None:
        """Open the menu at a global point; `spot` is the point of the scene."""
        menu = self.build(spot)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def build(self, spot: QPointF) -> QMenu:
        """The menu for what is selected."""
        graph = self._desk.canvas.graph
        flow = self._document.last_valid.flow
        menu = QMenu(self._desk.canvas)
        card = self._checks.card_at(spot)
        if card is not None:
            self._checks.of_card(menu, card, spot)
        elif graph.selected_transition is not None:
            self._of_transition(menu, graph.selected_transition)
        elif graph.selected is not None and graph.selected in flow.steps:
            self._of_steps(menu, flow.steps[graph.selected], several=len(graph.selected_steps) > 1)
        else:
            self._of_place(menu, spot)
        if self._document.text_broken:
            for action in menu.actions():
                action.setEnabled(False)
        return menu

    def _of_steps(self, menu: QMenu, step: Step, *, several: bool) -> None:
        if not several:
            self._commands(menu, "rename", "rename-name", SEPARATOR)
            if step.gate is not None:
                self._add_targets(menu.addMenu(_("&Lead Intent to")), step, [text.value for text in step.gate.intents])
                self._intents(menu.addMenu(_("&Add Intent")), step)
            elif ports_of(step):
                self._add_targets(menu.addMenu(_("&Lead Outcome to")), step, ports_of(step))
            flow = self._document.last_valid.flow
            if is_piece(flow):
                self._add_targets(menu.addMenu(_("&Lead Rule to")), step, [rule.intent for rule in step.transitions])
                add_step_entries(menu, self._editing, flow, step, self._desk.canvas)
            if are_hashed(flow) and not begins(flow, step.id):
                self._entry(menu, _("&Begin Runs Here"), partial(self._editing.make, AddEntry("", step.id)))
            self._checks.of_step(menu, step)
            for extend in self.extend_step:
                extend(menu, step.id)
            menu.addSeparator()
        else:
            add_alignments(menu, self._desk.canvas.graph, self._editing.command)
            self._commands(menu, "tidy-selection", SEPARATOR)
        self._commands(menu, "copy", "cut", "duplicate", "remove")

    def _of_transition(self, menu: QMenu, ref: TransitionRef) -> None:
        step = self._document.last_valid.flow.steps.get(ref.step)
        rule = step.transition(ref.intent) if step else None
        if step is None or rule is None:
            return
        add_heading(menu, ref.intent if ref.case is None else f"{ref.intent} · {ref.case}")
        self._targets(menu.addMenu(_("&Lead to")), step, ref.intent, ref.case)
        if rule.cases:
            self._entry(
                menu,
                _("Always Lead There"),
                lambda: self._editing.make(MakeUnconditional(ref.step, ref.intent, ref.case)),
            )
            self._entry(menu, _("&Add Value…"), lambda: self._cases.ask_case(ref))
            if ref.case is not None:
                self._entry(menu, _("&Rename Value…"), lambda: self._cases.ask_case_name(ref))
        elif is_piece(self._document.last_valid.flow):
            add_rule_entries(menu, self._editing, self._document.last_valid.flow, step, ref.intent, self._desk.canvas)
        elif not rule.terminal and not are_hashed(self._document.last_valid.flow):
            self._entry(
                menu,
                _("Make &Conditional…"),
                lambda: self._cases.ask_condition(ref),
                why_not=self._editing.refusal(MakeConditional(ref.step, ref.intent, "status")),
            )
        menu.addSeparator()
        self._commands(menu, "remove")

    def _of_place(self, menu: QMenu, spot: QPointF) -> None:
        title = title_of_command("new-step", _("&New Step…"), self._document.last_valid.flow)
        self._entry(menu, title, lambda: self._editing.create_at(CreateStep(None, None, None), spot), "Ins")
        self._commands(menu, "paste", SEPARATOR, "select-all")
        menu.addAction(self._desk.actions["tidy"])
        menu.addAction(self._desk.actions["fit"])

    def _add_targets(self, menu: QMenu, step: Step, intents: Sequence[str]) -> None:
        """A menu per intent of the step, with its possible target steps: connecting without a mouse."""
        for intent in dict.fromkeys(intents):
            self._targets(menu.addMenu(plain(intent)), step, intent, None)
        menu.setEnabled(bool(intents))

    def _targets(self, menu: QMenu, step: Step, intent: str, case: str | None) -> None:
        flow = self._document.last_valid.flow
        fitting = [target for target in targets_of(flow) if can_connect(flow, step.id, intent, target) is None]
        for target in fitting[:MANY]:
            name = plain(shown_name(flow, target)) if target is not None else _("The end")
            wanted = Led(step.id, intent, case, target)
            self._entry(menu, name, partial(self._editing.connect, wanted))
        menu.setEnabled(bool(fitting))

    def _intents(self, menu: QMenu, step: Step) -> None:
        """The intents that fit the step's kind and that its gate lacks; each with its possible targets."""
        flow = self._document.last_valid.flow
        assert step.gate is not None
        known = INTENTS_OF_KIND.get(step.kind or "", ()) if flow.format != "complete" else intents_of(flow.format)
        missing = [intent for intent in known if not step.gate.allows(intent)]
        for intent in missing:
            by_itself = intent in {"repeat", "closing", "abort"} or (
                intent == "complete" and step.id.startswith(intent)
            )
            if by_itself:
                change = AddIntent(step.id, intent)
                self._entry(menu, intent, partial(self._editing.make, change))
                continue
            below = menu.addMenu(intent)
            for target in list(flow.steps)[:MANY]:
                wanted = Connect(step.id, intent, target, allow=True)
                if self._editing.refusal(wanted) is None:
                    self._entry(below, plain(target), partial(self._editing.make, wanted))
            below.setEnabled(bool(below.actions()))
        menu.setEnabled(bool(missing))

    def _commands(self, menu: QMenu, *names: str) -> None:
        add_commands(menu, self._desk.canvas.graph, self._editing.command, names)

    def _entry(
        self, menu: QMenu, title: str, act: Callable[[], object], keys: str = "", why_not: str | None = None
    ) -> None:
        """`why_not` is the reason against it: then it is disabled, and its tool tip shows that."""
        action = menu.addAction(f"{title}\t{keys}" if keys else title)
        if why_not:
            action.setEnabled(False)
            action.setToolTip(why_not)
            menu.setToolTipsVisible(True)
        action.triggered.connect(lambda _on=False: act())
