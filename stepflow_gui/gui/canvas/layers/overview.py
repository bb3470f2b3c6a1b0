"""The graph zoomed out: all edges in one drawLines, all nodes of a colour in one drawRects, no items."""

from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTransform
from PySide6.QtWidgets import QGraphicsItem

from stepflow_gui.flow.layout.shapes import NodeId, Route
from stepflow_gui.formats.step_card import kind_of
from stepflow_gui.formats.takt.card import is_good_end
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.items.edge_item import EdgeItem, LoopItem
from stepflow_gui.gui.canvas.items.node_item import NodeItem
from stepflow_gui.gui.canvas.layers.group_layer import GroupLayer
from stepflow_gui.gui.canvas.layers.stage_bands import StageBands
from stepflow_gui.gui.canvas.metrics import SMALL_LINE, far_name
from stepflow_gui.gui.canvas.scene_items import SceneItems

BELOW = 0.28  # the zoom under which the view paints this instead of its items
_BAD_END = "bad-end"
_MOST_NAMES = 60
_SMOOTH = 400  # up to so many edges they are curves here too
_WIDTHS = ((10, 3.0), (3, 2.0), (0, 1.0))  # how wide an edge between groups is, from how many transitions on
_BAND = 22.0  # wider than on the node, so the kind's colour is seen


