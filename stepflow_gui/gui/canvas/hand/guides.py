"""What shows while steps are moved: where they snap to, and where they would go if they were dropped on others."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.hand.snapping import Guide
from stepflow_gui.gui.canvas.metrics import CORNER, fonts

_BEYOND = 12.0  # pixels that a line goes on beyond what it joins
_PILL = 16.0


class GuidesItem(QGraphicsItem):
    """Paints the guides with lines of one pixel, and gaps as a number."""

    def __init__(self, pens: CanvasPens) -> None:
        super().__init__()
        self._pens = pens
        self.guides: tuple[Guide, ...] = ()
        self.setZValue(3.5)

    def show_guides(self, guides: Sequence[Guide]) -> None:
        """Show these, or nothing."""
        if tuple(guides) != self.guides:
            self.prepareGeometryChange()
            self.guides = tuple(guides)

    def boundingRect(self) -> QRectF:
        around = QRectF()
        for guide in self.guides:
            around = around.united(
                QRectF(QPointF(*guide.begin), QPointF(*guide.end)).normalized().adjusted(-1, -1, 1, 1)
            )
        return around.adjusted(-80, -80, 80, 80)

    def shape(self) -> QPainterPath:
        return QPainterPath()  # never under the pointer itself

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del widget
        zoom = option.levelOfDetailFromTransform(painter.worldTransform())
        for guide in self.guides:
            begin, end = QPointF(*guide.begin), QPointF(*guide.end)
            beyond = 0.0 if guide.gap is not None else _BEYOND / zoom
            along = QPointF(beyond, 0) if begin.y() == end.y() else QPointF(0, beyond)
            painter.setPen(self._pens.guide)
            painter.drawLine(begin - along, end + along)
        for guide in self.guides:
            if guide.gap is not None:
                self._paint_gap(painter, guide, zoom)

    def _paint_gap(self, painter: QPainter, guide: Guide, zoom: float) -> None:
        text = str(guide.gap)
        middle = (QPointF(*guide.begin) + QPointF(*guide.end)) / 2 * zoom
        width = QFontMetricsF(fonts().badge).horizontalAdvance(text) + 10
        transform = painter.transform()
        painter.scale(1 / zoom, 1 / zoom)
        place = QRectF(middle.x() - width / 2, middle.y() - _PILL / 2, width, _PILL)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._pens.guide.color())
        painter.drawRoundedRect(place, 4, 4)
        painter.setPen(self._pens.onmark)
        painter.setFont(fonts().badge)
        painter.drawText(place, int(Qt.AlignmentFlag.AlignCenter), text)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setTransform(transform)


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
