"""The canvas: one flow as a graph to look at, to walk through and to draw transitions on."""

from collections.abc import Collection, Mapping

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmapCache,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsItem, QWidget

from stepflow_gui.flow.layout import Corners, NodeId
from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.gui.canvas.accessibility import make_accessible
from stepflow_gui.gui.canvas.arrange import Arrangement, Position
from stepflow_gui.gui.canvas.camera import Camera
from stepflow_gui.gui.canvas.canvas_messages import CanvasMessages
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.folding import GroupFolding
from stepflow_gui.gui.canvas.gestures import ConnectAsked, ConnectGesture, CreateStep, WhyNot, targets_of
from stepflow_gui.gui.canvas.hand.keys import cycle, press_key
from stepflow_gui.gui.canvas.hand.pointing import Pointing
from stepflow_gui.gui.canvas.hover_texts import show_tooltip
from stepflow_gui.gui.canvas.items.edge_animation import EdgeAnimation
from stepflow_gui.gui.canvas.items.edge_item import EdgeItem
from stepflow_gui.gui.canvas.items.group_item import GroupItem
from stepflow_gui.gui.canvas.items.node_item import NodeItem
from stepflow_gui.gui.canvas.items.sign_items import EndItem, GhostItem
from stepflow_gui.gui.canvas.layers.minimap import Minimap
from stepflow_gui.gui.canvas.layers.overview import BELOW, Overview
from stepflow_gui.gui.canvas.layers.stage_bands import shown_area
from stepflow_gui.gui.canvas.layers.zoom_fade import FADED, ZoomFade
from stepflow_gui.gui.canvas.laying_out import LayingOut, Then
from stepflow_gui.gui.canvas.lens import Lens
from stepflow_gui.gui.canvas.marks import RunMarks, SeverityCounts
from stepflow_gui.gui.canvas.scene import GraphScene, edge_of
from stepflow_gui.gui.canvas.selecting import SelectingView
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_CACHE_UP_TO = 2.0  # above this zoom cached pictures of nodes are cut off
_CACHE_KB = 64 * 1024
_POINT = 4  # pixels around the pointer that count as on an edge
_HANDS_ON = frozenset({QEvent.Type.MouseButtonPress, QEvent.Type.Wheel, QEvent.Type.NativeGesture})


