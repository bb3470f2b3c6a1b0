"""A drawn edge: all transitions from one node to another, with its arrow."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import atan2, cos, pi, sin

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPainterPathStroker, QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.flow.layout.arcs import asks_elsewhere
from stepflow_gui.flow.layout.shapes import Bend, Layout, NodeId, Route
from stepflow_gui.flow.layout.splines import curves
from stepflow_gui.flow.model import Flow, Move, moves_of
from stepflow_gui.formats.step_card import Sign
from stepflow_gui.gui.canvas.canvas_pens import FAR, CanvasPens, edge_look
from stepflow_gui.gui.canvas.items.label_item import LabelItem
from stepflow_gui.gui.canvas.items.node_item import NEAR, paint_loop_sign
from stepflow_gui.gui.canvas.metrics import PILL_HEIGHT, NodeShape, fonts

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
    """Paints a route. The line ends inside its arrow, so a thick pen shows no blunt tip."""

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

    def stretch(self, by: QPointF, *, source: bool, target: bool) -> None:
        """Go along with moved ends: the bends between follow in proportion."""
        bends, route = self.route.bends, self.route
        last = max(1, len(bends) - 1)
        shares = [source * (1 - at / last) + target * (at / last) for at in range(len(bends))]
        moved = [bend.shifted(by.x() * share, by.y() * share) for bend, share in zip(bends, shares, strict=True)]
        near = 0.8 * source + 0.2 * target  # labels stand near the source
        box = route.label_box and route.label_box.shifted(by.x() * near, by.y() * near)
        self.show_route(route._replace(bends=tuple(moved), label_box=box))
        if self.label is not None and box is not None:
            self.label.place(box)

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
            self.setZValue(1.2 if front else 1.1 if self.visits else 1)
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


_COUNT = 9.0  # how far a count stands above the pill
_AROUND = 2.0


def loop_routes(
    flow: Flow, layout: Layout, shapes: Mapping[str, NodeShape], steps: Iterable[str] | None = None
) -> Iterator[tuple[tuple[NodeId, NodeId], Route]]:
    """The transitions that come back to their own step, by intent; none where the layout has edges for them.

    Those of all steps, or of some.
    """
    if any(route.kind == "loop" for route in layout.routes):
        return
    moves: dict[tuple[str, str], list[Move]] = {}
    for step_id in flow.steps if steps is None else steps:
        if NodeId("step", step_id) not in layout.boxes:  # in a folded group
            continue
        for move in moves_of(flow.steps[step_id]):
            if move.target == move.step or asks_elsewhere(move):
                moves.setdefault((move.step, move.intent), []).append(move)
    for (step, intent), found in moves.items():
        node = NodeId("step", step)
        pills = shapes[step].pills
        pill = next((pill for pill in pills if pill.intent == intent), pills[-1])  # the last stands for hidden ones
        rect = pill.rect.translated(layout.boxes[node].x, layout.boxes[node].y)
        bends = (Bend(rect.left(), rect.top(), 0, 1), Bend(rect.right(), rect.bottom(), 0, 1))  # two corners of it
        key = (node, node._replace(word=intent))
        yield key, Route(node, node, tuple(found), "loop", False, bends, pill.intent or "", (), None)


class LoopItem(EdgeItem):
    """Shows on a pill what an edge would show: whether the transition is selected, was taken, how often."""

    def __init__(self, route: Route, pens: CanvasPens) -> None:
        super().__init__(route, pens)
        self.setZValue(2.05)

    def set_bends(self, bends: Sequence[Bend]) -> None:
        """Stand on another pill, or on the pill elsewhere."""
        self.prepareGeometryChange()
        self._shape = self._lines = self._fine = None
        first, last = bends[0], bends[-1]
        self._pill = QRectF(QPointF(first.x, first.y), QPointF(last.x, last.y))
        self._path = QPainterPath()
        self._path.addRoundedRect(self._pill.adjusted(0.5, 0.5, -0.5, -0.5), PILL_HEIGHT / 2, PILL_HEIGHT / 2)
        self._arrow = QPolygonF()
        self._bounds = self._pill.adjusted(-_AROUND, -_COUNT, 24, _AROUND)

    def shape(self) -> QPainterPath:
        return QPainterPath()  # the pill is what the pointer is over

    def set_state(self, name: str, value: object) -> None:
        super().set_state(name, value)
        self.setZValue(2.05)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del widget
        if option.levelOfDetailFromTransform(painter.worldTransform()) < NEAR:
            return
        look = self.look
        pen = self.pens.edge_pens[look, self.dead, False]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if look != "rest" or self.dead:
            painter.setPen(pen)
            painter.drawPath(self._path)
        if self.route.label and (look != "rest" or self.outcome):
            painter.setPen(self.pens.signs[self.outcome] if self.outcome and look == "rest" else pen)
            paint_loop_sign(painter, self._pill)
        if self.visits > 1:
            text = f"×{self.visits}"
            painter.setFont(fonts().badge)
            painter.setPen(self.pens.active_text)
            width = QFontMetricsF(fonts().badge).horizontalAdvance(text)
            painter.drawText(QPointF(self._pill.right() - width / 2, self._pill.top() + 2), text)
