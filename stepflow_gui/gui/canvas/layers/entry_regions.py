"""Where a flow has several entries: a quiet ground of its own under the steps that only one of them reaches."""

from collections.abc import Collection, Mapping

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.flow.entry_regions import regions
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.layers.group_layer import GroupLayer
from stepflow_gui.gui.canvas.layers.stage_bands import StageBands
from stepflow_gui.gui.canvas.metrics import CORNER
from stepflow_gui.gui.canvas.scene_items import SceneItems

_AROUND = 14.0


class RegionItem(QGraphicsItem):
    """Paints the grounds. One item for all steps: most flows have none."""

    def __init__(self, pens: CanvasPens) -> None:
        super().__init__()
        self.pens = pens
        self._frames: dict[str, tuple[int, QRectF]] = {}
        self._bounds = QRectF()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setZValue(0.5)

    def set_frames(self, frames: Mapping[str, tuple[int, QRectF]]) -> None:
        """Put these grounds there, besides those of other steps."""
        for step, (number, frame) in frames.items():
            old = self._frames.get(step)
            if old is not None:
                self.update(old[1])
            around = frame.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)
            self._frames[step] = number, around
            if not self._bounds.contains(around):
                self.prepareGeometryChange()
                self._bounds = self._bounds.united(around)
            self.update(around)

    def drop_all(self) -> None:
        """Take all away."""
        self.prepareGeometryChange()
        self._frames = {}
        self._bounds = QRectF()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def shape(self) -> QPainterPath:
        return QPainterPath()  # nothing to point at

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del widget
        exposed: QRectF = option.exposedRect
        painter.setPen(Qt.PenStyle.NoPen)
        for number, frame in self._frames.values():
            if frame.intersects(exposed):
                painter.setBrush(self.pens.regions[number % len(self.pens.regions)])
                painter.drawRoundedRect(frame, CORNER + _AROUND / 2, CORNER + _AROUND / 2)


class EntryRegions:
    """The grounds of one scene, kept under their steps."""

    def __init__(self, scene: SceneItems, groups: GroupLayer) -> None:
        self._scene = scene
        self._groups = groups  # which say more of where steps belong
        self._of: dict[str, int] = {}
        self.item: RegionItem | None = None
        self.bands = StageBands(scene)

    def region_of(self, step: str) -> int | None:
        """The number of the one entry that reaches a step; None where several do, or there is but one."""
        return self._of.get(step)

    def show_flow(self) -> None:
        """Distinguish the entries of the scene's flow."""
        scene = self._scene
        self.bands.place()
        self._of = regions(scene.flow, scene.entries) if scene.flow is not None and not self._groups.cards else {}
        for node, entry in scene.entries.items():
            entry.set_region(self._of.get(node.name))
        if not self._of:
            if self.item is not None:
                scene.removeItem(self.item)
                self.item = None
            return
        if self.item is None:
            self.item = RegionItem(scene.pens)
            scene.addItem(self.item)
        self.item.drop_all()
        self.place(self._of)

    def place(self, steps: Collection[str]) -> None:
        """Place it under these steps, which may have moved."""
        self.bands.place()
        if self.item is None:
            return
        items = {step: self._scene.step_item(step) for step in steps if step in self._of}
        frames = {step: (self._of[step], item.frame) for step, item in items.items() if item and item.isVisible()}
        self.item.set_frames(frames)

    def set_pens(self, pens: CanvasPens) -> None:
        """Paint in another look."""
        self.bands.set_pens(pens)
        if self.item is not None:
            self.item.pens = pens
            self.item.update()
