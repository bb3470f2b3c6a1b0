"""A drawn edge: all transitions from one node to another, with its arrow."""

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, cos, pi, sin

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPainterPathStroker, QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.flow.layout.shapes import Bend, Route
from stepflow_gui.flow.layout.splines import curves
from stepflow_gui.formats.step_card import Sign
from stepflow_gui.gui.canvas.canvas_pens import FAR, CanvasPens, edge_look
from stepflow_gui.gui.canvas.items.label_item import LabelItem

ARROW_LENGTH = 9.0
ARROW_WIDTH = 8.0
HIT_WIDTH = 10.0
_REACH = ARROW_WIDTH / 2 + 1
_COARSER = 0.25  # Qt flattens curves for the size in which they would be seen
_STRAIGHT_UP_TO = 1.25  # the zoom up to which a curve is drawn as straight pieces, which Qt does four times as fast
_FINER = 2.0
_FINE = QTransform.fromScale(_FINER, _FINER)
_COARSE = QTransform.fromScale(_COARSER, _COARSER)


def spline(bends: Sequence[Bend]) -> QPainterPath:
    """The line through a route's bends."""
    path = QPainterPath()
    for at, curve in enumerate(curves(bends)):
        if at == 0:
            path.moveTo(*curve.start)
        path.cubicTo(*curve.control1, *curve.control2, *curve.end)
    return path


def arrow_head(tip: QPointF, angle: float, length: float = ARROW_LENGTH, width: float = ARROW_WIDTH) -> QPolygonF:
    """A filled arrow head that points along `angle` (radians) with its tip at a point."""
    back = QPointF(tip.x() - length * cos(angle), tip.y() - length * sin(angle))
    aside = QPointF(-sin(angle) * width / 2, cos(angle) * width / 2)
    return QPolygonF([tip, back + aside, back - aside])


class EdgeItem(QGraphicsItem):
    """Paints a route. The line ends inside its arrow, so that a thick pen shows no blunt tip."""

    def __init__(self, route: Route, pens: CanvasPens) -> None:
        super().__init__()
        self.route = route
        self.pens = pens
        self.label: LabelItem | None = None
        self.chosen = False
        self.hovered = False
        self.taken = False
        self.visits = 0
        self.dead = False
        self.nominal = False  # declared, never taken
        self.outcome: Sign = ""
        self._bends: tuple[Bend, ...] = ()
        self._path = QPainterPath()
        self._arrow = QPolygonF()
        self._bounds = QRectF()
        self._shape: QPainterPath | None = None
        self._lines: list[QLineF] | None = None
        self._fine: list[QLineF] | None = None
        self.set_bends(route.bends)
        self.setZValue(1)

    def show_route(self, route: Route) -> None:
        """Take another route of the same edge."""
        if route.bends != self.route.bends:
            self.set_bends(route.bends)
        self.route = route

    def set_bends(self, bends: Sequence[Bend]) -> None:
        """Draw another line."""
        self.prepareGeometryChange()
        self._shape = self._lines = self._fine = None
        self._bends = tuple(bends)
        last = bends[-1]
        short = (*bends[:-1], last._replace(x=last.x - last.dx * 6, y=last.y - last.dy * 6))
        self._path = spline(short)
        self._arrow = arrow_head(QPointF(last.x, last.y), atan2(last.dy, last.dx))
        around = self._path.controlPointRect().united(self._arrow.boundingRect())
        self._bounds = around.adjusted(-_REACH, -_REACH, _REACH, _REACH)

    @property
    def path(self) -> QPainterPath:
        """The line."""
        return self._path

    @property
    def lines(self) -> list[QLineF]:
        """The line as short straight ones, for whoever paints it small."""
        if self._lines is None:
            points = [point for corners in self._path.toSubpathPolygons(_COARSE) for point in corners.toList()]
            self._lines = [QLineF(a / _COARSER, b / _COARSER) for a, b in pairwise(points)]
        return self._lines

    def _pieces(self) -> list[QLineF]:
        if self._fine is None:
            points = [point for corners in self._path.toSubpathPolygons(_FINE) for point in corners.toList()]
            self._fine = [QLineF(a / _FINER, b / _FINER) for a, b in pairwise(points)]
        return self._fine

    def set_state(self, name: str, value: object) -> None:
        """Change one of the shown states of line and label; repaints only if it differs."""
        if getattr(self, name) != value:
            setattr(self, name, value)
            front = self.chosen or self.taken or self.hovered
            self.setZValue(1.2 if front else 1)
            self.update()
            if self.label is not None:
                self.label.follow(self.look, self.visits)

    def show_outcome(self, outcome: Sign) -> None:
        """Show after which outcome of a check it is taken, or that it needs the user."""
        if outcome != self.outcome:
            self.outcome = outcome
            self.update()
        if self.label is not None:
            self.label.sign(outcome)

    @property
    def look(self) -> str:
        """The look that its states add up to."""
        return edge_look(selected=self.chosen, hovered=self.hovered, taken=self.taken, visits=self.visits)

    def boundingRect(self) -> QRectF:
        return self._bounds

    def shape(self) -> QPainterPath:
        if self._shape is None:
            stroker = QPainterPathStroker()
            stroker.setWidth(HIT_WIDTH)
            self._shape = stroker.createStroke(self._path)
        return self._shape

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del widget
        zoom = option.levelOfDetailFromTransform(painter.worldTransform())
        far = zoom < FAR
        failing = self.outcome in {"failed", "fallback"} and not self.dead
        if failing:
            pen = self.pens.failing_pens[self.outcome, self.look, far]
        elif self.nominal and not self.dead:
            pen = self.pens.nominal_pens[self.look, far]
        else:
            pen = self.pens.edge_pens[self.look, self.dead, far]
        if self.route.back and pen.style() == Qt.PenStyle.SolidLine:
            pen = self.pens.going_back(pen)
        painter.setPen(pen)
        if pen.style() != Qt.PenStyle.SolidLine or zoom > _STRAIGHT_UP_TO:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(self._path)
        else:
            painter.drawLines(self._pieces())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(pen.color())
        painter.drawPolygon(self._arrow)


def direction(a: QPointF, b: QPointF) -> float:
    """The angle from one point to another; downwards where they coincide."""
    return pi / 2 if a == b else atan2(b.y() - a.y(), b.x() - a.x())
