"""What the mouse does on the canvas: hover, select by click, and which drag a press begins."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QTransform
from PySide6.QtWidgets import QApplication

from stepflow_gui.gui.canvas.drags import ConnectDrag, Drag, MoveDrag, PanDrag
from stepflow_gui.gui.canvas.edge_item import EdgeItem
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.canvas.metrics import Pill
from stepflow_gui.gui.canvas.node_item import NEAR, NodeItem

if TYPE_CHECKING:
    from stepflow_gui.gui.canvas.view import GraphView

_PORT_DRAG = 4  # pixels after which a press on a pill is a drag


class Pointing:
    """The mouse's state over one view: what it hovers, and the press or drag that is going on."""

    def __init__(self, view: "GraphView") -> None:
        self._view = view
        self.drag: Drag | None = None
        self._pressed_at: QPoint | None = None
        self._pressed_step: NodeItem | None = None
        self._pressed_pill: Pill | None = None
        self._hovered_step: NodeItem | None = None
        self._hovered_edge: EdgeItem | None = None

    def press(self, event: QMouseEvent) -> None:
        """A button goes down."""
        at = event.position().toPoint()
        if self.drag is not None:
            self.cancel()  # a second button means: not like that
            return
        if event.button() == Qt.MouseButton.MiddleButton:
            self.drag = PanDrag(self._view, at)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._press_left(at)

    def move(self, event: QMouseEvent) -> None:
        """The pointer moves, with or without a button."""
        at = event.position().toPoint()
        if self.drag is not None:
            self.drag.move(at)
        elif self._pressed_at is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self._maybe_begin(at)
        elif not event.buttons():
            self.hover(at)

    def release(self, event: QMouseEvent) -> None:
        """The button goes up: the drag ends, or it was a click."""
        at = event.position().toPoint()
        drag, self.drag = self.drag, None
        pill, step = self._pressed_pill, self._pressed_step
        self._forget_press()
        if drag is not None:
            drag.finish(at)
            self.hover(at)
        elif pill is not None and step is not None and pill.intent is not None:
            self._click_pill(step, pill.intent)

    def cancel(self) -> bool:
        """Give up what is going on; False where nothing is."""
        drag, self.drag = self.drag, None
        self._forget_press()
        if drag is None:
            return False
        drag.cancel()
        return True

    def paint_from_afar(self, painter: QPainter, transform: QTransform) -> None:
        """Over the overview, which shows no items: the edge that is being drawn."""
        if isinstance(self.drag, ConnectDrag):
            self.drag.paint_from_afar(painter, transform)

    def forget(self) -> None:
        """Items may be gone: drop every reference to one."""
        self.cancel()
        self._hovered_step = self._hovered_edge = None

    def hover(self, at: QPoint | None) -> None:
        """Show what the pointer is over; None: it has left."""
        view = self._view
        step = view.step_item_at(at) if at is not None else None
        edge = view.edge_item_at(at) if at is not None and step is None else None
        pill = self._pill(step, at) if step is not None and at is not None else None
        intent = pill.intent if pill is not None else None
        if self._hovered_step is not None and self._hovered_step is not step:
            self._hovered_step.set_state("hovered", False)
            self._hovered_step.set_state("hovered_intent", None)
        if self._hovered_edge is not None and self._hovered_edge is not edge:
            self._hovered_edge.set_state("hovered", False)
        self._hovered_step, self._hovered_edge = step, edge
        if step is not None:
            step.set_state("hovered", True)
            step.set_state("hovered_intent", intent)
        if edge is not None:
            edge.set_state("hovered", True)
        cursor = Qt.CursorShape.CrossCursor if intent else Qt.CursorShape.ArrowCursor
        if view.viewport().cursor().shape() != cursor:
            view.viewport().setCursor(cursor)
        view.telling.say_hovered(step, edge, intent)

    def _press_left(self, at: QPoint) -> None:
        view = self._view
        step = view.step_item_at(at)
        self._pressed_at = at
        if step is not None:
            self._pressed_step = step
            self._pressed_pill = self._pill(step, at)
            view.choose_step(step.step.id)
            return
        edge = view.edge_item_at(at)
        if edge is not None:
            view.choose_move(_next_of(edge, view.graph.selected_move))
            return
        view.choose_step(None)
        self.drag = PanDrag(view, at)

    def _maybe_begin(self, at: QPoint) -> None:
        start, step, pill = self._pressed_at, self._pressed_step, self._pressed_pill
        if start is None or step is None:
            return
        moved = (at - start).manhattanLength()
        if pill is not None and pill.intent is not None:
            if moved >= _PORT_DRAG:
                self._begin_connect(step, pill.intent, at)
        elif moved >= QApplication.startDragDistance():
            self.drag = MoveDrag(self._view, (step.step.id,), start)
            self.drag.move(at)

    def _begin_connect(self, step: NodeItem, intent: str, at: QPoint) -> None:
        gesture = self._view.connect_gesture(step.step, intent)
        if gesture is None:
            self._forget_press()
            return
        self.drag = ConnectDrag(self._view, gesture, at)

    def _click_pill(self, step: NodeItem, intent: str) -> None:
        rule = step.step.transition(intent)
        if rule is not None:
            case = rule.cases[0].value if rule.cases else None
            self._view.choose_move(TransitionRef(step.step.id, intent, case))

    def _pill(self, step: NodeItem, at: QPoint) -> Pill | None:
        if self._view.zoom < NEAR:
            return None  # not painted, so not there
        return step.pill_at(self._view.mapToScene(at))

    def _forget_press(self) -> None:
        self._pressed_at = self._pressed_step = self._pressed_pill = None


def _next_of(edge: EdgeItem, current: TransitionRef | None) -> TransitionRef:
    """The transition of a merged edge that a click selects: each click the next one."""
    refs = [TransitionRef(move.step, move.intent, move.case) for move in edge.route.moves]
    return refs[(refs.index(current) + 1) % len(refs)] if current in refs else refs[0]
