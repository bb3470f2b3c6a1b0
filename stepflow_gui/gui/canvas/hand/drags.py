"""What happens while a mouse button is down on the canvas: panning, moving steps, connecting.

Each drag is asked to `move`, then either to `finish` or to `cancel`; the view holds at most one.
"""

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QCursor, QPainter, QPainterPath, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.flow.layout.shapes import Bend, Box, NodeId
from stepflow_gui.flow.layout.spots import Spots
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.gestures import NEW_INTENT, ConnectAsked, ConnectGesture, CreateStep
from stepflow_gui.gui.canvas.hand.band import BandDrag
from stepflow_gui.gui.canvas.hand.border_scroll import BorderScroll
from stepflow_gui.gui.canvas.hand.guides import GuidesItem, SpotOutline
from stepflow_gui.gui.canvas.hand.snapping import WITHIN, PortLink, Snap, Snapping
from stepflow_gui.gui.canvas.items.edge_item import HIT_WIDTH, arrow_head, direction, spline
from stepflow_gui.gui.canvas.layers.overview import BELOW
from stepflow_gui.gui.canvas.metrics import PILL_HEIGHT
from stepflow_gui.gui.canvas.port import CanvasPort
from stepflow_gui.messages import _


class PanDrag:
    """The canvas follows the hand."""

    def __init__(self, view: CanvasPort, start: QPoint) -> None:
        self._view = view
        self._last = start
        view.viewport().setCursor(QCursor(Qt.CursorShape.ClosedHandCursor))

    def move(self, to: QPoint) -> None:
        """The pointer is there now."""
        by = to - self._last
        self._last = to
        self._view.pan_by(-by.x(), -by.y())

    def finish(self, at: QPoint) -> None:
        """The button is up."""
        self.move(at)
        self._view.viewport().unsetCursor()

    def cancel(self) -> None:
        """Stay where the canvas is now."""
        self._view.viewport().unsetCursor()


class MoveDrag:
    """Steps follow the pointer, and their edges with them, and snap to what they come near.

    Let go over others, they go to the nearest free spot.
    """

    def __init__(self, view: CanvasPort, steps: tuple[str, ...], start: QPoint) -> None:
        self._view = view
        self._steps = steps
        self._start = view.mapToScene(start)
        self._done = QPointF()
        self.exact = False  # they stay where they are let go, and snap to nothing
        self._spots = Spots(view.graph.box_frames(without=steps))
        self._outline = SpotOutline(view.graph.pens)
        self._guides = GuidesItem(view.graph.pens)
        for item in (self._outline, self._guides):
            view.graph.addItem(item)
        self._first = _around(self._frames())  # before anything moved
        others = {step: _box(frame) for step, frame in view.graph.step_frames().items() if step not in steps}
        self._snapping = Snapping(others, self._links() if len(steps) == 1 else ())
        self._scroll = BorderScroll(view, self._follow)

    def move(self, to: QPoint) -> None:
        """The pointer is there now."""
        self._follow(to)
        self._scroll.watch(to)

    def finish(self, at: QPoint) -> None:
        """Leave them on whole pixels, with their edges routed again."""
        self._end()
        by = self._view.mapToScene(at) - self._start
        snap = self._snap(by)
        self._shift(
            QPointF(snap.dx + by.x() if snap.dx else round(by.x()), snap.dy + by.y() if snap.dy else round(by.y()))
        )
        self._shift(self._done + self._aside())
        self._view.settle_moved(self._steps)

    def cancel(self) -> None:
        """Back to where they were."""
        self._end()
        self._shift(QPointF())

    def _end(self) -> None:
        self._scroll.stop()
        for item in (self._outline, self._guides):
            self._view.graph.removeItem(item)
        self._view.messages.show_status("")

    def _follow(self, to: QPoint) -> None:
        by = self._view.mapToScene(to) - self._start
        snap = self._snap(by)
        self._shift(by + QPointF(snap.dx, snap.dy))
        self._guides.show_guides(snap.guides)
        status = _("Snapped: {places} · Alt moves freely").format(places=_(", ").join(snap.words)) if snap.words else ""
        self._view.messages.show_status(status)
        aside = self._aside()
        rects = [rect.translated(aside) for rect in self._frames()] if not aside.isNull() else []
        self._outline.show_rects(rects)

    def _snap(self, by: QPointF) -> Snap:
        """Where they snap to that are moved by so much; from afar, where no guides are seen, to nothing."""
        if self.exact or self._first is None or self._view.zoom < BELOW:
            return Snap()
        return self._snapping.snap(
            self._first.shifted(by.x(), by.y()), WITHIN / self._view.zoom, _box(self._view.seen_area())
        )

    def _links(self) -> list[PortLink]:
        """The edges between the one dragged step and others, by the port where each begins."""
        graph, step = self._view.graph, self._steps[0]
        links = []
        for edge in graph.edges_at(NodeId("step", step)):
            route = edge.route
            item, ends = graph.step_item(route.source.name), (route.source.name, route.target.name)
            if item is None or route.kind != "step":
                continue
            port = item.measured.ports.get(route.moves[0].intent)
            if port is not None:
                links.append(PortLink(port, ends[1] if ends[0] == step else ends[0], ends[0] == step))
        return links

    def _frames(self) -> list[QRectF]:
        items = [self._view.graph.step_item(step) for step in self._steps]
        return [item.frame for item in items if item is not None and item.isVisible()]

    def _aside(self) -> QPointF:
        """How far to the nearest free spot, if they lie on others."""
        boxes = [_box(frame) for frame in self._frames()]
        if self.exact or not boxes or not self._spots.covers(boxes):
            return QPointF()
        return QPointF(*self._spots.shift(boxes))

    def _shift(self, by: QPointF) -> None:
        step = by - self._done
        if not step.isNull():
            self._done = by
            self._view.move_items(self._steps, step)


