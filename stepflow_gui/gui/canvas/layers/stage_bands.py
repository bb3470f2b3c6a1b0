"""Where a flow goes through stages: a band under the steps of each, with its name."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.flow.layout.shapes import Box, Layout
from stepflow_gui.flow.model import Flow
from stepflow_gui.flow.stages import named_areas, stages_of
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.metrics import CORNER, fonts
from stepflow_gui.gui.canvas.scene_items import SceneItems

_NAME = QPointF(14.0, 18.0)  # from the band's corner to the name's base line


class BandItem(QGraphicsItem):
    """Paints the bands."""

    def __init__(self, pens: CanvasPens) -> None:
        super().__init__()
        self.pens = pens
        self.areas: list[tuple[str, QRectF]] = []
        self._bounds = QRectF()
        self.setZValue(0.3)

    def set_areas(self, areas: list[tuple[str, QRectF]]) -> None:
        """Show other bands."""
        if areas == self.areas:
            return
        self.prepareGeometryChange()
        self.areas = areas
        self._bounds = QRectF()
        for _name, area in areas:
            self._bounds = self._bounds.united(area)
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def shape(self) -> QPainterPath:
        return QPainterPath()  # nothing to point at

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        painter.setFont(fonts().kind)
        for name, area in self.areas:
            painter.setPen(self.pens.border)
            painter.setBrush(self.pens.section_brush)
            painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), CORNER, CORNER)
            painter.setPen(self.pens.muted)
            painter.drawText(area.topLeft() + _NAME, name)
        painter.setBrush(Qt.BrushStyle.NoBrush)


class StageBands:
    """The bands of one scene, kept around their steps."""

    def __init__(self, scene: SceneItems) -> None:
        self._scene = scene
        self._item: BandItem | None = None

    @property
    def areas(self) -> list[tuple[str, QRectF]]:
        """The names and places of the bands."""
        return self._item.areas if self._item is not None else []

    def place(self) -> None:
        """Stand around the steps as they are now."""
        scene = self._scene
        if scene.flow is None or not stages_of(scene.flow):
            if self._item is not None:
                scene.removeItem(self._item)
                self._item = None
            return
        if self._item is None:
            self._item = BandItem(scene.pens)
            scene.addItem(self._item)
        frames = {item.step.id: item.frame for item in scene.steps() if item.isVisible()}
        boxes = {step: Box(rect.x(), rect.y(), rect.width(), rect.height()) for step, rect in frames.items()}
        self._item.set_areas([(name, _rect(area)) for name, area in named_areas(scene.flow, boxes)])

    def set_pens(self, pens: CanvasPens) -> None:
        """Paint in another look."""
        if self._item is not None:
            self._item.pens = pens
            self._item.update()


def shown_area(flow: Flow | None, layout: Layout) -> QRectF:
    """What a whole flow takes, its bands included."""
    around = layout.bounds
    for _name, area in named_areas(flow, layout.steps) if flow is not None else ():
        around = around.around(area)
    return _rect(around)


def _rect(box: Box) -> QRectF:
    return QRectF(box.x, box.y, box.width, box.height)
