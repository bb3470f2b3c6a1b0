"""A view in which steps, groups and transitions are selected: by calls, or by the person, which it reports."""

from collections.abc import Collection

from PySide6.QtCore import Signal
from PySide6.QtGui import QAccessible

from stepflow_gui.flow.model import Flow
from stepflow_gui.gui.canvas.accessibility import announce_selected
from stepflow_gui.gui.canvas.camera import Camera
from stepflow_gui.gui.canvas.folding import GroupFolding
from stepflow_gui.gui.canvas.layers.minimap import Minimap
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.canvas.pan_zoom import PanZoomView
from stepflow_gui.gui.canvas.scene import GraphScene


class SelectingView(PanZoomView):
    """`step_selected` (step id or None) and `transition_selected` (TransitionRef) report what the person selects."""

    step_selected = Signal(object)
    transition_selected = Signal(object)

    graph: GraphScene
    camera: Camera
    folding: GroupFolding
    minimap: Minimap
    _flow: Flow | None

    def select_step(self, step: str | None, reveal: bool = False) -> None:
        """Select a step, or nothing; `reveal` pans to it and unfolds the group that it is in."""
        found = step if self._flow is not None and step in self._flow.steps else None
        if found is not None and reveal:
            self.folding.unfold_for(found)
        self.graph.groups.select(None)
        self.graph.select(found)
        self._selection_shown(reveal=reveal)

    def select_transition(self, ref: TransitionRef | None, reveal: bool = False) -> None:
        """Select a transition, or nothing."""
        if ref is not None and reveal:
            self.folding.unfold_for(ref.step)
        self.graph.groups.select(None)
        self.graph.select(None, ref if self.graph.edge_item(ref) is not None else None)
        self._selection_shown(reveal=reveal)

    def choose_step(self, step: str | None, *, reveal: bool = False) -> None:
        """As `select_step`, by the person; also a group, by its key."""
        if step is not None and step in self.graph.groups.cards:
            self.choose_group(step, reveal=reveal)
            return
        self.select_step(step, reveal)
        self.step_selected.emit(self.graph.selected)

    def choose_group(self, key: str, *, reveal: bool = False) -> None:
        """Select a group, by the person: no step is, then."""
        self.graph.select(None)
        self.graph.groups.select(key)
        self._selection_shown(reveal=reveal)
        self.step_selected.emit(None)

    def toggle_step(self, step: str) -> None:
        """Take a step into the selection or out of it, by the person."""
        steps = {*self.graph.selected_steps} ^ {step}
        first = step if step in steps else min(steps, default=None)
        self.choose_steps(steps, first)

    def choose_steps(self, steps: Collection[str], first: str | None) -> None:
        """Select several steps, by the person; `first` is the one that the window shows."""
        self.graph.groups.select(None)
        self.graph.select(first, also=frozenset(steps))
        self.emit_selected_steps()

    def emit_selected_steps(self) -> None:
        """Report the steps that were selected in the scene."""
        self._selection_shown(reveal=False)
        self.step_selected.emit(self.graph.selected)

    def choose_transition(self, ref: TransitionRef) -> None:
        """As `select_transition`, by the person."""
        self.select_transition(ref)
        self.transition_selected.emit(self.graph.selected_transition)

    def update_overview(self) -> None:
        """Paint again where the overview is painted, which no item does."""
        raise NotImplementedError

    def _selection_shown(self, *, reveal: bool) -> None:
        selected = self.graph.current
        if reveal:
            self.camera.reveal_selected()
        self.setAccessibleDescription(self.graph.accessible_name(selected) if selected is not None else "")
        if selected is not None and QAccessible.isActive() and self.hasFocus():
            announce_selected(self, self.graph.reading_order(), selected)
        self.minimap.forget()
        self.update_overview()
