"""A graphics view that pans and zooms: by wheel, touchpad, pinch and calls; it knows nothing of what it shows."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QMargins, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QNativeGestureEvent, QPainter, QResizeEvent, QTransform, QWheelEvent
from PySide6.QtWidgets import QGestureEvent, QGraphicsScene, QGraphicsView, QPinchGesture, QWidget

SMALLEST = 0.005
LARGEST = 4.0
STEP = 1.2
_MARGIN = 32.0  # pixels around the content after a fit
_LEAST_FREE = 120  # pixels beside drawers that something can be shown in
_NOTCH = 48  # pixels that a notch of the wheel pans


class PanZoomView(QGraphicsView):
    """Content of a scene under a pan and a zoom of its own; `1.0` is one pixel a scene unit."""

    def __init__(self, scene: QGraphicsScene, parent: QWidget | None = None) -> None:
        super().__init__(scene, parent)
        self.viewport().setAcceptDrops(False)  # files are for the window
        self.content = QRectF()  # set by `set_content`
        self.covered = QMargins()  # pixels at the edges that other widgets lie over
        self.before_zoom: Callable[[float], object] = lambda _zoom: None  # called before a person zooms
        self.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().grabGesture(Qt.GestureType.PinchGesture)

    @property
    def zoom(self) -> float:
        """Pixels a scene unit."""
        return self.transform().m11()

    def seen_area(self) -> QRectF:
        """The part of the scene that is in sight."""
        return self.mapToScene(self.viewport().rect()).boundingRect()

    def uncovered(self) -> QRect:
        """The part of the viewport that no drawer covers; all of it where next to nothing is left."""
        free = self.viewport().rect().marginsRemoved(self.covered)
        return free if free.width() > _LEAST_FREE else self.viewport().rect()

    def viewport_area(self, area: QRectF) -> QRect:
        """Where an area of the scene is on the viewport."""
        return self.mapFromScene(area).boundingRect()

    def set_content(self, rect: QRectF) -> None:
        """What the scene holds is inside this rectangle; the view can pan so far that a bit of it stays in sight."""
        self.content = rect
        self._limit_pan()

    def zoom_to(self, factor: float, anchor: QPoint | None = None) -> None:
        """Zoom, held between `SMALLEST` and `LARGEST`; the point under `anchor` (viewport; the middle) stays put."""
        factor = max(SMALLEST, min(LARGEST, factor))
        at = anchor if anchor is not None else self.viewport().rect().center()
        before = self.mapToScene(at)
        self.setTransform(QTransform.fromScale(factor, factor))
        self._limit_pan()
        self._bring(before, at)
        self.zoom_changed()

    def zoom_in(self) -> None:
        """One step closer."""
        self.zoom_by(STEP)

    def zoom_out(self) -> None:
        """One step away."""
        self.zoom_by(1 / STEP)

    def zoom_by(self, factor: float, anchor: QPoint | None = None) -> None:
        """Zoom so many times closer, as a person does."""
        self.before_zoom(self.zoom * factor)
        self.zoom_to(self.zoom * factor, anchor)

    def fit(self) -> None:
        """Show all of the content, never larger than 100 %."""
        self.fit_rect(self.content)

    def fit_rect(self, rect: QRectF, largest: float = 1.0) -> None:
        """Show all of a rectangle of the scene in the middle, never larger than `largest`."""
        self.zoom_to(self.fitting_zoom(rect, largest))
        self._bring(rect.center(), self.viewport().rect().center())

    def fitting_zoom(self, rect: QRectF, largest: float = 1.0) -> float:
        """The zoom at which the rectangle just fits."""
        if rect.isEmpty():
            return largest
        room = self.viewport().size()
        across = max(room.width() - 2 * _MARGIN, 40) / rect.width()
        down = max(room.height() - 2 * _MARGIN, 40) / rect.height()
        return min(across, down, largest)

    def pan_by(self, dx: int, dy: int) -> None:
        """Move the view over the scene by pixels."""
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setValue(across.value() + dx)
        down.setValue(down.value() + dy)

    def reveal_rect(self, rect: QRectF, *, margin: int = 48) -> None:
        """Pan so that a rectangle of the scene is in sight; nothing moves where it already is."""
        free = self.uncovered()
        shown = free.adjusted(margin, margin, -margin, -margin)
        wanted = self.viewport_area(rect)
        if not shown.contains(wanted):
            self._bring(rect.center(), free.center())

    def zoom_changed(self) -> None:
        """For what depends on the zoom; called after each change of it."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        angle, pixels = event.angleDelta(), event.pixelDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            notches = (angle.y() or angle.x()) / 120
            self.zoom_by(STEP**notches, event.position().toPoint())
        else:
            by = pixels if not pixels.isNull() else QPoint(angle.x() * _NOTCH // 120, angle.y() * _NOTCH // 120)
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not by.x():
                by = QPoint(by.y(), by.x())
            self.pan_by(-by.x(), -by.y())
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self.zoom_by(1 + event.value(), event.position().toPoint())
                return True
        elif isinstance(event, QGestureEvent):
            pinch = event.gesture(Qt.GestureType.PinchGesture)
            if isinstance(pinch, QPinchGesture):
                center = self.viewport().mapFromGlobal(pinch.centerPoint().toPoint())
                self.zoom_by(pinch.scaleFactor(), center)
                event.accept(pinch)
                return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        middle = self.mapToScene(QPoint(event.oldSize().width() // 2, event.oldSize().height() // 2))
        super().resizeEvent(event)
        self._limit_pan()
        if event.oldSize().isValid():
            self._bring(middle, self.viewport().rect().center())

    def hold_still(self, before: QPointF, after: QPointF) -> None:
        """What was at a point of the scene is at another now: let it stay where it is on the screen."""
        self._bring(after, self.mapFromScene(before))

    def _bring(self, point: QPointF, to: QPoint) -> None:
        """Pan so that a point of the scene is at a point of the viewport."""
        now = self.mapFromScene(point)
        self.pan_by(now.x() - to.x(), now.y() - to.y())

    def _limit_pan(self) -> None:
        size = self.viewport().size()
        beside = max(size.width() / self.zoom - 60, 0.0)
        below = max(size.height() / self.zoom - 60, 0.0)
        self.setSceneRect(self.content.adjusted(-beside, -below, beside, below))
