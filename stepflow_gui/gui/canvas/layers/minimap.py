"""The minimap: the whole graph in a corner of the canvas, with a frame around what is in sight."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QEnterEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QTransform
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
_ENOUGH = 0.9  # of the graph in sight: where the rest is needn't be shown
_STILL = 300  # milliseconds that the view stands before another corner is chosen
_BETTER = 0.7  # of the card area where it is, that another corner covers at most to be better
_NEAR = 40  # pixels
_FADED = 0.25
_REST = 150  # milliseconds
_POINTER = frozenset({QEvent.Type.MouseMove, QEvent.Type.MouseButtonRelease, QEvent.Type.Leave})


class Minimap(QWidget):
    """A click or drag on it moves the view there. Hidden while nearly all of the graph is in sight anyway.

    It stands in the corner where it covers least, and fades while the pointer is near cards under it, and during drags.
    """

    looked_at = Signal(QPointF)  # the point of the scene that the person wants to see

    def __init__(
        self,
        view: PanZoomView,
        overview: Overview,
        selected_area: Callable[[], QRectF | None],
        card_areas: Callable[[], Iterable[QRectF]],
    ) -> None:
        """Where in the scene the selection is, which the map doesn't cover if it can, and where cards are."""
        super().__init__(view)
        self.hurried = False  # a run goes on by itself: what costs more than a frame waits until it pauses
        self._view = view
        self._overview = overview
        self._selected_area = selected_area
        self._card_areas = card_areas
        self._wanted = True
        self._at = 0  # which of the corners
        self._covers = False  # whether a card lies under it
        self._opacity = 1.0
        self._still = QTimer(self)
        self._still.setSingleShot(True)
        self._still.setInterval(_STILL)
        self._still.timeout.connect(self._choose_corner)
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
        self.setToolTip(_("Click to show another part"))

    def follow(self) -> None:
        """The view or the graph has changed: show it where it helps, in its corner."""
        content, seen = self._view.content, self._view.seen_area()
        port = self._view.viewport().size()
        small = port.width() < _LEAST.width() or port.height() < _LEAST.height()
        if not self._wanted or small or content.isEmpty() or _share(seen.intersected(content), content) > _ENOUGH:
            self._still.stop()
            self.hide()
            return
        place = self._corner(self._size(port, content))
        if place != self.geometry():
            self.setGeometry(place)
        self._still.start()
        self.show()
        self.update()

    def _size(self, port: QSize, content: QRectF) -> QSize:
        most = QSize(min(_LARGEST.width(), port.width() // _SHARE), min(_LARGEST.height(), port.height() // _SHARE))
        scale = min(most.width() / content.width(), most.height() / content.height())
        return QSize(max(40, round(content.width() * scale)), max(30, round(content.height() * scale)))

    def _corner(self, size: QSize) -> QRect:
        """The corner that was chosen; the other one where that would cover what is selected."""
        places = self._places(size)
        places = [places[self._at], *places[: self._at], *places[self._at + 1 :]]
        area = self._selected_area()
        if area is None:
            return places[0]
        covered = self._view.viewport_area(area).translated(self._view.viewport().geometry().topLeft())
        return next((place for place in places if not place.intersects(covered)), places[0])

    def _places(self, size: QSize) -> list[QRect]:
        """The right lower corner and the left upper one: in the others stand the bars of the canvas."""
        port = self._view.viewport().geometry().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        low = QPoint(port.right() - size.width(), port.bottom() - size.height())
        return [QRect(low, size), QRect(port.topLeft(), size)]

    def _choose_corner(self) -> None:
        """The view stands still: go where fewer cards are covered, if it is worth the move."""
        if self.isHidden():
            return
        cards = self._card_areas()
        areas = [self._covered(place, cards) for place in self._places(self.size())]
        best = min(range(len(areas)), key=areas.__getitem__)
        if areas[best] < areas[self._at] * _BETTER:
            self._at = best
            self.setGeometry(self._corner(self.size()))
        self._covers = self._covered(self.geometry(), cards) > 0

    def _covered(self, place: QRect, cards: Iterable[QRectF]) -> float:
        """The area of cards, in pixels, that the map covers in a place."""
        port = self._view.viewport().geometry()
        inside = self._view.mapToScene(place.translated(-port.topLeft())).boundingRect()
        parts = (inside.intersected(area) for area in cards if area.intersects(inside))
        return sum(part.width() * part.height() for part in parts if not part.isEmpty()) * self._view.zoom**2

    def _fade(self, *, on: bool) -> None:
        opacity = _FADED if on else 1.0
        if opacity != self._opacity:
            self._opacity = opacity
            self.update()

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
        elif event.type() in _POINTER and not self.isHidden():
            here = isinstance(event, QMouseEvent) and self._is_near(event.position().toPoint())
            drags = isinstance(event, QMouseEvent) and bool(event.buttons())
            self._fade(on=drags or (here and self._covers))
        return super().eventFilter(watched, event)

    def _is_near(self, at: QPoint) -> bool:
        port = self._view.viewport().geometry()
        return self.geometry().adjusted(-_NEAR, -_NEAR, _NEAR, _NEAR).contains(at + port.topLeft())

    def enterEvent(self, event: QEnterEvent) -> None:
        self._fade(on=False)  # who is on it wants it
        super().enterEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        pens = self._overview.pens
        painter = QPainter(self)
        painter.setOpacity(self._opacity)
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
