"""The minimap: the whole graph in a corner of the canvas, with a frame around what is in sight."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QTransform
from PySide6.QtWidgets import QWidget

from stepflow_gui.gui.canvas.layers.overview import Overview
from stepflow_gui.gui.canvas.pan_zoom import PanZoomView
from stepflow_gui.messages import _

_LARGEST = QSize(200, 150)
_SHARE = 4  # it takes at most this part of the view's width and height
_MARGIN = 12
_PAD = 6.0
_SHADE = 0.12
_LEAST = QSize(420, 300)  # of a canvas that has room for it
_LINE = 0.6
_ENOUGH = 0.6  # of the graph in sight: where the rest is needn't be shown
_REST = 150  # milliseconds


class Minimap(QWidget):
    """A click or drag on it moves the view there. Hidden while most of the graph is in sight anyway."""

    looked_at = Signal(QPointF)  # the point of the scene that the person wants to see

    def __init__(self, view: PanZoomView, overview: Overview, selected_area: Callable[[], QRectF | None]) -> None:
        """`selected_area` returns where in the scene the selection is, which the map doesn't cover if it can."""
        super().__init__(view)
        self.hurried = False  # a run goes on by itself: what costs more than a frame waits until it pauses
        self._view = view
        self._overview = overview
        self._selected_area = selected_area
        self._wanted = True
        self._picture: QPixmap | None = None  # of all but the frame: panning paints nothing again
        self._later = QTimer(self)  # what changes again and again is painted once it rests
        self._later.setSingleShot(True)
        self._later.setInterval(_REST)
        self._later.timeout.connect(self._repaint)
        self._pens = overview.pens
        for bar in (view.horizontalScrollBar(), view.verticalScrollBar()):
            bar.valueChanged.connect(self.follow)
            bar.rangeChanged.connect(self.follow)
        view.viewport().installEventFilter(self)
        self.setObjectName("minimap")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keyboard has its own commands to navigate
        self.retranslate()
        self.hide()

    @property
    def wanted(self) -> bool:
        """Whether the person wants to see it."""
        return self._wanted

    @wanted.setter
    def wanted(self, wanted: bool) -> None:
        self._wanted = wanted
        self.follow()

    def retranslate(self) -> None:
        """Take the language in use."""
        self.setAccessibleName(_("Minimap"))
        self.setToolTip(_("Click to look elsewhere"))

    def follow(self) -> None:
        """The view or the graph has changed: show it where it helps, in its corner."""
        content, seen = self._view.content, self._view.seen_area()
        port = self._view.viewport().size()
        small = port.width() < _LEAST.width() or port.height() < _LEAST.height()
        if not self._wanted or small or content.isEmpty() or _share(seen.intersected(content), content) > _ENOUGH:
            self.hide()
            return
        most = QSize(min(_LARGEST.width(), port.width() // _SHARE), min(_LARGEST.height(), port.height() // _SHARE))
        scale = min(most.width() / content.width(), most.height() / content.height())
        size = QSize(max(40, round(content.width() * scale)), max(30, round(content.height() * scale)))
        place = self._corner(size)
        if place != self.geometry():
            self.setGeometry(place)
        self.show()
        self.update()

    def _corner(self, size: QSize) -> QRect:
        """The right lower corner; the left one where that would cover what is selected."""
        port = self._view.viewport().geometry()
        top = port.bottom() - size.height() - _MARGIN
        places = [
            QRect(QPoint(left, top), size) for left in (port.right() - size.width() - _MARGIN, port.left() + _MARGIN)
        ]
        area = self._selected_area()
        if area is None:
            return places[0]
        covered = self._view.viewport_area(area).translated(port.topLeft())
        return next((place for place in places if not place.intersects(covered)), places[0])

    def forget(self) -> None:
        """What is drawn on the graph has changed, and maybe where."""
        self.update_marks()
        if not self.hurried:
            self.follow()

    def update_marks(self) -> None:
        """What is marked on the graph has changed."""
        if self.hurried:
            return
        if self.isHidden():
            self._picture = None
        else:
            self._later.start()

    def _repaint(self) -> None:
        self._picture = None
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.follow()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        pens = self._overview.pens
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._painted())
        seen = self._transform().mapRect(self._view.seen_area()).intersected(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(pens.accent, 1))
        shade = QColor(pens.accent)
        shade.setAlphaF(_SHADE)
        painter.setBrush(shade)
        painter.drawRect(seen)
        painter.setPen(QPen(pens.border.color(), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._look(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._look(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()  # the canvas below isn't meant

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def _painted(self) -> QPixmap:
        pens, ratio = self._overview.pens, self.devicePixelRatioF()
        size = self.size() * ratio
        if self._picture is None or self._pens is not pens or self._picture.size() != size:
            self._pens = pens
            self._picture = QPixmap(size)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(pens.canvas_brush.color())
            painter = QPainter(self._picture)
            self._overview.paint(painter, self._transform(), _LINE)
            painter.end()
        return self._picture

    def _look(self, at: QPointF) -> None:
        inverted, possible = self._transform().inverted()
        if possible:
            self.looked_at.emit(inverted.map(at))
            self.follow()

    def _transform(self) -> QTransform:
        content = self._view.content.adjusted(-_PAD, -_PAD, _PAD, _PAD)
        scale = min(self.width() / content.width(), self.height() / content.height())
        shift = QPointF(self.width(), self.height()) / 2 - content.center() * scale
        return QTransform(scale, 0, 0, scale, shift.x(), shift.y())


def _share(part: QRectF, whole: QRectF) -> float:
    return part.width() * part.height() / (whole.width() * whole.height())
