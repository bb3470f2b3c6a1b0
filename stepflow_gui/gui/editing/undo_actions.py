"""What a window does at undo and redo: show what was undone, name what comes next, select again what reappears."""

from typing import NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.gui.canvas.hand.keys import choose_part
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.history import REDO, UNDO
from stepflow_gui.gui.document.movements import sub_step_at
from stepflow_gui.messages import _


class Picked(NamedTuple):
    """What was selected on the canvas; `part` is the pointer of a sub-step inside `first`."""

    first: str | None
    steps: tuple[str, ...]
    move: TransitionRef | None
    part: str = ""


class UndoActions:
    """Watches the history of one document."""

    def __init__(self, desk: Desk, document: Document) -> None:
        self._desk = desk
        self._document = document
        self._stack = document.stack
        self._picked: dict[int, Picked] = {}  # the last selection at that index of the history
        self._origin = ""  # UNDO or REDO, once a text was changed by one
        self._index = self._stack.index()
        self._there: set[str] = set()  # the steps when the history was last moved in
        self._links = [
            (desk.canvas.step_selected, self._note),
            (desk.canvas.transition_selected, self._note),
            (document.selection_changed, self._note),
            (document.text_changed, self._text_changed),
            (self._stack.indexChanged, self._moved),
            (self._stack.undoTextChanged, self.name_actions),
            (self._stack.redoTextChanged, self.name_actions),
        ]
        for signal, slot in self._links:
            signal.connect(slot)
        self.name_actions()

    def detach(self) -> None:
        """Watch no more."""
        for signal, slot in self._links:
            signal.disconnect(slot)
        self._desk.actions.set_title("undo", "")
        self._desk.actions.set_title("redo", "")

    def name_actions(self, _text: str = "") -> None:
        """Name in the actions what they would undo or redo."""
        self._desk.actions.set_title("undo", self._stack.undoText())
        self._desk.actions.set_title("redo", self._stack.redoText())

    def _note(self, _selected: object = None) -> None:
        graph = self._desk.canvas.graph
        if graph.selected is not None or graph.selected_transition is not None:
            picked = Picked(graph.selected, tuple(graph.selected_steps), graph.selected_transition, graph.part)
            self._picked[self._stack.index()] = picked

    def _text_changed(self, _path: object, _edits: object, origin: str) -> None:
        self._origin = origin if origin in {UNDO, REDO} else ""

    def _moved(self, index: int) -> None:
        last_origin, self._origin = self._origin, ""
        before, self._index = self._index, index
        there, self._there = self._there, set(self._document.last_valid.flow.steps)
        if not last_origin:
            self._picked.pop(index, None)  # of what had been done here before
            self._note()
            return
        title = self._stack.text(min(before, index))
        text = _("Undid: {change}") if last_origin == UNDO else _("Redone: {change}")
        self._desk.notices.done(text.format(change=title))
        picked = self._picked.get(index)
        graph = self._desk.canvas.graph
        if graph.part and self._sub_at(graph.selected, graph.part) is None:
            self._desk.canvas.choose_step(graph.selected)  # what the sub-step was in
        if picked is None:
            return
        if self._is_other_part(picked):
            choose_part(self._desk.canvas, picked.first or "", picked.part)
        elif self._nothing_is_selected() or not there.issuperset(picked.steps):
            self._select_again(picked)

    def _is_other_part(self, picked: Picked) -> bool:
        """Whether it is a sub-step that is there while its movement is selected, another sub-step of it, or nothing."""
        graph = self._desk.canvas.graph
        other = picked.part != graph.part and graph.selected in {None, picked.first}
        return other and self._sub_at(picked.first, picked.part) is not None

    def _sub_at(self, step: str | None, part: str) -> Step | None:
        return sub_step_at(self._document.last_valid.flow.steps.get(step or ""), part)

    def _nothing_is_selected(self) -> bool:
        graph = self._desk.canvas.graph
        return not graph.selected_steps and graph.edge_item(graph.selected_transition) is None

    def _select_again(self, picked: Picked) -> None:
        canvas = self._desk.canvas
        graph = canvas.graph
        there = [step for step in picked.steps if graph.step_item(step) is not None]
        if there:
            canvas.choose_steps(there, picked.first if picked.first in there else there[0])
        elif picked.move is not None and graph.edge_item(picked.move) is not None:
            canvas.choose_transition(picked.move)
        else:
            return
        canvas.camera.reveal_selected()
