"""What happens while a mouse button is down on the canvas: panning, moving steps, connecting.

Each drag is asked to `move`, then either to `finish` or to `cancel`; the view holds at most one.
"""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QCursor, QPainter, QPainterPath, QTransform
from PySide6.QtWidgets import QGraphicsItem, QRubberBand, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.flow.layout.shapes import Bend, Box, NodeId
from stepflow_gui.flow.layout.spots import Spots
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.gestures import NEW_INTENT, ConnectAsked, ConnectGesture, CreateStep
from stepflow_gui.gui.canvas.items.edge_item import HIT_WIDTH, arrow_head, direction, spline
from stepflow_gui.gui.canvas.metrics import CORNER, PILL_HEIGHT
from stepflow_gui.gui.canvas.port import CanvasPort

_EDGE_ZONE = 28  # pixels from the border in which a drag scrolls the canvas
_SCROLL = 14
_EVERY = 30  # milliseconds


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


class BorderScroll:
    """Pans for as long as a drag stays near the border, and lets the drag follow."""

    def __init__(self, view: CanvasPort, follow: Callable[[QPoint], None]) -> None:
        self._view = view
        self._follow = follow
        self._at = QPoint()
        self._timer = QTimer(view.viewport())
        self._timer.setInterval(_EVERY)
        self._timer.timeout.connect(self._pan)

    def watch(self, at: QPoint) -> None:
        """The pointer is there now."""
        self._at = at
        if self._pan_step().isNull():
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def stop(self) -> None:
        """The drag is over."""
        self._timer.stop()
        self._timer.deleteLater()

    def _pan_step(self) -> QPoint:
        size, at = self._view.viewport().size(), self._at
        dx = -_SCROLL if at.x() < _EDGE_ZONE else _SCROLL if at.x() > size.width() - _EDGE_ZONE else 0
        dy = -_SCROLL if at.y() < _EDGE_ZONE else _SCROLL if at.y() > size.height() - _EDGE_ZONE else 0
        return QPoint(dx, dy)

    def _pan(self) -> None:
        step = self._pan_step()
        self._view.pan_by(step.x(), step.y())
        self._follow(self._at)


class SpotOutline(QGraphicsItem):
    """Shows in dashes where dragged steps would go if they were let go over others."""

    def __init__(self, pens: CanvasPens) -> None:
        super().__init__()
        self._pens = pens
        self._rects: list[QRectF] = []
        self.setZValue(3)

    def show_rects(self, rects: list[QRectF]) -> None:
        """Show these, or nothing."""
        if rects != self._rects:
            self.prepareGeometryChange()
            self._rects = rects

    def boundingRect(self) -> QRectF:
        around = QRectF()
        for rect in self._rects:
            around = around.united(rect)
        return around.adjusted(-2, -2, 2, 2)

    def shape(self) -> QPainterPath:
        return QPainterPath()  # never under the pointer itself

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        painter.setPen(self._pens.spot)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for rect in self._rects:
            painter.drawRoundedRect(rect, CORNER, CORNER)


class MoveDrag:
    """Steps follow the pointer, and their edges with them. Let go over others, they go to the nearest free spot."""

    def __init__(self, view: CanvasPort, steps: tuple[str, ...], start: QPoint) -> None:
        self._view = view
        self._steps = steps
        self._start = view.mapToScene(start)
        self._done = QPointF()
        self.exact = False  # they stay where they are let go
        self._spots = Spots(view.graph.box_frames(without=steps))
        self._outline = SpotOutline(view.graph.pens)
        view.graph.addItem(self._outline)
        self._scroll = BorderScroll(view, self._follow)

    def move(self, to: QPoint) -> None:
        """The pointer is there now."""
        self._follow(to)
        self._scroll.watch(to)

    def finish(self, at: QPoint) -> None:
        """Leave them on whole pixels, with their edges routed again."""
        self._end()
        by = self._view.mapToScene(at) - self._start
        self._shift(QPointF(round(by.x()), round(by.y())))
        self._shift(self._done + self._aside())
        self._view.settle_moved(self._steps)

    def cancel(self) -> None:
        """Back to where they were."""
        self._end()
        self._shift(QPointF())

    def _end(self) -> None:
        self._scroll.stop()
        self._view.graph.removeItem(self._outline)

    def _follow(self, to: QPoint) -> None:
        self._shift(self._view.mapToScene(to) - self._start)
        aside = self._aside()
        rects = [rect.translated(aside) for rect in self._frames()] if not aside.isNull() else []
        self._outline.show_rects(rects)

    def _frames(self) -> list[QRectF]:
        items = [self._view.graph.step_item(step) for step in self._steps]
        return [item.frame for item in items if item is not None and item.isVisible()]

    def _aside(self) -> QPointF:
        """How far to the nearest free spot, if they lie on others."""
        boxes = [Box(frame.x(), frame.y(), frame.width(), frame.height()) for frame in self._frames()]
        if self.exact or not boxes or not self._spots.covers(boxes):
            return QPointF()
        return QPointF(*self._spots.shift(boxes))

    def _shift(self, by: QPointF) -> None:
        step = by - self._done
        if not step.isNull():
            self._done = by
            self._view.move_items(self._steps, step)


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


class BandDrag:
    """A frame drawn over empty canvas: the steps that it touches are selected."""

    def __init__(self, view: CanvasPort, start: QPoint, kept: frozenset[str]) -> None:
        """`kept` steps stay selected, whatever the frame touches."""
        self._view = view
        self._start = view.mapToScene(start)
        self._kept = kept
        self._before = (view.graph.selected, view.graph.also)
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, view.viewport())
        self._scroll = BorderScroll(view, self._follow)
        self._follow(start)
        self._band.show()

    def move(self, to: QPoint) -> None:
        """The pointer is there now."""
        self._follow(to)
        self._scroll.watch(to)

    def finish(self, at: QPoint) -> None:
        """Keep what is selected now."""
        self._follow(at)
        self._end()
        self._view.emit_selected_steps()

    def cancel(self) -> None:
        """Select again what was selected before."""
        self._end()
        step, also = self._before
        self._view.graph.select(step, also=also)

    def _follow(self, at: QPoint) -> None:
        to = self._view.mapToScene(at)
        around = QRectF(self._start, to).normalized()
        self._band.setGeometry(QRect(self._view.mapFromScene(self._start), at).normalized())
        touched = [step for step, frame in self._view.graph.step_frames().items() if frame.intersects(around)]
        steps = sorted({*touched, *self._kept})
        self._view.graph.select(steps[0] if steps else None, also=frozenset(steps[1:]))
        self._view.update_overview()

    def _end(self) -> None:
        self._scroll.stop()
        self._band.hide()
        self._band.deleteLater()


Drag = PanDrag | MoveDrag | ConnectDrag | BandDrag
