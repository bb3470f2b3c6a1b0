"""The canvas's context menu: what can be done with the step, the transition or the place that it was asked for."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QMenu

from stepflow_gui.flow.model import Flow, Step
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
from stepflow_gui.gui.editing.movement_menus import add_rule_entries, add_step_entries, add_sub_step_entries
from stepflow_gui.gui.widgets.menu_text import add_heading, plain
from stepflow_gui.messages import _

if TYPE_CHECKING:
    from stepflow_gui.gui.document.document import Document
    from stepflow_gui.gui.editing.canvas_editing import CanvasEditing

MANY = 40  # targets that a menu lists; beyond them steps are led by drag, form or text
Extend = Callable[[QMenu, str], object]
"""Adds entries about a step to its menu."""


def leaving(flow: Flow, step: Step) -> list[str]:
    """By which words a step is left: its intents, its rules, or the outcomes of its check."""
    if step.gate is not None:
        return [text.value for text in step.gate.intents]
    return [rule.intent for rule in step.transitions] if is_piece(flow) else list(ports_of(step))


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
        self.fill_group: Extend = lambda _menu, _key: None
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

    def open_for_step(self, step_id: str, at: QPoint) -> None:
        """Open the menu of a step, which gets selected, at a global point."""
        self._desk.canvas.select_step(step_id, reveal=True)
        step = self._document.last_valid.flow.steps.get(step_id)
        if step is None:
            return
        menu = QMenu(self._desk.canvas)
        self._of_steps(menu, step, several=False)
        self._switch_off_while_broken(menu)
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
        elif graph.groups.selected is not None:
            self.fill_group(menu, graph.groups.selected)
        else:
            self._of_place(menu, spot)
        self._switch_off_while_broken(menu)
        return menu

    def _switch_off_while_broken(self, menu: QMenu) -> None:
        if self._document.text_broken:
            for action in menu.actions():
                action.setEnabled(False)

    def _of_steps(self, menu: QMenu, step: Step, *, several: bool) -> None:
        if not several:
            self._commands(menu, "rename", "rename-name", SEPARATOR)
            self._below(menu, _("&Connect"), self.fill_connect)
            self._below(menu, _("&Add"), self.fill_add)
            flow = self._document.last_valid.flow
            if is_piece(flow):
                add_sub_step_entries(menu, self._editing, flow, step, self._desk.canvas)
            change = self.initial_change()
            if change is not None:
                self._entry(menu, _("Make &Initial"), partial(self._editing.make, change))
            self._checks.of_step(menu, step)
            for extend in self.extend_step:
                extend(menu, step.id)
            menu.addSeparator()
        else:
            add_alignments(menu, self._desk.canvas.graph, self._editing.command)
            self._commands(menu, "tidy-selection")
            menu.addAction(self._desk.actions["group-selection"])
            menu.addSeparator()
        self._commands(menu, "copy", "cut", "duplicate", "remove")

    def _of_transition(self, menu: QMenu, ref: TransitionRef) -> None:
        step = self._document.last_valid.flow.steps.get(ref.step)
        if step is None or step.transition(ref.intent) is None:
            return
        add_heading(menu, ref.intent if ref.case is None else f"{ref.intent} · {ref.case}")
        self._targets(menu.addMenu(_("&Connect to")), step, ref.intent, ref.case)
        self.fill_conditions(menu)
        menu.addSeparator()
        self._commands(menu, "remove")

    def fill_connect(self, menu: QMenu) -> None:
        """What leaves the selected step, or the selected transition, each with the steps that it can use."""
        graph, flow = self._desk.canvas.graph, self._document.last_valid.flow
        ref = graph.selected_transition
        if ref is not None and (step := flow.steps.get(ref.step)) is not None:
            self._targets(menu, step, ref.intent, ref.case)
        elif (step := self._selected_step()) is not None:
            for intent in dict.fromkeys(leaving(flow, step)):
                self._targets(menu.addMenu(plain(intent)), step, intent, None)

    def fill_add(self, menu: QMenu) -> None:
        """What the selected step lacks: intents, or rules and sub-steps."""
        flow, step = self._document.last_valid.flow, self._selected_step()
        if step is not None and step.gate is not None:
            self._intents(menu.addMenu(_("&Intent")), step)
        if step is not None and is_piece(flow):
            add_step_entries(menu, self._editing, flow, step, self._desk.canvas)

    def fill_conditions(self, menu: QMenu) -> None:
        """What decides about the selected transition."""
        ref, flow = self._desk.canvas.graph.selected_transition, self._document.last_valid.flow
        step = flow.steps.get(ref.step) if ref is not None else None
        rule = step.transition(ref.intent) if step is not None and ref is not None else None
        if ref is None or step is None or rule is None:
            return
        if rule.cases:
            self._entry(
                menu,
                _("Al&ways Connect There"),
                lambda: self._editing.make(MakeUnconditional(ref.step, ref.intent, ref.case)),
            )
            self._entry(menu, _("&Add Value…"), lambda: self._cases.ask_case(ref))
            if ref.case is not None:
                self._entry(menu, _("&Rename Value…"), lambda: self._cases.ask_case_name(ref))
        elif is_piece(flow):
            add_rule_entries(menu, self._editing, flow, step, ref.intent, self._desk.canvas)
        elif not rule.terminal and not are_hashed(flow):
            self._entry(
                menu,
                _("&Make Conditional…"),
                lambda: self._cases.ask_condition(ref),
                why_not=self._editing.refusal(MakeConditional(ref.step, ref.intent, "status")),
            )

    def initial_change(self) -> AddEntry | None:
        """The change by which runs begin at the selected step; None where they do or can't."""
        flow, step = self._document.last_valid.flow, self._selected_step()
        if step is None or not (is_piece(flow) or are_hashed(flow)) or begins(flow, step.id):
            return None
        return AddEntry("", step.id)

    def _selected_step(self) -> Step | None:
        graph = self._desk.canvas.graph
        if graph.also or graph.selected is None or self._document.text_broken:
            return None
        return self._document.last_valid.flow.steps.get(graph.selected)

    def _below(self, menu: QMenu, title: str, fill: Callable[[QMenu], None]) -> None:
        below = QMenu(title, menu)
        fill(below)
        if not below.isEmpty():
            menu.addMenu(below)

    def _of_place(self, menu: QMenu, spot: QPointF) -> None:
        title = title_of_command("new-step", _("&New Step…"), self._document.last_valid.flow)
        self._entry(menu, title, lambda: self._editing.create_at(CreateStep(None, None, None), spot), "Ins")
        self._commands(menu, "paste", SEPARATOR, "select-all")
        menu.addAction(self._desk.actions["tidy"])
        menu.addAction(self._desk.actions["fit"])

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
