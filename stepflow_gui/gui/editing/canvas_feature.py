"""The flow of the open document on the canvas: shown, marked, selected, and edited there."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import ClassVar

from PySide6.QtCore import QTimer, SignalInstance
from PySide6.QtWidgets import QMenu

from stepflow_gui.flow.layout.shapes import DIRECTIONS, Direction
from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.gui.canvas.marks import SeverityCounts, TransitionRef
from stepflow_gui.gui.desk import ALL_FACTS, Desk, Fact, Feature, NameStep, OpenStepMenu
from stepflow_gui.gui.document.contract_errors import ContractErrors
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.generated_ids import are_hashed
from stepflow_gui.gui.document.movements import sub_step_at
from stepflow_gui.gui.document.selection import SelectedGroup, Selection
from stepflow_gui.gui.editing.canvas_actions import CanvasActions
from stepflow_gui.gui.editing.canvas_editing import CanvasEditing
from stepflow_gui.gui.editing.canvas_menu import CanvasMenu
from stepflow_gui.gui.editing.part_commands import order_part
from stepflow_gui.gui.editing.step_groups import StepGroups
from stepflow_gui.gui.editing.undo_actions import UndoActions
from stepflow_gui.gui.widgets.actions import ActionSpec, Key, MenuPlace, MenuSpec
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.messages import _
from stepflow_gui.project.step_contract import StepContract, contract_in
from stepflow_gui.text.pointer import join, split

_INTENT = 3  # where a pointer into a transition names the intent: /steps/STEP/transitions/INTENT
_SEVERITIES = ("error", "warning", "info")
_REDO: tuple[Key, ...] = ("Ctrl+Shift+Z", "Ctrl+Y")  # people know either


class CanvasFeature(Feature):
    """Keeps the canvas in step with the document, and turns what is done there into changes of it.

    `extend_step` adds to the menu of a step, `closing_key` gives the validation that it closes with, `bring` shows a
    place of the registry in the inspector, `dismissed` is called when the history moves.
    """

    facts: ClassVar[frozenset[Fact]] = ALL_FACTS

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._document: Document | None = None
        self._broken: ContractErrors | None = None
        self._counts: dict[str, SeverityCounts] = {}  # of findings, by step
        self._format: str | None = None  # of the flow that is shown
        self._links: list[tuple[SignalInstance, Callable[..., object]]] = []
        self._editing: CanvasEditing | None = None
        self._menu: CanvasMenu | None = None
        self._undo: UndoActions | None = None
        self.extend_step: list[Callable[[QMenu, str], object]] = []
        self.closing_key: Callable[[str], str | None] = lambda _step: None
        self.bring: Callable[[str], object] = lambda _pointer: None
        desk.wish.handle(OpenStepMenu, self._open_step_menu)
        desk.wish.handle(NameStep, self._name_step)
        self.groups = StepGroups(desk)
        self._actions = CanvasActions(desk, lambda: self._editing, lambda: self._menu)

    def _open_step_menu(self, wish: OpenStepMenu) -> None:
        if self._menu is not None:
            self._menu.open_for_step(wish.step, wish.at)

    def _name_step(self, wish: NameStep) -> None:
        step = self._document.last_valid.flow.steps.get(wish.step) if self._document is not None else None
        if step is None or self._document is None:
            return
        if are_hashed(self._document.last_valid.flow):
            self.editing.name_to(step, wish.new)
        else:
            self.editing.rename_to(step.id, wish.new)

    @property
    def editing(self) -> CanvasEditing:
        """The changes that are made on the canvas. Only while a document is open."""
        assert self._editing is not None
        return self._editing

    @property
    def menu(self) -> CanvasMenu:
        """The menu of the canvas, likewise."""
        assert self._menu is not None
        return self._menu

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Undo and redo, and what is done with the whole graph."""
        from PySide6.QtGui import QKeySequence

        std, canvas, view = QKeySequence.StandardKey, self._desk.canvas, partial(MenuPlace, "view")
        on_graph = (
            ActionSpec("fit", lambda: _("Zoom to &Fit"), canvas.fit, view(210), "fit", ("F", "Ctrl+9")),
            ActionSpec(
                *("zoom-selection", lambda: _("Zoom to Sele&ction"), canvas.camera.zoom_to_selection, view(220)),
                *("zoom-selection", ("Ctrl+8",)),
                also=(("canvas", "Shift+F"),),
            ),
            ActionSpec("zoom-in", lambda: _("&Zoom In"), canvas.zoom_in, view(230), "zoom-in", (std.ZoomIn, "Ctrl+=")),
            ActionSpec("zoom-out", lambda: _("Zoom &Out"), canvas.zoom_out, view(240), "zoom-out", (std.ZoomOut,)),
            ActionSpec("zoom-reset", lambda: _("&100 %"), partial(canvas.zoom_to, 1.0), view(250), keys=("Ctrl+0",)),
            ActionSpec(
                *("whole-card", lambda: _("Show Whole Card"), canvas.show_lens, view(260)),
                keys=("Shift+F1",),
                where=("canvas",),
                fits=lambda: canvas.graph.selected is not None,
            ),
            ActionSpec(
                *("tidy", lambda: _("&Auto-layout"), self.tidy, MenuPlace("flow", 110), "tidy", ("Shift+Alt+F",)),
                where=("canvas", "outline"),
            ),
        )
        directions = (
            ActionSpec(
                *(f"direction-{direction}", partial(_direction_title, direction), partial(self.turn, direction)),
                place=MenuPlace("direction", 10 + number),
                checked=partial(self._has_direction, direction),
            )
            for number, direction in enumerate(DIRECTIONS)
        )
        undo, redo = MenuPlace("edit", 10), MenuPlace("edit", 20)
        return (
            ActionSpec("undo", lambda: _("&Undo"), self._undo_last, undo, "undo", (std.Undo,), starts_off=True),
            ActionSpec("redo", lambda: _("&Redo"), self._redo, redo, "redo", (*_REDO, std.Redo), starts_off=True),
            *(row._replace(needs_agent=True) for row in (*on_graph, *directions)),
            *self._actions.action_rows(),
            *self.groups.action_rows(),
        )

    def menu_rows(self) -> tuple[MenuSpec, ...]:
        """What the selection fills."""
        return self._actions.menu_rows()

    def set_document(self, document: Document | None) -> None:
        """Show and edit another document, or none."""
        self._detach()
        self._document = document
        if document is None:
            return
        desk, canvas = self._desk, self._desk.canvas
        self._broken = ContractErrors(document, self._contract)
        self._format = None
        self._editing = CanvasEditing(desk, document)
        self.groups.open(document, self.editing.places)
        self.editing.boxes.file_changed = self.groups.follow_file
        canvas.can_connect = self.editing.connecting.why_not
        canvas.messages.dismiss = desk.notices.dismiss
        canvas.messages.jump_targets = self.editing.connecting.jump_targets
        self._menu = CanvasMenu(desk, document, self.editing, self.closing_key)
        self._menu.fill_group = self.groups.fill_menu
        self._menu.extend_step += self.extend_step
        self._links = [
            (document.stack.indexChanged, desk.notices.dismiss),
            (document.stack.canUndoChanged, desk.actions["undo"].setEnabled),
            (document.stack.canRedoChanged, desk.actions["redo"].setEnabled),
            (canvas.step_selected, self._picked_step),
            (canvas.transition_selected, self._picked_transition),
            (canvas.hint_changed, desk.notices.hint),
            (canvas.order_requested, lambda part, to: order_part(self.editing, desk, part, to)),
        ]
        for signal, slot in self._links:
            signal.connect(slot)
        self._undo = UndoActions(desk, document)  # after the links, by which the canvas follows the selection

    def _detach(self) -> None:
        for signal, slot in self._links:
            signal.disconnect(slot)
        self._links = []
        self.groups.close()
        for part in (self._menu, self._undo, self._editing):
            if part is not None:
                part.detach()
        self._desk.canvas.laying_out.cancel()
        self._menu = self._undo = self._editing = self._broken = None
        self._desk.canvas.can_connect = None
        self._desk.canvas.messages.jump_targets = None

    def refresh(self, changed: frozenset[Fact]) -> None:
        """Show what changed."""
        if self._document is None:
            return
        if "flow" in changed:
            self._show_flow(self._document)
        if "findings" in changed:
            self._show_findings(self._document)
        if "selection" in changed:
            self._show_selection(self._document)

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self._desk.canvas.retranslate()
        self._actions.retranslate()
        if self._undo is not None:
            self._undo.name_actions()

    def tidy(self) -> None:
        """Lay the whole graph out, moved steps too."""
        self._lay_out(None)

    def turn(self, direction: Direction) -> None:
        """Lay the whole graph out in a direction, which is kept with the flow."""
        self._lay_out(direction)

    def _lay_out(self, chosen: Direction | None) -> None:
        if self._document is not None:
            self._desk.canvas.arrangement.direction = chosen or self.editing.places.direction()
            self._show_graph(self._document, keep_positions=False, then=partial(self._laid_out, chosen))

    def _laid_out(self, chosen: Direction | None) -> None:
        self._desk.canvas.fit()
        self.editing.tidied(self._desk.canvas.positions(), chosen)

    def _has_direction(self, direction: Direction) -> bool:
        return self._editing is not None and self._editing.places.direction() == direction

    # From the document

    def _show_flow(self, document: Document) -> None:
        stale, first = document.text_broken, self._format is None
        self._desk.canvas.set_text_broken(stale)
        if stale and not first:
            return
        shown, self._format = self._format, document.last_valid.flow.format or ""
        converted = not first and "" not in {shown, self._format} and shown != self._format
        new_layout = first or (converted and not self.editing.boxes.know_all)
        boxes = self.editing.boxes
        if new_layout:
            self._desk.canvas.arrangement.direction = self.editing.places.direction()
        boxes.expect()
        self._show_graph(document, keep_positions=not new_layout, then=boxes.storing())
        if new_layout:
            self._actions.name_for_flow()
        if converted:  # hardly a step is where it was
            self._desk.canvas.fit()

    def _show_graph(self, document: Document, *, keep_positions: bool, then: Callable[[], object]) -> None:
        good = document.last_valid
        verdict = good.agent.verdict_type.value if good.agent and good.agent.verdict_type else None
        self._desk.canvas.show_flow(good.flow, keep_positions=keep_positions, verdict=verdict, then=then)

    def _show_findings(self, document: Document) -> None:
        found = document.diagnostics
        steps: dict[str, Counter[str]] = {}
        for diagnostic in found:
            if diagnostic.step is not None:
                steps.setdefault(diagnostic.step, Counter())[diagnostic.severity] += 1
        self._counts = {step: SeverityCounts(*(seen[each] for each in _SEVERITIES)) for step, seen in steps.items()}
        canvas = self._desk.canvas
        canvas.graph.transition_counts = _of_moves(found, document.last_valid.flow)
        self._show_counts()

    def _show_counts(self) -> None:
        if self._broken is None:
            return  # the document was closed meanwhile
        self._desk.canvas.set_diagnostics(self._counts, self._broken.found())
        if not self._broken.is_complete:
            QTimer.singleShot(0, self._desk.canvas, self._show_counts)

    def _show_selection(self, document: Document) -> None:
        selection = document.selection
        if selection.origin not in {"canvas", "transition", ""}:
            self._desk.canvas.select_step(selection.step, reveal=True)
        if selection.origin not in {"source", "problems", "transition", ""}:
            step = document.last_valid.flow.steps.get(selection.step) if selection.step else None
            if step is not None and not document.text_broken:
                sub = sub_step_at(step, selection.part) if selection.part else None
                document.reveal(document.path, (sub or step).key_span)

    # From the person

    def _undo_last(self) -> None:
        if self._document is not None:
            self._document.undo()

    def _redo(self) -> None:
        if self._document is not None:
            self._document.redo()

    def _picked_step(self, step: str | None) -> None:
        assert self._document is not None
        graph = self._desk.canvas.graph
        key = graph.groups.selected
        if key is not None:
            group = SelectedGroup(key, self._desk.canvas.folding.is_folded(key))
            if group != self._document.selection.group:
                self._document.set_selection(Selection(None, "canvas", group=group))
            return
        self._document.select(step, "canvas", tuple(graph.selected_steps), graph.part)

    def _picked_transition(self, picked: TransitionRef | None) -> None:
        document = self._document
        if picked is None or document is None:
            return
        document.select(picked.step, "transition", (picked.step,))
        step = document.last_valid.flow.steps.get(picked.step)
        rule = step.transition(picked.intent) if step else None
        if rule is not None and not document.text_broken:
            span = next((case.key_span for case in rule.cases if case.value == picked.case), rule.key_span)
            document.reveal(document.path, span)
            self.bring(rule.pointer)

    def _contract(self, step: Step) -> StepContract:
        assert self._document is not None
        return contract_in(self._document.last_valid, step)


def _direction_title(direction: Direction) -> str:
    titles = {"auto": _("&Automatic"), "down": _("&Top-down"), "right": _("&Left-right")}
    return titles[direction]


def _of_moves(found: list[Diagnostic], flow: Flow) -> dict[tuple[str, str], SeverityCounts]:
    """How many findings each transition has, by step and intent."""
    seen: dict[tuple[str, str], Counter[str]] = {}
    for diagnostic in found:
        step = flow.steps.get(diagnostic.step) if diagnostic.step is not None else None
        keys = split(diagnostic.pointer) if step is not None and diagnostic.pointer else []
        if step is None or len(keys) <= _INTENT:
            continue
        intent = keys[_INTENT] if keys[_INTENT - 1] == "transitions" else None
        if flow.format == "takt":
            rule = join("", *keys[: _INTENT + 1])
            intent = next((each.intent for each in step.transitions if each.pointer == rule), None)
        if intent is not None:
            seen.setdefault((step.id, intent), Counter())[diagnostic.severity] += 1
    return {move: SeverityCounts(count["error"], count["warning"], count["info"]) for move, count in seen.items()}
