"""A transition of a step to itself: no edge, but the sign ↻ on the pill of its intent."""

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPolygonF
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from stepflow_gui.flow.layout.arcs import asks_elsewhere
from stepflow_gui.flow.layout.shapes import Bend, Layout, NodeId, Route
from stepflow_gui.flow.model import Flow, Move
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.items.edge_item import EdgeItem
from stepflow_gui.gui.canvas.items.node_item import NEAR, paint_loop_sign
from stepflow_gui.gui.canvas.metrics import PILL_HEIGHT, NodeShape, fonts

_COUNT = 9.0  # how far a count stands above the pill
_AROUND = 2.0


def loop_routes(
    flow: Flow, layout: Layout, shapes: Mapping[str, NodeShape]
) -> Iterator[tuple[tuple[NodeId, NodeId], Route]]:
    """The transitions that come back to their own step, by intent; none where the layout has edges for them."""
    if any(route.kind == "loop" for route in layout.routes):
        return
    moves: dict[tuple[str, str], list[Move]] = {}
    for move in flow.moves():
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
