"""The card of a closing step: its validators in their order, each with the target of its failure."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.metrics import CORNER, fonts, one_line

HEAD = 26.0  # the height of the title
_ROW = 22.0
_PAD = 12.0
_DIAMOND = 6.0
_WIDEST = 340.0  # pixels of a card


_TOKENS = {"runs": "active", "failed": "error", "passed": "closure"}


_STROKES = {  # a tick, a cross: distinguished by more than colour
    "passed": ((QPointF(-2.6, 0.0), QPointF(-0.8, 2.0), QPointF(2.6, -2.0)),),
    "failed": ((QPointF(-2, -2), QPointF(2, 2)), (QPointF(-2, 2), QPointF(2, -2))),
}


class CheckSign(NamedTuple):
    """One validator of a card: its state ("", waits, runs, passed, failed) and the target of its failure."""

    name: str
    state: str
    target: str


class ClosingSign(NamedTuple):
    """What follows where a step returns closing, for its card."""

    step: str
    title: str
    checks: tuple[CheckSign, ...]
    foot: str


class ClosingCard(QGraphicsItem):
    """The validation of a step: a chain of diamonds, one per validator, each with the target of its failure."""

    def __init__(self, sign: ClosingSign, pens: CanvasPens) -> None:
        super().__init__()
        self.pens = pens
        self.sign = sign
        self.link = QPolygonF()  # the line from its step, in the card's coordinates
        self.setZValue(2.4)
        self._measure()

    def show_sign(self, sign: ClosingSign) -> None:
        """Show another."""
        if sign != self.sign:
            self.prepareGeometryChange()
            self.sign = sign
            self._measure()
            self.update()

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self._rect.width(), self._rect.height()

    def boundingRect(self) -> QRectF:
        return self._rect.united(self.link.boundingRect()).adjusted(-2, -2, 2, 2)

    def shape(self) -> QPainterPath:
        return QPainterPath()  # what lies below it stays within reach

    def holds(self, scene_point: QPointF) -> bool:
        """Whether a point of the scene is on the card."""
        return self.isVisible() and self._rect.contains(scene_point - self.pos())

    def row_at(self, scene_point: QPointF) -> int | None:
        """The number of the validator at a point of the scene."""
        row = int((scene_point.y() - self.pos().y() - HEAD) // _ROW)
        return row if self.holds(scene_point) and 0 <= row < len(self._rows) else None

    def place(self, at: QPointF, link: Sequence[QPointF]) -> None:
        """Place it there, with a line from the step (its corners in the scene)."""
        self.prepareGeometryChange()
        self.setPos(at)
        self.link = QPolygonF([corner - at for corner in link])

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        pens = self.pens
        fine = QPen(pens.edge, 1.0)
        fine.setDashPattern([3.0, 3.0])
        painter.setPen(fine)
        painter.drawPolyline(self.link)
        painter.setPen(pens.border)
        painter.setBrush(pens.surface_brush)
        painter.drawRoundedRect(self._rect.adjusted(0.5, 0.5, -0.5, -0.5), CORNER, CORNER)
        painter.setFont(fonts().kind)
        painter.setPen(pens.closure)
        width = self._rect.width() - 2 * _PAD
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(QRectF(_PAD, 0, width, HEAD), middle, self._title)
        across = _PAD + _DIAMOND
        painter.setPen(QPen(pens.edge, 1.0))
        painter.drawLine(QPointF(across, HEAD + _ROW / 2), QPointF(across, HEAD + _ROW * (len(self._rows) - 0.5)))
        for at, (check, name, target_width) in enumerate(self._rows):
            top = HEAD + at * _ROW
            color = pens.theme.color(_TOKENS.get(check.state, "edge"))
            painter.setPen(QPen(color, 1.4))
            painter.setBrush(color if check.state in _TOKENS else pens.surface)
            painter.drawPolygon(_diamond(across, top + _ROW / 2, 8.0 if check.state == "runs" else _DIAMOND))
            painter.setPen(QPen(pens.onmark, 1.4))
            for stroke in _STROKES.get(check.state, ()):
                painter.drawPolyline([QPointF(across, top + _ROW / 2) + point for point in stroke])
            painter.setFont(fonts().caption)
            painter.setPen(pens.active_text if check.state == "runs" else pens.text)
            painter.drawText(QRectF(_PAD + 22, top, self._names, _ROW), middle, name)
            painter.setPen(pens.error if check.state == "failed" else pens.muted)
            left = _PAD + 22 + self._names + 10
            painter.drawText(QRectF(left, top, self._rect.width() - left - 4, _ROW), middle, target_width)
        painter.setFont(fonts().label)
        painter.setPen(pens.muted)
        painter.drawText(QRectF(_PAD, HEAD + _ROW * len(self._rows), width, HEAD), middle, self._foot)

    def _measure(self) -> None:
        caption, label, kind = (QFontMetricsF(font) for font in (fonts().caption, fonts().label, fonts().kind))
        sign = self.sign
        texts = [(check, one_line(check.name), one_line(check.target)) for check in sign.checks]
        right = Qt.TextElideMode.ElideMiddle
        self._names = min(160.0, max((caption.horizontalAdvance(name) for _c, name, _l in texts), default=0.0) + 4)
        target_width = max((caption.horizontalAdvance(text) for _c, _n, text in texts), default=0.0) + 6
        wanted = max(
            22 + self._names + 10 + target_width,
            kind.horizontalAdvance(sign.title) + 4,
            label.horizontalAdvance(sign.foot) + 4,
        )
        width = min(_WIDEST, wanted + 2 * _PAD)
        inner = width - 2 * _PAD
        room = inner - 22 - self._names - 10
        self._rows = [
            (check, caption.elidedText(name, right, self._names), caption.elidedText(text, right, room))
            for check, name, text in texts
        ]
        self._title = kind.elidedText(one_line(sign.title), right, inner)
        self._foot = label.elidedText(one_line(sign.foot), right, inner)
        foot = HEAD if sign.foot else 8.0
        self._rect = QRectF(0, 0, width, HEAD + _ROW * len(texts) + foot)


def _diamond(x: float, y: float, size: float) -> QPolygonF:
    return QPolygonF([QPointF(x, y - size), QPointF(x + size, y), QPointF(x, y + size), QPointF(x - size, y)])