class GraphView(SelectingView):
    """Shows one flow.

    `step_selected` (step id or None) and `transition_selected` (TransitionRef) report what the user selects, not
    `select_step` and its like. `connect_requested` carries a `Connect`, `create_requested` a `CreateStep` and a point,
    `command_requested` a command about the selection, `menu_requested` a global point and the scene's: nothing changes
    until `show_flow` is called. `moved` carries places of steps moved manually. `hint_changed` is for the status bar.
    `built` reports that all items of a large flow exist.
    """

    connect_requested = Signal(object)
    create_requested = Signal(object, QPointF)
    command_requested = Signal(str)
    menu_requested = Signal(QPoint, QPointF)
    order_requested = Signal(str, int)
    moved = Signal(object)
    hint_changed = Signal(str)
    built = Signal()

    def __init__(self, theme: Theme, can_connect: WhyNot | None = None, parent: QWidget | None = None) -> None:
        """`can_connect(step, intent, target)` returns why a transition may not go there, None where it may.

        Without one nothing can be connected.
        """
        self.graph = GraphScene(CanvasPens(theme))
        make_accessible(GraphView)
        super().__init__(self.graph, parent)
        # So that Qt takes the scene down with the view, in this thread: the collector may run in any.
        self.graph.setParent(self)
        self.can_connect = can_connect
        self.follow_active = True
        self._chunks = 0  # made of a large flow
        self.animated = True  # a dot runs along the edge just taken, levels of zoom fade
        self.text_broken = False
        self._flow: Flow | None = None
        self._verdict: str | None = None
        self.arrangement = Arrangement()
        self._given: dict[NodeId, Position] = {}  # positions from outside, for the next flow
        self.folding = GroupFolding(self)
        self.camera = Camera(self, self.graph)
        self._overview = Overview(self.graph, self.graph.regions.bands, self.graph.groups)
        self.minimap = Minimap(self, self._overview, self.camera.selected_area, self.graph.card_areas)
        self.minimap.looked_at.connect(self.camera.center_on)
        self.lens = Lens(self, self.graph)
        self._fade = ZoomFade(self, lambda: self.animated and len(self.graph.nodes) <= FADED)
        self._pointing = Pointing(self)
        self._edge_animation = EdgeAnimation(self.graph, self)
        self.messages = CanvasMessages(self, theme, self.hint_changed.emit)
        parts = self.graph, self.arrangement, self.messages
        self.laying_out = LayingOut(self, *parts, self._chunk_built, self._placed)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        QPixmapCache.setCacheLimit(max(QPixmapCache.cacheLimit(), _CACHE_KB))
        self.setAccessibleName(_("Graph of the steps"))
        self.set_theme(theme)

    # What is shown

    def show_flow(self, flow: Flow, *, keep_positions: bool, verdict: str | None, then: Then | None = None) -> None:
        """Show a flow. `keep_positions`: it is an edited state of the one shown, so only new steps are placed.

        `verdict` is the agent's verdict type; the entry that it goes to is marked as the one in use. `then` is called
        once all stands where it is to be: for a large flow later, when it was laid out on another thread.
        """
        self._pointing.forget()
        self._edge_animation.stop()
        self._flow, self._verdict = flow, verdict
        given = {node: place for node, place in self._given.items() if node.name in flow.steps}
        if self.folding.by != "none" or self.arrangement.groups:
            self.folding.prepare(flow)
        self._given = {}
        self.laying_out.show(flow, verdict, keep=keep_positions, given=given, then=then)

    @property
    def is_building(self) -> bool:
        """Whether a large flow is still laid out, or items of it are to be made."""
        return self.laying_out.is_building

    def set_diagnostics(
        self, counts: Mapping[str, SeverityCounts | tuple[int, int, int]], broken: Collection[tuple[str, str]]
    ) -> None:
        """Badges: errors, warnings and infos by step id; `broken` are the (step, intent) that break the contract."""
        counted = {step: SeverityCounts(*count) for step, count in counts.items()}
        if self.graph.set_diagnostics(counted, frozenset(broken)):
            self.minimap.forget()
            self.update_overview()

    def set_text_broken(self, stale: bool) -> None:
        """Grey the graph, since the text can't be read at the moment; it then can't be drawn on."""
        if stale == self.text_broken:
            return
        self.text_broken = stale
        if stale:
            self.cancel_drag()
        self.messages.set_text_broken(stale)
        self.viewport().update()

    def set_run(self, run: RunMarks) -> None:
        """Show where a run is; the view follows the active step where `follow_active` is set."""
        before = self.graph.run
        self.graph.set_run(run)
        self.update_overview()
        self.minimap.update_marks()
        edge = self.graph.edge_item(run.taken)
        if edge is None or run.moves <= before.moves:  # a run begun again or stepped back
            self._edge_animation.stop()
        elif self.animated and self.isVisible() and self.zoom >= BELOW:
            self._edge_animation.run_along(edge.path, self.graph.pens.active)
        if self.follow_active and run.active != before.active:
            self.folding.follow(run.active)
            self.camera.reveal_active()

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        pens = CanvasPens(theme)
        self.graph.set_pens(pens)
        self.setBackgroundBrush(pens.canvas_brush)
        self._show_frame(by_keyboard=False)
        self.messages.set_theme(theme)
        self.viewport().update()

    def retranslate(self) -> None:
        """Show texts in the language that is in use now."""
        self.setAccessibleName(_("Graph of the steps"))
        self.graph.retranslate()
        self.minimap.retranslate()
        self._draw_again()
        self.messages.place_notice()

    def _draw_again(self) -> None:
        if self._flow is not None:
            self.arrangement.forget_texts()
            self.folding.forget_texts()
            self.show_again()

    def show_again(self) -> None:
        """Show the flow that is shown, grouped or folded otherwise."""
        if self._flow is not None:
            self.show_flow(self._flow, keep_positions=True, verdict=self._verdict)
            self._selection_shown(reveal=False)

    def set_loops_as_edges(self, on: bool) -> None:
        """Draw the transitions of steps to themselves as edges, else as signs on their pills."""
        self.arrangement.loops_as_edges = on
        self._draw_again()

    def positions(self) -> dict[str, Position]:
        """The top left corner of each step in the unfolded graph."""
        return {node.name: corner for node, corner in self.arrangement.corners.items() if node.kind == "step"}

    def expect_positions(self, positions: Mapping[str, Position]) -> None:
        """Where steps of the next flow stand that aren't shown yet."""
        self._given |= {NodeId("step", name): place for name, place in positions.items()}

    def set_layout_positions(self, positions: Mapping[str, Position]) -> None:
        """Put steps where someone had placed them: those shown now, and those of the next flow."""
        places = {NodeId("step", name): place for name, place in positions.items()}
        if self._flow is None:
            self._given = places
            return
        here = self.arrangement.corners
        self.put_boxes(here | {node: place for node, place in places.items() if node in here})

    def put_boxes(self, corners: Corners) -> None:
        """Put the boxes where these say, all of them."""
        if self._flow is not None:
            self.laying_out.move(self._flow, corners)

    # What drags and the keyboard ask for

    def group_at(self, at: QPoint) -> str | None:
        """The group whose card, or the header of whose field, is under a point of the viewport."""
        item = self.itemAt(at)
        if isinstance(item, GroupItem):
            return item.node.name
        return self.graph.groups.header_at(self.mapToScene(at), self.zoom) if item is None else None

    def step_item_at(self, at: QPoint) -> NodeItem | None:
        """The step under a point of the viewport."""
        item = self.itemAt(at)  # steps lie above all else, so the topmost item decides
        return item if isinstance(item, NodeItem) else None

    def node_at(self, at: QPoint) -> NodeId | None:
        """The node under a point of the viewport."""
        item = self.itemAt(at)
        return item.node if isinstance(item, NodeItem | EndItem | GhostItem | GroupItem) else None

    def edge_item_at(self, at: QPoint) -> EdgeItem | None:
        """The edge under a point of the viewport, or so near that it is meant."""
        around = QRect(at.x() - _POINT, at.y() - _POINT, 2 * _POINT, 2 * _POINT)
        return next((edge for item in self.items(around) if (edge := edge_of(item)) is not None), None)

    def connect_gesture(self, step: Step, intent: str, case: str | None = None) -> ConnectGesture | None:
        """Begin to draw a transition, or one case of it; None while nothing can be connected."""
        if self.text_broken or self.laying_out.is_running or self.can_connect is None:
            return None
        return ConnectGesture(step.id, intent, self.can_connect, case, targets_of(step, intent, case), self._flow)

    def move_items(self, steps: tuple[str, ...], by: QPointF) -> None:
        """Shift steps, or the cards of folded groups, while they are dragged."""
        self._overview.move(self.graph.move_nodes(steps, by))
        self.update_overview()

    def update_overview(self) -> None:
        """Paint again where the overview is painted, which no item does."""
        if self.zoom < BELOW:
            self.viewport().update()

    def settle_moved(self, steps: tuple[str, ...]) -> None:
        """Keep the dragged steps where they are now: route their edges well and emit the move."""
        corners = {step: item.pos() for step in steps if (item := self.graph.step_item(step)) and item.isVisible()}
        places = self.own_places({step: (corner.x(), corner.y()) for step, corner in corners.items()})
        self.set_layout_positions(places)
        self.moved.emit(places)

    def settle_group(self, key: str, by: QPointF) -> None:
        """A folded group was dragged by so much: move its steps, and emit the move."""
        places = self.folding.carried(key, (by.x(), by.y()))
        if places:
            self.set_layout_positions(places)
            self.moved.emit(places)
        else:
            self.move_items((key,), -by)

    def own_places(self, shown: Mapping[str, Position]) -> dict[str, Position]:
        """Where steps stand in the unfolded graph, of which the picture shows the corners there."""
        shifts = {step: self.arrangement.shift_of(NodeId("step", step)) for step in shown}
        return {step: (round(x - shifts[step][0], 1), round(y - shifts[step][1], 1)) for step, (x, y) in shown.items()}

    def cancel_drag(self) -> bool:
        """Give up the drag that is going on; False where there is none."""
        return self._pointing.cancel()

    def request_connect(self, asked: ConnectAsked) -> None:
        """Request another target for a transition."""
        self.connect_requested.emit(asked)

    def request_step(self, asked: CreateStep, at: QPointF) -> None:
        """Ask for a new step at a point of the scene."""
        self.create_requested.emit(asked, at)

    def request_command(self, command: str) -> None:
        """Ask for a command about the selection, by its name."""
        self.command_requested.emit(command)

    def request_order(self, part: str, to: int) -> None:
        """Ask for another place for a sub-step among its siblings, by its pointer."""
        self.order_requested.emit(part, to)

    def request_menu(self, at: QPoint) -> None:
        """Ask for the context menu at a point of the viewport."""
        self.menu_requested.emit(self.viewport().mapToGlobal(at), self.mapToScene(at))

    # Qt's events

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.zoom >= BELOW:
            super().paintEvent(event)
            return
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self.backgroundBrush())
        self._overview.paint(painter, self.viewportTransform(), names=True)
        self._pointing.paint_over_overview(painter, self.viewportTransform())
        if self.text_broken:
            painter.fillRect(event.rect(), self.graph.pens.wash)
        painter.end()

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        if self.text_broken:
            painter.fillRect(rect, self.graph.pens.wash)

    def show_lens(self) -> None:
        """Show the selected step whole beside it, or hide it again."""
        selected = self.graph.selected
        if self.lens.step is not None:
            self.lens.dismiss()
        elif selected is not None:
            self.lens.show_step(selected)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.lens.dismiss()
        self._pointing.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointing.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pointing.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._pointing.double(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._pointing.ask_menu(event)

    def leaveEvent(self, event: QEvent) -> None:
        if self._pointing.drag is None:
            self._pointing.hover(None)
            self.lens.dismiss()
        super().leaveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() in _HANDS_ON:
            self.camera.settle()
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            show_tooltip(self, event)
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.camera.settle()
        if press_key(self, event):
            event.accept()
        else:
            event.ignore()

    def focusNextPrevChild(self, forward: bool) -> bool:
        return cycle(self, forward=forward) or super().focusNextPrevChild(forward)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        by_tab = event.reason() in {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason}
        self._show_frame(by_keyboard=by_tab or event.reason() == Qt.FocusReason.ShortcutFocusReason)
        if by_tab and self.graph.selected is None:
            first = self.graph.first_step()
            if first is not None:
                self.choose_step(first, reveal=True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_frame(by_keyboard=False)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.camera.show_initial()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.camera.take_size(follow=self.follow_active)
        self.messages.place_notice()

    def wheelEvent(self, event: QWheelEvent) -> None:
        super().wheelEvent(event)
        if self._pointing.drag is None:
            self._pointing.hover(event.position().toPoint())

    def zoom_changed(self) -> None:
        cached = self.zoom <= _CACHE_UP_TO
        mode = QGraphicsItem.CacheMode.DeviceCoordinateCache if cached else QGraphicsItem.CacheMode.NoCache
        first = next(self.graph.steps(), None)
        if first is not None and first.cacheMode() != mode:
            for item in self.graph.steps():
                item.setCacheMode(mode)
        self.viewport().update()

    def _chunk_built(self, done: bool) -> None:
        self._chunks = 0 if done else self._chunks + 1
        if done:
            self.zoom_changed()
            self.built.emit()
        if not self._chunks & (self._chunks - 1):  # all of it is gone through: ever more rarely
            self._refresh_overview()

    def _placed(self, new: bool) -> None:
        self._refresh_overview()
        self._show_bounds()
        if new:
            self.camera.reset()

    def show_only(self, steps: frozenset[str] | None) -> None:
        """Show these steps and what is between them; None shows all again."""
        self.graph.filter.show_only(steps)
        self._refresh_overview()
        self._show_bounds()

    def _show_bounds(self) -> None:
        area = shown_area(self._flow, self.arrangement.layout)
        for field in self.arrangement.folded.fields.values() if self.arrangement.folded is not None else ():
            area = area.united(QRectF(*field))
        self.set_content(self.graph.filter.bounds() or area)

    def _refresh_overview(self) -> None:
        self.graph.filter.apply()
        self._overview.forget()
        self.minimap.forget()
        self.update_overview()

    def _show_frame(self, *, by_keyboard: bool) -> None:
        # Who comes by mouse sees where they are; who comes by keyboard needs the frame.
        color = self.graph.pens.theme.hex("accent" if by_keyboard else "canvas")
        style = f"GraphView {{ border: 1px solid {color}; }}"
        if style != self.styleSheet():
            self.setStyleSheet(style)
