"""The counters of a run at its active step: a pill above the step."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.metrics import fonts

_HEIGHT = 20.0
_PAD = 9.0
_ABOVE = 9.0  # between the pill and its step, whose ring lies there
_FREE = 10.0  # from the middle of the step, where an edge may come in


class CountSign(QGraphicsItem):
    """Shows in a few words how often a step has run."""

    def __init__(self, pens: CanvasPens) -> None:
        super().__init__()
        self.pens = pens
        self.text = ""
        self._width = 0.0
        self.setZValue(2.5)

    def show_text(self, text: str) -> None:
        """Show another text."""
        if text != self.text:
            self.prepareGeometryChange()
            self.text = text
            self._width = QFontMetricsF(fonts().label).horizontalAdvance(text) + 2 * _PAD
            self.update()

    def place_above(self, frame: QRectF) -> None:
        """Place it above a step, right of what comes in from above: edges that go back are on the left."""
        self.setPos(QPointF(frame.center().x() + _FREE, frame.top() - _ABOVE - _HEIGHT))

    def boundingRect(self) -> QRectF:
        return QRectF(-1, -1, self._width + 2, _HEIGHT + 2)

    def shape(self) -> QPainterPath:
        return QPainterPath()  # nothing to point at

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        pens = self.pens
        pill = QRectF(0, 0, self._width, _HEIGHT)
        painter.setPen(QPen(pens.active, 1.4))
        painter.setBrush(pens.surface_brush)
        painter.drawRoundedRect(pill.adjusted(0.7, 0.7, -0.7, -0.7), _HEIGHT / 2, _HEIGHT / 2)
        painter.setPen(pens.active_text)
        painter.setFont(fonts().label)
        painter.drawText(pill, int(Qt.AlignmentFlag.AlignCenter), self.text)
