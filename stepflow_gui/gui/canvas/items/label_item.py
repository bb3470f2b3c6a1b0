"""The chip on an edge that names its intents, a line each."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.flow.layout.dimensions import LABEL_HEIGHT, LABEL_PADDING, LINE_HEIGHT
from stepflow_gui.flow.layout.shapes import Box
from stepflow_gui.formats.step_card import Sign
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.items.outcome_looks import SIGN_ROOM, sign_path
from stepflow_gui.gui.canvas.metrics import fonts, label_width, one_line

LEGIBLE = 0.5  # below this zoom labels are left out
_RESTING = 0.85  # below this zoom only those of edges that are pointed at, selected or taken are shown
_LOOK_COLORS = {"rest": "muted", "hover": "text", "selected": "accent"}  # of an edge's look; the others are of a run


class LabelItem(QGraphicsItem):
    """Paints a text on a chip of the canvas's colour, above all edges, where the layout keeps room for it.

    It grows from its middle, beside a loop only to the right.
    """

    def __init__(
        self, lines: tuple[str, ...], box: Box, pens: CanvasPens, edge: QGraphicsItem, *, beside: bool = False
    ) -> None:
        super().__init__()
        self.pens = pens
        self._beside = beside
        self.edge = edge  # the edge it belongs to: pointing at one is pointing at the other
        self._lines = tuple(one_line(line) for line in lines)
        self.repeats = False  # it only says what can be read on the pill that the edge begins at
        self._outcome: Sign = ""
        self._look = "rest"
        self._visits = 0
        self._chip = QRectF()
        self.place(box)
        self.setZValue(1.5)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines, the last one with the count of a run."""
        last = f"{self._lines[-1]} ×{self._visits}" if self._visits > 1 else self._lines[-1]
        return (*self._lines[:-1], last)

    def show_lines(self, lines: tuple[str, ...], box: Box) -> None:
        """Show another text, there."""
        shown = tuple(one_line(line) for line in lines)
        if shown != self._lines:
            self._lines = shown
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
        room = 2 * LABEL_PADDING + (SIGN_ROOM if self._outcome else 0.0)
        width = max(label_width(line) for line in self.lines) + room
        height = LABEL_HEIGHT + LINE_HEIGHT * (len(self._lines) - 1)
        if (width, height) != (self._chip.width(), self._chip.height()):
            self.prepareGeometryChange()
            self._chip = QRectF(0.0 if self._beside else -width / 2, -height / 2, width, height)

    def boundingRect(self) -> QRectF:
        return self._chip

    def shape(self) -> QPainterPath:
        path = QPainterPath()
        if not self._is_silent:
            path.addRect(self._chip)
        return path

    @property
    def _is_silent(self) -> bool:
        """Whether it isn't shown at any zoom as long as nobody looks at its edge."""
        return self.repeats and self._look == "rest" and not self._outcome

    def is_shown(self, zoom: float) -> bool:
        """Whether it is painted at a zoom."""
        return zoom >= (_RESTING if self._look == "rest" else LEGIBLE) and not self._is_silent

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del widget
        if not self.is_shown(option.levelOfDetailFromTransform(painter.worldTransform())):
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.pens.canvas_brush)
        painter.drawRoundedRect(self._chip.adjusted(0, 1, 0, -1), 4, 4)
        painter.setFont(fonts().label)
        painter.setPen(getattr(self.pens, _LOOK_COLORS.get(self._look, "active_text")))
        left = self._chip.left() + LABEL_PADDING
        room = self._chip.adjusted(LABEL_PADDING + (SIGN_ROOM if self._outcome else 0.0), 0, 0, 0)
        if len(self._lines) == 1 and not self._outcome:
            painter.drawText(self._chip, int(Qt.AlignmentFlag.AlignCenter), self.lines[0])
        for at, line in enumerate(self.lines if len(self._lines) > 1 or self._outcome else ()):
            row = QRectF(room.left(), room.top() + LINE_HEIGHT * at, room.width(), LABEL_HEIGHT)
            painter.drawText(row, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), line)
        if self._outcome:
            painter.setPen(self.pens.signs[self._outcome])
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(sign_path(self._outcome, left, self._chip.top() + LABEL_HEIGHT / 2))
