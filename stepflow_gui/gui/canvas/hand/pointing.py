"""What the mouse does on the canvas: hover, select by click, and which drag a press begins."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QPainter, QTransform
from PySide6.QtWidgets import QApplication

from stepflow_gui.flow.model import Step, is_dynamic
from stepflow_gui.gui.canvas.gestures import NEW_INTENT
from stepflow_gui.gui.canvas.hand.band import BandDrag
from stepflow_gui.gui.canvas.hand.check_drag import CheckDrag
from stepflow_gui.gui.canvas.hand.drags import ConnectDrag, Drag, GroupDrag, MoveDrag, PanDrag
from stepflow_gui.gui.canvas.hand.keys import choose_part
from stepflow_gui.gui.canvas.hand.row_drag import RowDrag, can_order
from stepflow_gui.gui.canvas.hover_texts import status_text
from stepflow_gui.gui.canvas.items.card_rows import sub_under
from stepflow_gui.gui.canvas.items.edge_item import EdgeItem
from stepflow_gui.gui.canvas.items.node_item import NEAR, PORTS, NodeItem
from stepflow_gui.gui.canvas.items.transition_badges import refs_of
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.canvas.metrics import ID_TOP, Pill
from stepflow_gui.gui.canvas.port import CanvasPort
from stepflow_gui.messages import _

_MORE = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_TIP = 16.0  # pixels around an arrow's tip that take hold of the edge's end
_PORT_DRAG = 4  # pixels after which a press on a pill is a drag


class Pointing:
    """The mouse's state over one view: what it hovers, and the press or drag that is going on."""

    def __init__(self, view: CanvasPort) -> None:
        self._view = view
        self.drag: Drag | CheckDrag | RowDrag | None = None
        self._pressed_at: QPoint | None = None
        self._pressed_step: NodeItem | None = None
        self._pressed_group: str | None = None  # that is folded
        self._pressed_pill: Pill | None = None
        self._pressed_plus = False
        self._pressed_badge = False
        self._pressed_card = False
        self._pressed_tip: TransitionRef | None = None  # the transition whose end was pressed
        self._pressed_edge: EdgeItem | None = None  # the edge, where it was selected already
        self._lit: frozenset[str] = frozenset()  # the possible targets of the jump that is hovered
        self._hovered_step: NodeItem | None = None
        self._hovered_edge: EdgeItem | None = None
        self._last: QPoint | None = None  # where the pointer was seen last

    def press(self, event: QMouseEvent) -> None:
        """A button goes down."""
        at = event.position().toPoint()
        if self.drag is not None:
            self.cancel()  # a second button means: not like that
            return
        if event.button() == Qt.MouseButton.MiddleButton:
            self.drag = PanDrag(self._view, at)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._press_left(at, more=bool(event.modifiers() & _MORE))

    def move(self, event: QMouseEvent) -> None:
        """The pointer moves, with or without a button."""
        at = self._last = event.position().toPoint()
        if self.drag is not None:
            self._follow_alt(self.drag, event)
            self.drag.move(at)
        elif self._pressed_at is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self._maybe_begin(at)
        elif not event.buttons():
            self.hover(at)

    def release(self, event: QMouseEvent) -> None:
        """The button goes up: the drag ends, or it was a click."""
        at = event.position().toPoint()
        drag, self.drag = self.drag, None
        pill, step, edge = self._pressed_pill, self._pressed_step, self._pressed_edge
        on_card = self._pressed_card and self._is_card(at)
        on_badge = self._pressed_badge and step is not None and self._is_badge(step, at)
        self._forget_press()
        if isinstance(drag, ConnectDrag) and drag.gesture.is_at_start(self._view.node_at(at)):
            drag.cancel()  # a click on the pill that slipped
            drag = None
        if drag is not None:
            self._follow_alt(drag, event)
            drag.finish(at)
            self.hover(at)
        elif on_card:
            self._view.request_menu(at)
        elif edge is not None:
            self._view.choose_transition(_next_of(edge, self._view.graph.selected_transition))
        elif pill is not None and step is not None and pill.intent is not None:
            self._click_pill(step, pill.intent)
        elif on_badge:
            self._view.request_command("step-problems")
        elif step is not None and self._view.graph.also and not event.modifiers() & _MORE:
            self._view.choose_step(step.step.id)  # a click, not a drag, on one of several

    @staticmethod
    def _follow_alt(drag: Drag | CheckDrag | RowDrag, event: QMouseEvent) -> None:
        """With Alt, steps go exactly where they are let go."""
        if isinstance(drag, MoveDrag):
            drag.exact = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)

    def double(self, event: QMouseEvent) -> None:
        """A double click: edit the name or the id of the step that is hit; fold or unfold a group."""
        view, at = self._view, event.position().toPoint()
        step, group = view.step_item_at(at), view.group_at(at)
        if group is not None and event.button() == Qt.MouseButton.LeftButton:
            self._forget_press()
            if not view.graph.groups.chevron_at(group, view.mapToScene(at), view.zoom):
                view.folding.toggle(group)
            return
        if (
            step is None
            or event.button() != Qt.MouseButton.LeftButton
            or self._pill(step, at) is not None
            or self._is_plus(step, at)
        ):
            self.press(event)
            return
        sub = self._sub(step, at)
        if sub is not None:
            choose_part(view, step.step.id, sub.pointer)
            view.request_command("rename")
            return
        view.choose_step(step.step.id)
        below = view.mapToScene(at).y() - step.frame.top() > ID_TOP
        view.request_command("rename" if below else "rename-name")

    def ask_menu(self, event: QContextMenuEvent) -> None:
        """Ask for the context menu: of what is hit, or by the keyboard of what is selected."""
        view = self._view
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            frame = view.camera.selected_frame()
            middle = view.viewport().rect().center()
            view.request_menu(view.mapFromScene(frame.center()) if frame is not None else middle)
            return
        self.cancel()
        at = event.pos()
        step = view.step_item_at(at)
        on_card = step is None and self._is_card(at)
        edge = view.edge_item_at(at) if step is None else None
        group = view.group_at(at)
        if on_card:
            pass  # what it belongs to stays selected
        elif group is not None:
            view.choose_step(group)
        elif step is not None:
            if step.step.id not in view.graph.selected_steps:
                view.choose_step(step.step.id)
        elif edge is not None:
            if view.graph.selected_transition not in refs_of(edge.route.moves):
                view.choose_transition(refs_of(edge.route.moves)[0])
        else:
            view.choose_step(None)
        view.request_menu(at)

    def cancel(self) -> bool:
        """Give up what is going on; False where nothing is."""
        drag, self.drag = self.drag, None
        self._forget_press()
        if drag is None:
            return False
        drag.cancel()
        self.hover(self._last)
        return True

    def paint_over_overview(self, painter: QPainter, transform: QTransform) -> None:
        """Over the overview, which shows no items: the edge that is being drawn."""
        if isinstance(self.drag, ConnectDrag):
            self.drag.paint_over_overview(painter, transform)

    def forget(self) -> None:
        """Items may be gone: drop every reference to one."""
        self.cancel()
        self._unhover(None, None)
        self._hovered_step = self._hovered_edge = None

    def hover(self, at: QPoint | None) -> None:
        """Show what the pointer is over; None: it has left."""
        view, self._last = self._view, at
        step = view.step_item_at(at) if at is not None else None
        edge = view.edge_item_at(at) if at is not None and step is None else None
        pill = self._pill(step, at) if step is not None and at is not None else None
        intent = pill.intent if pill is not None else None
        if step is not None and intent is not None:  # its own path to the end is lit
            edge = view.graph.edge_item(TransitionRef(step.step.id, intent))
        plus = step is not None and at is not None and self._is_plus(step, at)
        group = view.group_at(at) if at is not None and step is None else None
        view.graph.groups.hover(group)
        self._unhover(step, edge)
        self._hovered_step, self._hovered_edge = step, edge
        if step is not None:
            step.set_state("hovered", True)
            step.set_state("hovered_intent", intent)
            step.set_state("hovered_plus", plus)
        if edge is not None:
            edge.set_state("hovered", True)
        on_card = step is None and at is not None and self._is_card(at)
        shape = Qt.CursorShape
        clicked = on_card or (step is not None and at is not None and pill is None and self._is_badge(step, at))
        cursor = shape.CrossCursor if intent or plus else shape.PointingHandCursor if clicked else shape.ArrowCursor
        if view.viewport().cursor().shape() != cursor:
            view.viewport().setCursor(cursor)
        self._light(step, intent)
        view.lens.rest_on(step.step.id if step is not None else None)
        if on_card:
            text = _("Click for actions; drag a validator to move it or its failure")
        else:
            text = status_text(view, step, edge, NEW_INTENT if plus else intent)
            text = view.graph.accessible_name(group) if group is not None else text
        view.messages.show_status(text)

    def _unhover(self, step: NodeItem | None, edge: EdgeItem | None) -> None:
        """What was under the pointer isn't any more, if it isn't these."""
        if self._hovered_step is not None and self._hovered_step is not step:
            self._hovered_step.set_state("hovered", False)
            self._hovered_step.set_state("hovered_intent", None)
            self._hovered_step.set_state("hovered_plus", False)
        if self._hovered_edge is not None and self._hovered_edge is not edge:
            self._hovered_edge.set_state("hovered", False)

    def _light(self, step: NodeItem | None, intent: str | None) -> None:
        """Highlight the possible targets of a jump whose target the answer names."""
        targets = self._view.messages.jump_targets
        named = step is not None and intent is not None and is_dynamic(step.step, intent)
        lit = frozenset((targets(step.step) or ()) if step is not None and named and targets is not None else ())
        for name in lit ^ self._lit:
            item = self._view.graph.step_item(name)
            if item is not None:
                item.set_state("legal", True if name in lit else None)
        self._lit = lit

    def _press_left(self, at: QPoint, *, more: bool) -> None:
        view = self._view
        step = view.step_item_at(at)
        self._pressed_at = at
        if step is not None:
            if more:
                view.toggle_step(step.step.id)
                return
            self._pressed_step = step
            self._pressed_pill = self._pill(step, at)
            self._pressed_plus = self._pressed_pill is None and self._is_plus(step, at)
            self._pressed_badge = self._pressed_pill is None and self._is_badge(step, at)
            on_part = self._pressed_pill is not None or self._pressed_plus or self._pressed_badge
            if on_part or step.step.id not in view.graph.selected_steps:
                view.choose_step(step.step.id)
            if not on_part and not view.graph.also:
                self._press_row(step, at)
            return
        if self._is_card(at):
            self._pressed_card = True
            return
        group = view.group_at(at)
        if group is not None:
            self._press_group(group, at)
            return
        edge = view.edge_item_at(at)
        if edge is not None:
            current = view.graph.selected_transition
            if current in refs_of(edge.route.moves) and _is_tip(edge, view.mapToScene(at), _TIP / view.zoom):
                self._pressed_tip = current  # its end is dragged, or else the next transition is meant
                self._pressed_edge = edge
                return
            view.choose_transition(_next_of(edge, current))
            if _is_tip(edge, view.mapToScene(at), _TIP / view.zoom):
                self._pressed_tip = view.graph.selected_transition
            return
        if more:
            self.drag = BandDrag(view, at, frozenset(view.graph.selected_steps))
            return
        view.choose_step(None)
        self.drag = PanDrag(view, at)

    def _press_group(self, group: str, at: QPoint) -> None:
        view = self._view
        view.choose_step(group)
        if view.graph.groups.chevron_at(group, view.mapToScene(at), view.zoom):
            view.folding.toggle(group)
        elif view.folding.is_folded(group):
            self._pressed_group = group

    def _press_row(self, step: NodeItem, at: QPoint) -> None:
        """A click on the row of a sub-step selects it, one beside it what it is in."""
        sub = self._sub(step, at)
        if sub is not None:
            choose_part(self._view, step.step.id, sub.pointer)
        elif self._view.graph.part:
            self._view.choose_step(step.step.id)

    def _sub(self, step: NodeItem, at: QPoint) -> Step | None:
        if not step.step.subs or self._view.zoom < NEAR:
            return None
        return sub_under(step.step, step.measured, self._view.mapToScene(at) - step.pos())

    def _sub_to_order(self, step: NodeItem, at: QPoint) -> Step | None:
        """The sub-step whose row was pressed, where it can be put elsewhere among the others."""
        sub = self._sub(step, at)
        alone = not self._view.graph.also and not self._view.text_broken
        return sub if sub is not None and alone and can_order(step, sub) else None

    def _maybe_begin(self, at: QPoint) -> None:
        start, step, pill = self._pressed_at, self._pressed_step, self._pressed_pill
        if start is None or self._view.laying_out.is_running:
            return
        moved = (at - start).manhattanLength()
        if self._pressed_tip is not None and moved >= _PORT_DRAG:
            self._begin_reconnect(self._pressed_tip, at)
        if self._pressed_card and moved >= _PORT_DRAG:
            self._begin_check(start, at)
        if self._pressed_group is not None and moved >= QApplication.startDragDistance():
            self.drag = GroupDrag(self._view, self._pressed_group, start)
            self.drag.move(at)
        if step is None:
            return
        if pill is not None and pill.intent is not None:
            if moved >= _PORT_DRAG:
                self._begin_connect(step, pill.intent, at)
        elif self._pressed_plus:
            if moved >= _PORT_DRAG:
                self._begin_connect(step, NEW_INTENT, at)
        elif moved >= QApplication.startDragDistance() and (sub := self._sub_to_order(step, start)) is not None:
            self.drag = RowDrag(self._view, step, sub.pointer)
            self.drag.move(at)
        elif moved >= QApplication.startDragDistance():
            selected = self._view.graph.selected_steps
            steps = tuple(selected) if step.step.id in selected else (step.step.id,)
            self.drag = MoveDrag(self._view, steps, start)
            self.drag.move(at)

    def _begin_connect(self, step: NodeItem, intent: str, at: QPoint) -> None:
        gesture = self._view.connect_gesture(step.step, intent)
        if gesture is None:
            self._forget_press()
            return
        self.drag = ConnectDrag(self._view, gesture, at)

    def _begin_check(self, start: QPoint, at: QPoint) -> None:
        layer = self._view.graph.run_layer
        card = layer.card
        row = card.row_at(self._view.mapToScene(start)) if card is not None else None
        gesture = layer.begin_check(card.sign.step, row) if card and row is not None and layer.begin_check else None
        self._forget_press()
        if card is not None and gesture is not None:
            self.drag = CheckDrag(self._view, card, gesture, at)

    def _begin_reconnect(self, ref: TransitionRef, at: QPoint) -> None:
        step = self._view.graph.step_item(ref.step)
        gesture = self._view.connect_gesture(step.step, ref.intent, ref.case) if step is not None else None
        if gesture is None:
            self._forget_press()
            return
        self.drag = ConnectDrag(self._view, gesture, at)

    def _click_pill(self, step: NodeItem, intent: str) -> None:
        rule = step.step.transition(intent)
        if rule is not None:
            case = rule.cases[0].value if rule.cases else None
            self._view.choose_transition(TransitionRef(step.step.id, intent, case))

    def _pill(self, step: NodeItem, at: QPoint) -> Pill | None:
        if self._view.zoom < PORTS or self._is_plus(step, at):
            return None  # too small to be meant, or the port for a new intent that lies over its edge
        return step.pill_at(self._view.mapToScene(at))

    def _is_plus(self, step: NodeItem, at: QPoint) -> bool:
        return self._view.zoom >= PORTS and step.plus_at(self._view.mapToScene(at))

    def _is_badge(self, step: NodeItem, at: QPoint) -> bool:
        return step.badge_at(self._view.mapToScene(at), self._view.zoom)

    def _is_card(self, at: QPoint) -> bool:
        card = self._view.graph.run_layer.card
        return card is not None and self._view.zoom >= PORTS and card.holds(self._view.mapToScene(at))

    def _forget_press(self) -> None:
        self._pressed_plus = self._pressed_badge = self._pressed_card = False
        self._pressed_at = self._pressed_step = self._pressed_pill = self._pressed_group = None
        self._pressed_tip = self._pressed_edge = None


def _next_of(edge: EdgeItem, current: TransitionRef | None) -> TransitionRef:
    """The transition of a merged edge that a click selects: each click the next one."""
    refs = refs_of(edge.route.moves)
    return refs[(refs.index(current) + 1) % len(refs)] if current in refs else refs[0]


def _is_tip(edge: EdgeItem, at: QPointF, within: float) -> bool:
    """Whether a point of the scene takes hold of the edge's end rather than of its middle."""
    last = edge.route.bends[-1]
    return (QPointF(last.x, last.y) - at).manhattanLength() <= within