class Overview:
    """The prebuilt lists of one scene; the minimap can paint them too."""

    def __init__(self, scene: SceneItems, bands: StageBands, groups: GroupLayer) -> None:
        self._scene = scene
        self._stages = bands
        self._groups = groups
        self._lines: list[QLineF] = []
        self._wide: dict[float, list[QLineF]] = {}  # between groups, by width in pixels
        self._line_at: dict[int, tuple[int, int]] = {}  # by id of the edge item: its first line and their number
        self._bodies: list[QRectF] = []
        self._bands: dict[str, list[QRectF]] = {}  # by kind
        self._place: dict[NodeId, tuple[str, int, int]] = {}  # kind, index in its bands, index in bodies
        self._straight: dict[EdgeItem, tuple[Route, list[QLineF]]] = {}  # of many edges, by their routes
        self._current = False

    @property
    def pens(self) -> CanvasPens:
        """What the scene is painted with."""
        return self._scene.pens

    def forget(self) -> None:
        """The scene has changed: build again at the next paint."""
        self._current = False

    def move(self, nodes: Iterable[NodeId]) -> None:
        """These nodes have moved: correct their rectangles and lines only."""
        if not self._current:
            return
        scene = self._scene
        for node in nodes:
            kind, band, body = self._place[node]
            frame = scene.nodes[node].frame
            self._bodies[body] = frame
            self._bands[kind][band] = _band(frame, kind)
            for edge in filter(QGraphicsItem.isVisible, scene.edges_at(node)):
                first, count = self._line_at[id(edge)]
                lines = self._edge_lines(edge)
                if len(lines) != count or self._groups.cards:  # a curve of another form has other pieces
                    self._current = False
                    return
                self._lines[first : first + count] = lines

    def paint(self, painter: QPainter, transform: QTransform, line: float = 1.2, *, names: bool = False) -> None:
        """Paint all, and what is marked above it, through a transform from scene to device.

        `line` is the width of curves in pixels; `names`: also those of the steps that are selected, run, or broken.
        """
        if not self._current:
            self._build()
        pens = self.pens
        smooth = len(self._line_at) <= _SMOOTH
        painter.setTransform(transform)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
        bands = [*(area for _name, area in self._stages.areas), *self._groups.fields.values()]
        if bands:
            painter.setPen(_hairline(pens.border.color(), 0))
            painter.setBrush(pens.section_brush)
            painter.drawRects(bands)
        painter.setPen(_hairline(pens.edge, line if smooth else 0))
        painter.drawLines(self._lines)
        for width, lines in self._wide.items():
            painter.setPen(_hairline(pens.edge, line * width))
            painter.drawLines(lines)
        painter.setPen(_hairline(pens.border.color(), 0))
        painter.setBrush(pens.surface_brush)
        painter.drawRects(self._bodies)
        painter.setPen(Qt.PenStyle.NoPen)
        for kind, rects in self._bands.items():
            good, bad = kind == "end", kind in {"ghost", _BAD_END}
            painter.setBrush(pens.closure if good else pens.error if bad else pens.kind(kind))
            painter.drawRects(rects)
        if names and self._groups.cards:
            self._groups.paint_frames(painter, transform.m11(), _MOST_NAMES)
        self._paint_marks(painter, pens)
        painter.resetTransform()
        if names:
            self._paint_names(painter, transform)

    def _build(self) -> None:
        scene = self._scene
        self._straight = {edge: known for edge, known in self._straight.items() if edge.scene() is scene}
        self._lines, self._line_at = [], {}
        self._bodies, self._bands, self._place = [], {}, {}
        self._wide = {}
        for edge in filter(QGraphicsItem.isVisible, scene.edges.values()):
            lines = self._edge_lines(edge)
            if lines and self._groups.cards:
                self._add_between(edge, lines)
                lines = []
            self._line_at[id(edge)] = (len(self._lines), len(lines))
            self._lines.extend(lines)
        for node, item in scene.nodes.items():
            if not item.isVisible():
                continue
            kind = kind_of(item.step) if isinstance(item, NodeItem) else _shown_kind(node)
            bands = self._bands.setdefault(kind, [])
            self._place[node] = (kind, len(bands), len(self._bodies))
            bands.append(_band(item.frame, kind))
            self._bodies.append(item.frame)
        self._current = True

    def _add_between(self, edge: EdgeItem, lines: list[QLineF]) -> None:
        """Among groups only what goes from one to another is drawn, the wider the more transitions it joins."""
        key_of = self._groups.key_of
        source, target = (key_of.get(node.name, node.name) for node in (edge.route.source, edge.route.target))
        if source != target:
            width = next(width for least, width in _WIDTHS if len(edge.route.moves) >= least)
            self._wide.setdefault(width, []).extend(lines)

    def _edge_lines(self, edge: EdgeItem) -> list[QLineF]:
        if isinstance(edge, LoopItem):
            return []
        if len(self._scene.edges) <= _SMOOTH:
            return edge.lines
        known = self._straight.get(edge)
        if known is None or known[0] is not edge.route:
            lines = [QLineF(a.x, a.y, b.x, b.y) for a, b in pairwise(edge.route.bends)]
            known = self._straight[edge] = (edge.route, lines)
        return known[1]

    def _paint_marks(self, painter: QPainter, pens: CanvasPens) -> None:
        scene = self._scene
        painter.setBrush(Qt.BrushStyle.NoBrush)
        taken = scene.edge_item(scene.run.taken)
        for edge, color in ((taken, pens.active), (scene.edge_item(scene.selected_transition), pens.accent)):
            if edge is not None:
                painter.setPen(_hairline(color, 2.5))
                painter.drawPath(edge.path)
        chosen = scene.step_item(scene.selected)
        if chosen is not None:
            painter.setPen(_hairline(pens.accent, 2))
            painter.drawRect(chosen.frame)
        painter.setPen(_hairline(pens.active, 3))
        painter.drawRects([item.frame for step in scene.run.active if (item := scene.step_item(step)) is not None])
        for path, color in scene.overview_marks():
            painter.setPen(_hairline(color, 3))
            painter.drawPath(path)
        painter.setPen(Qt.PenStyle.NoPen)
        marks: dict[str, list[QRectF]] = {}
        for step, counts in scene.counts.items():
            item, worst = scene.step_item(step), counts.worst
            if item is not None and item.isVisible() and worst is not None:
                corner = item.frame.topRight()
                marks.setdefault(worst[0], []).append(QRectF(corner - QPointF(22, 14), corner + QPointF(14, 22)))
        for severity, rects in marks.items():
            painter.setBrush(pens.severities[severity])
            painter.drawRects(rects)

    def _paint_names(self, painter: QPainter, transform: QTransform) -> None:
        scene, zoom = self._scene, transform.m11()
        broken = (step for step, counts in scene.counts.items() if counts.worst is not None)
        steps = dict.fromkeys(filter(None, (scene.selected, *scene.run.active, *broken)))
        painter.setPen(self.pens.text)
        for step in list(steps)[:_MOST_NAMES]:
            item = scene.step_item(step)
            if item is None or not item.isVisible() or item.measured.height * zoom < SMALL_LINE:
                continue
            name = far_name(item.measured, zoom)
            painter.setFont(name.font)
            frame = transform.mapRect(item.frame).adjusted(_BAND * zoom + 2, 0, -2, 0)
            painter.drawText(frame, int(Qt.AlignmentFlag.AlignVCenter), name.lines[0])


def _shown_kind(node: NodeId) -> str:
    return _BAD_END if node.kind == "end" and node.word and not is_good_end(node.word) else node.kind


def _band(frame: QRectF, kind: str) -> QRectF:
    if kind in {"end", "ghost", _BAD_END}:
        inset = frame.height() * 0.2
        return frame.adjusted(inset, inset, -inset, -inset)
    if kind == "group":
        return QRectF()
    return QRectF(frame.left(), frame.top(), _BAND, frame.height())


def _hairline(color: QColor, width: float) -> QPen:
    """A pen of a width in device pixels."""
    pen = QPen(color, width)
    pen.setCosmetic(True)
    return pen
