"""What differs between versions, drawn over a graph: frames and signs at steps, edges and entries."""

from collections.abc import Iterator, Mapping
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget
from shiboken6 import isValid

from stepflow_gui.flow.comparison.both import EdgeKey, Mark
from stepflow_gui.flow.layout.arcs import node_of
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.items.edge_item import EdgeItem
from stepflow_gui.gui.canvas.items.node_item import NodeItem
from stepflow_gui.gui.canvas.items.sign_items import EntryItem
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.canvas.metrics import CORNER
from stepflow_gui.gui.canvas.scene_items import SceneItems
from stepflow_gui.gui.widgets.fonts import ui_font

Shown = Mark | Literal["conflict"]  # the last: both sides of a merge changed it
SIGNS: Mapping[Shown, str] = {"added": "+", "removed": "\N{MINUS SIGN}", "changed": "~", "conflict": "!"}
TOKENS: Mapping[Shown, str] = {"added": "closure", "removed": "error", "changed": "warning", "conflict": "error"}
NO_ENTRIES: Mapping[str, Mark] = {}
_SIGN = 9.0  # radius
_AROUND = 4.0
_WIDTH = 2.4


class ChangeLayer:
    """Marks the items of one scene. To be shown again when the scene was built again."""

    def __init__(self, graph: SceneItems) -> None:
        self._graph = graph
        self._items: list[StepChangeItem | TransitionChangeItem] = []
        graph.overview_marks = self._far

    @property
    def items(self) -> list[QGraphicsItem]:
        """What is drawn."""
        return list(self._items)

    def show(
        self,
        steps: Mapping[str, Shown],
        edges: Mapping[EdgeKey, Mark],
        pens: CanvasPens,
        entries: Mapping[str, Mark] = NO_ENTRIES,
    ) -> None:
        """Mark these, and nothing else any more: entries by their step. What isn't drawn is passed over."""
        self.clear()
        for step_id, mark in steps.items():
            node = self._graph.step_item(step_id)
            if node is not None:
                self._items.append(StepChangeItem(node, mark, pens))
        lines: dict[EdgeItem, set[Mark]] = {}
        for key, mark in edges.items():
            edge = self._graph.edge_item(TransitionRef(*key))
            if edge is not None:
                lines.setdefault(edge, set()).add(mark)
        for edge, marks in lines.items():  # one line may show several transitions
            self._items.append(TransitionChangeItem(edge, marks.pop() if len(marks) == 1 else "changed", pens))
        for step_id, change in entries.items():
            flow = self._graph.flow
            entry = self._graph.entries.get(node_of(flow, step_id)) if flow is not None else None
            if entry is not None:
                self._items.append(TransitionChangeItem(entry, change, pens))

    def _far(self) -> Iterator[tuple[QPainterPath, QColor]]:
        """What is marked, as lines and their colours for a graph that is painted as an overview."""
        color = self._graph.pens.theme.color
        return ((item.outline, color(TOKENS[item.mark])) for item in self._items if isValid(item))

    def clear(self) -> None:
        """Mark nothing."""
        for item in self._items:
            if isValid(item) and item.scene() is not None:  # items are deleted with their parent items
                self._graph.removeItem(item)
        self._items = []


class StepChangeItem(QGraphicsItem):
    """A frame around a step and a sign at its corner; a step that is gone is washed out and dashed."""

    def __init__(self, node: NodeItem, mark: Shown, pens: CanvasPens) -> None:
        super().__init__(node)
        self.mark: Shown = mark
        self._pens = pens
        self._node = node
        self._frame = QRectF(node.measured.rect)

    @property
    def outline(self) -> QPainterPath:
        """The frame in the scene."""
        path = QPainterPath()
        path.addRect(self._node.frame)
        return path

    def boundingRect(self) -> QRectF:
        edge = _AROUND + _SIGN + 2
        return self._frame.adjusted(-edge, -edge, edge, edge)

    def shape(self) -> QPainterPath:
        return QPainterPath()  # nothing to point at

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        color = self._pens.theme.color(TOKENS[self.mark])
        around = self._frame.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)
        if self.mark == "removed":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._pens.wash)
            painter.drawRoundedRect(self._frame, CORNER, CORNER)
        painter.setPen(_pen(color, dashed=self.mark == "removed"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(around, CORNER + _AROUND, CORNER + _AROUND)
        _paint_sign(painter, around.topLeft() + QPointF(3, 3), self.mark, color, self._pens)


class TransitionChangeItem(QGraphicsItem):
    """A coloured line over an edge, with a sign on it, or over the arrow of an entry, whose dot is the sign.

    The words at an entry name the verdict types.
    """

    def __init__(self, line: EdgeItem | EntryItem, mark: Mark, pens: CanvasPens) -> None:
        super().__init__(line)
        self.mark: Mark = mark
        self.line = line
        self._pens = pens

    @property
    def outline(self) -> QPainterPath:
        """The line in the scene."""
        return self.line.path

    def boundingRect(self) -> QRectF:
        path = self.line.path.controlPointRect()
        return path.united(self.line.boundingRect()).adjusted(-_SIGN - 2, -_SIGN - 2, _SIGN + 2, _SIGN + 2)

    def shape(self) -> QPainterPath:
        return QPainterPath()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        color = self._pens.theme.color(TOKENS[self.mark])
        painter.setPen(_pen(color, dashed=self.mark == "removed"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(self.line.path)
        item = self.line
        sign = QPointF(*item.mark.dot) if isinstance(item, EntryItem) else item.path.pointAtPercent(0.7)
        _paint_sign(painter, sign, self.mark, color, self._pens)


def _pen(color: QColor, *, dashed: bool) -> QPen:
    pen = QPen(color, _WIDTH)
    if dashed:
        pen.setDashPattern([4.0, 3.0])
    return pen


def _paint_sign(painter: QPainter, at: QPointF, mark: Shown, color: QColor, pens: CanvasPens) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawEllipse(at, _SIGN, _SIGN)
    painter.setPen(pens.onmark)
    painter.setFont(ui_font(13, QFont.Weight.Bold))
    square = QRectF(at.x() - _SIGN, at.y() - _SIGN, 2 * _SIGN, 2 * _SIGN)
    painter.drawText(square, int(Qt.AlignmentFlag.AlignCenter), SIGNS[mark])
