"""The chip on an edge that names its intents."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.flow.layout.shapes import Box
from stepflow_gui.formats.step_card import Sign
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.items.outcome_looks import SIGN_ROOM, sign_path
from stepflow_gui.gui.canvas.metrics import fonts, label_width, one_line

LEGIBLE = 0.5  # below this zoom labels are left out
_PAD = 5.0
_HEIGHT = 18.0
_LOOK_COLORS = {"rest": "muted", "hover": "text", "selected": "accent"}  # of an edge's look; the others are of a run


class LabelItem(QGraphicsItem):
    """Paints a text on a chip of the canvas's colour, above all edges, where the layout keeps room for it.

    It grows from its middle, beside a loop only to the right.
    """

    def __init__(self, text: str, box: Box, pens: CanvasPens, edge: QGraphicsItem, *, beside: bool = False) -> None:
        super().__init__()
        self.pens = pens
        self._beside = beside
        self.edge = edge  # the edge it belongs to: pointing at one is pointing at the other
        self._text = one_line(text)
        self._outcome: Sign = ""
        self._look = "rest"
        self._visits = 0
        self._chip = QRectF()
        self.place(box)
        self.setZValue(1.5)

    @property
    def text(self) -> str:
        """The text, with the count of a run."""
        return f"{self._text} ×{self._visits}" if self._visits > 1 else self._text

    def show_text(self, text: str, box: Box) -> None:
        """Show another text, there."""
        if one_line(text) != self._text:
            self._text = one_line(text)
            self.update()
        self.place(box)

    def place(self, box: Box) -> None:
        """Move to another place that the layout keeps free."""
        self.setPos(QPointF(box.x if self._beside else box.middle, box.y + box.height / 2))
        self._measure()

    def sign(self, outcome: Sign) -> None:
        """Show by a sign after which outcome of a check the edge is taken, or that it needs the user."""
        if outcome != self._outcome:
            self._outcome = outcome
            self._measure()
            self.update()

    def follow(self, look: str, visits: int) -> None:
        """Take the look and count of the edge."""
        self._look = look
        self._visits = visits
        self._measure()
        self.update()

    def _measure(self) -> None:
        width = label_width(self.text) + 2 * _PAD + (SIGN_ROOM if self._outcome else 0.0)
        if width != self._chip.width():
            self.prepareGeometryChange()
            self._chip = QRectF(0.0 if self._beside else -width / 2, -_HEIGHT / 2, width, _HEIGHT)

    def boundingRect(self) -> QRectF:
        return self._chip

    def shape(self) -> QPainterPath:
        path = QPainterPath()
        path.addRect(self._chip)
        return path

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del widget
        if option.levelOfDetailFromTransform(painter.worldTransform()) < LEGIBLE:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.pens.canvas_brush)
        painter.drawRoundedRect(self._chip.adjusted(0, 1, 0, -1), 4, 4)
        painter.setFont(fonts().label)
        painter.setPen(getattr(self.pens, _LOOK_COLORS.get(self._look, "active_text")))
        if not self._outcome:
            painter.drawText(self._chip, int(Qt.AlignmentFlag.AlignCenter), self.text)
            return
        left = self._chip.left() + _PAD
        room = self._chip.adjusted(_PAD + SIGN_ROOM, 0, 0, 0)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text)
        painter.setPen(self.pens.signs[self._outcome])
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(sign_path(self._outcome, left, 0.0))
