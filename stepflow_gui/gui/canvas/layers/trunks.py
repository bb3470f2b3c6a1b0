"""Over the edges of bundles, where they run together: one wide, pale line."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.flow.layout.bundles import trunks_of
from stepflow_gui.flow.layout.shapes import NodeId, Route
from stepflow_gui.gui.canvas.canvas_pens import FAR, CanvasPens
from stepflow_gui.gui.canvas.scene_items import SceneItems


class TrunksItem(QGraphicsItem):
    """Paints all trunks of a scene, above edges at rest and below those that are lit."""

    def __init__(self, pens: CanvasPens) -> None:
        super().__init__()
        self.pens = pens
        self.lines: list[QLineF] = []
        self._bounds = QRectF()
        self.setZValue(1.05)

    def show_lines(self, lines: list[QLineF]) -> None:
        """Show these."""
        self.prepareGeometryChange()
        self.lines = lines
        self._bounds = QRectF()
        for line in lines:
            self._bounds = self._bounds.united(QRectF(line.p1(), line.p2()).normalized().adjusted(-2, -2, 2, 2))
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def shape(self) -> QPainterPath:
        return QPainterPath()  # what is pointed at are the edges

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del widget
        far = option.levelOfDetailFromTransform(painter.worldTransform()) < FAR
        painter.setPen(self.pens.trunk_far if far else self.pens.trunk)
        painter.drawLines(self.lines)


class Trunks:
    """The trunks of one scene."""

    def __init__(self, scene: SceneItems) -> None:
        self._scene = scene
        self.item: TrunksItem | None = None

    def show_routes(self, routes: Sequence[Route], without: Collection[NodeId] = ()) -> None:
        """Show what bundles of these have in common; `without` those that hang on nodes which are being dragged."""
        shown = [trunk for trunk in trunks_of(routes) if trunk.nodes.isdisjoint(without)]
        lines = [QLineF(*line) for trunk in shown for line in trunk.lines]
        if self.item is None and lines:
            self.item = TrunksItem(self._scene.pens)
            self._scene.addItem(self.item)
        if self.item is not None:
            self.item.show_lines(lines)

    def set_pens(self, pens: CanvasPens) -> None:
        """Paint in another look."""
        if self.item is not None:
            self.item.pens = pens
            self.item.update()