class GroupDrag:
    """The card of a folded group follows the pointer; let go, all its steps move with it."""

    def __init__(self, view: CanvasPort, key: str, start: QPoint) -> None:
        self._view = view
        self._key = key
        self._start = view.mapToScene(start)
        self._done = QPointF()
        self._scroll = BorderScroll(view, self._follow)

    def move(self, to: QPoint) -> None:
        """The pointer is there now."""
        self._follow(to)
        self._scroll.watch(to)

    def finish(self, at: QPoint) -> None:
        """Leave it there."""
        self._follow(at)
        self._scroll.stop()
        self._view.settle_group(self._key, self._done)

    def cancel(self) -> None:
        """Back to where it was."""
        self._scroll.stop()
        self._shift(QPointF())

    def _follow(self, to: QPoint) -> None:
        self._shift(self._view.mapToScene(to) - self._start)

    def _shift(self, by: QPointF) -> None:
        step = by - self._done
        if not step.isNull():
            self._done = by
            self._view.move_items((self._key,), step)


def _box(rect: QRectF) -> Box:
    return Box(rect.x(), rect.y(), rect.width(), rect.height())


def _around(frames: list[QRectF]) -> Box | None:
    around = QRectF()
    for frame in frames:
        around = around.united(frame)
    return _box(around) if frames else None


class RubberEdge(QGraphicsItem):
    """The edge that follows the pointer while connecting."""

    def __init__(self, start: QPointF, pens: CanvasPens) -> None:
        super().__init__()
        self._pens = pens
        self._start = start
        self._tip = start
        self._path = QPainterPath()
        self.setZValue(3)

    def set_tip(self, tip: QPointF) -> None:
        """End there."""
        self.prepareGeometryChange()
        self._tip = tip
        self._path = spline((Bend(self._start.x(), self._start.y(), 0, 1), Bend(tip.x(), tip.y(), 0, 1)))

    def boundingRect(self) -> QRectF:
        return self._path.controlPointRect().adjusted(-HIT_WIDTH, -HIT_WIDTH, HIT_WIDTH, HIT_WIDTH)

    def shape(self) -> QPainterPath:
        return QPainterPath()  # never under the pointer itself

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        self._paint(painter)

    def paint_over_overview(self, painter: QPainter, transform: QTransform) -> None:
        """Paint it through a transform from scene to device."""
        painter.setTransform(transform)
        self._paint(painter)
        painter.resetTransform()

    def _paint(self, painter: QPainter) -> None:
        painter.setPen(self._pens.rubber)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(self._path)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._pens.accent)
        painter.drawPolygon(arrow_head(self._tip, direction(self._path.pointAtPercent(0.9), self._tip)))


class ConnectDrag:
    """Carries a ConnectGesture out: lights up where it may end, shows why not elsewhere, and hands over the drop."""

    def __init__(self, view: CanvasPort, gesture: ConnectGesture, start: QPoint) -> None:
        self._view = view
        self.gesture = gesture
        scene = view.graph
        item = scene.step_item(gesture.step)
        port = item.measured.ports.get(gesture.intent, 0.0) if item is not None else 0.0
        corner = item.pos() if item is not None else view.mapToScene(start)
        self._offered = NodeId("end", f"offered to {gesture.step}")
        if item is not None and not view.camera.shows_end():
            scene.offer_end(self._offered, item.frame)
        below = item.measured.pill_top + PILL_HEIGHT if item is not None else 0.0
        start_of_edge = corner + QPointF(port, below)
        if gesture.intent == NEW_INTENT and item is not None:
            start_of_edge = corner + item.measured.plus.center()
        self._rubber = RubberEdge(start_of_edge, scene.pens)
        scene.addItem(self._rubber)
        for node, target in scene.nodes.items():
            target.set_state("legal", gesture.why_not(node) is None)
        if item is not None and item.legal is False:
            item.set_state("legal", None)  # where it starts stays as it is
        view.viewport().setCursor(QCursor(Qt.CursorShape.CrossCursor))
        self._scroll = BorderScroll(view, self._follow)
        self.move(start)

    def move(self, to: QPoint) -> None:
        """The pointer is there now."""
        self._follow(to)
        self._scroll.watch(to)

    def finish(self, at: QPoint) -> None:
        """Drop there."""
        asked = self.gesture.drop(self._over(at))
        self._clear()
        if isinstance(asked, ConnectAsked):
            self._view.request_connect(asked)
        elif isinstance(asked, CreateStep) and self._view.viewport().rect().contains(at):
            self._view.request_step(asked, self._view.mapToScene(at))

    def cancel(self) -> None:
        """Nothing was meant."""
        self.gesture.cancel()
        self._clear()

    def paint_over_overview(self, painter: QPainter, transform: QTransform) -> None:
        """Paint the edge being drawn where no items are."""
        self._rubber.paint_over_overview(painter, transform)

    def _follow(self, at: QPoint) -> None:
        self._rubber.set_tip(self._view.mapToScene(at))
        self._view.messages.show_hint(self.gesture.hover(self._over(at)), at)
        self._view.update_overview()

    def _over(self, at: QPoint) -> NodeId | None:
        return self._view.node_at(at)

    def _clear(self) -> None:
        self._scroll.stop()
        for node in self._view.graph.nodes.values():
            node.set_state("legal", None)
        if self._offered in self._view.graph.nodes:
            self._view.graph.withdraw_end(self._offered)
        self._view.graph.removeItem(self._rubber)
        self._view.viewport().unsetCursor()
        self._view.messages.show_hint(None, QPoint())


Drag = PanDrag | MoveDrag | GroupDrag | ConnectDrag | BandDrag
