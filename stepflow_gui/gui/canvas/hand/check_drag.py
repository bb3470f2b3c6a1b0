"""Dragging a validator of the closing card: onto a failure pattern, or to another place in their order."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QCursor, QFontMetricsF, QPainter, QPainterPath
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.check_gesture import CheckGesture
from stepflow_gui.gui.canvas.items.closing_card import ClosingCard
from stepflow_gui.gui.canvas.metrics import CORNER, fonts, one_line
from stepflow_gui.gui.canvas.port import CanvasPort

_ROW = 22.0
_PAD = 10.0
_AWAY = 14.0  # of the list from the card


class PatternList(QGraphicsItem):
    """The failure patterns to drop on, beside the card while a validator is dragged."""

    def __init__(self, patterns: Sequence[str], pens: CanvasPens) -> None:
        super().__init__()
        self._pens = pens
        self.patterns = patterns
        self.lit: str | None = None
        metrics = QFontMetricsF(fonts().caption)
        width = max((metrics.horizontalAdvance(one_line(name)) for name in patterns), default=60.0) + 2 * _PAD
        self.rect = QRectF(0, 0, width, _ROW * len(patterns) + 8)
        self.setZValue(3.2)

    def at(self, scene_point: QPointF) -> str | None:
        """The pattern at a point of the scene."""
        here = scene_point - self.pos()
        row = int((here.y() - 4) // _ROW)
        return self.patterns[row] if self.rect.contains(here) and 0 <= row < len(self.patterns) else None

    def light(self, name: str | None) -> None:
        """Mark the pattern that a drop would take."""
        if name != self.lit:
            self.lit = name
            self.update()

    def boundingRect(self) -> QRectF:
        return self.rect.adjusted(-2, -2, 2, 2)

    def shape(self) -> QPainterPath:
        return QPainterPath()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        pens = self._pens
        painter.setPen(pens.border)
        painter.setBrush(pens.surface_brush)
        painter.drawRoundedRect(self.rect.adjusted(0.5, 0.5, -0.5, -0.5), CORNER, CORNER)
        painter.setFont(fonts().caption)
        for at, name in enumerate(self.patterns):
            row = QRectF(_PAD, 4 + at * _ROW, self.rect.width() - 2 * _PAD, _ROW)
            painter.setPen(pens.accent if name == self.lit else pens.text)
            painter.drawText(row, int(Qt.AlignmentFlag.AlignVCenter), one_line(name))


class CheckDrag:
    """Carries a CheckGesture out on one view."""

    def __init__(self, view: CanvasPort, card: ClosingCard, gesture: CheckGesture, start: QPoint) -> None:
        self._view = view
        self._card = card
        self.gesture = gesture
        self.list = PatternList(gesture.patterns, view.graph.pens)
        width, height = card.size
        right = card.pos() + QPointF(width + _AWAY, 0)
        seen = view.seen_area()
        below = card.pos() + QPointF(0, height + _AWAY)
        above = card.pos() - QPointF(0, self.list.rect.height() + _AWAY)
        places = [right, below, above, card.pos() - QPointF(self.list.rect.width() + _AWAY, 0)]
        fitting = (place for place in places if seen.contains(self.list.rect.translated(place)))
        self.list.setPos(next(fitting, right))
        view.graph.addItem(self.list)
        view.viewport().setCursor(QCursor(Qt.CursorShape.CrossCursor))
        self.move(start)

    def move(self, to: QPoint) -> None:
        """The pointer is there now."""
        over = self._over(to)
        hint = self.gesture.hover(over)
        self.list.light(over if isinstance(over, str) and hint.legal else None)
        self._view.messages.show_hint(hint, to)

    def finish(self, at: QPoint) -> None:
        """Drop there."""
        asked = self.gesture.drop(self._over(at))
        self._clear()
        if asked is not None and self._view.graph.run_layer.drop_check is not None:
            self._view.graph.run_layer.drop_check(self._card.sign.step, asked)

    def cancel(self) -> None:
        """Nothing was meant."""
        self.gesture.open = False
        self._clear()

    def _over(self, at: QPoint) -> int | str | None:
        spot = self._view.mapToScene(at)
        name = self.list.at(spot)
        return name if name is not None else self._card.row_at(spot)

    def _clear(self) -> None:
        self._view.graph.removeItem(self.list)
        self._view.viewport().unsetCursor()
        self._view.messages.show_hint(None, QPoint())
