"""The groups of one scene: folded ones are cards among the nodes, the others fields with a name under their steps."""

from collections.abc import Collection, Iterable, Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.flow.groups.drawing import facts_of
from stepflow_gui.flow.groups.folding import HEADER, PAD, Folded
from stepflow_gui.flow.groups.grouping import StepGroup
from stepflow_gui.flow.layout.shapes import Box, NodeId
from stepflow_gui.flow.model import Flow
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.items.group_item import (
    CHEVRON,
    GroupCard,
    GroupItem,
    header_font,
    paint_chevron,
    paint_line,
    small_font,
)
from stepflow_gui.gui.canvas.marks import SeverityCounts
from stepflow_gui.gui.canvas.metrics import CORNER
from stepflow_gui.gui.canvas.scene_items import SceneItems
from stepflow_gui.gui.document.step_terms import counted_steps

_MOST_NAMED = 400  # fields with a name, of those in sight


class FieldsItem(QGraphicsItem):
    """Paints the fields: one item for all of them. Only their headers can be pointed at."""

    def __init__(self, layer: "GroupLayer", pens: CanvasPens) -> None:
        super().__init__()
        self.pens = pens
        self._layer = layer
        self._bounds = QRectF()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setZValue(0.4)

    def show_areas(self) -> None:
        """The layer's areas are others."""
        self.prepareGeometryChange()
        self._bounds = QRectF()
        for area in self._layer.fields.values():
            self._bounds = self._bounds.united(area)
        self._bounds.adjust(-8, -8, 8, 8)
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def shape(self) -> QPainterPath:
        return QPainterPath()  # the view asks the layer which header is meant

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del widget
        zoom = option.levelOfDetailFromTransform(painter.worldTransform())
        exposed: QRectF = option.exposedRect
        left = _MOST_NAMED
        for key, area in self._layer.fields.items():
            if area.intersects(exposed):
                left -= 1
                self._paint_field(painter, key, area, zoom, named=left > 0)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_field(self, painter: QPainter, key: str, area: QRectF, zoom: float, *, named: bool) -> None:
        pens, layer = self.pens, self._layer
        painter.setPen(pens.selected_border if key == layer.selected else pens.border)
        painter.setBrush(pens.section_brush)
        painter.drawRoundedRect(area, CORNER * 1.5, CORNER * 1.5)
        if not named:
            return
        transform = painter.transform()
        painter.scale(1 / zoom, 1 / zoom)
        grown = 1.0 if zoom < 1 else zoom
        header = QRectF(area.left() * zoom, area.top() * zoom, area.width() * zoom, HEADER * zoom)
        inner = header.adjusted(12, 0, -12, 0)
        painter.setPen(pens.text)
        paint_chevron(painter, QPointF(inner.left() + 4 * grown, inner.center().y()), grown, down=True)
        card, font = layer.cards[key], header_font(grown)
        name = inner.adjusted((CHEVRON + 4) * grown, 0, 0, 0)
        paint_line(painter, name, card.group.name, font)
        used = QFontMetricsF(font).horizontalAdvance(card.group.name) + 10 * grown
        counts, worst = card.counts, layer.counts_of(key).worst
        room = name.width() - used
        if room > QFontMetricsF(small_font(grown)).horizontalAdvance(counts):
            painter.setPen(pens.muted)
            paint_line(painter, name.adjusted(used, 0, 0, 0), counts, small_font(grown))
            if worst is not None:
                mark = QRectF(name.right() - 14 * grown, name.center().y() - 6 * grown, 12 * grown, 12 * grown)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(pens.severities[worst[0]])
                corner = 3 * grown if worst[0] == "warning" else 6 * grown
                painter.drawRoundedRect(mark, corner, corner)
        painter.setTransform(transform)


class GroupLayer:
    """What is known of the groups on one scene, and what of them is painted."""

    def __init__(self, scene: SceneItems) -> None:
        self._scene = scene
        self._item: FieldsItem | None = None
        self._facts_for: tuple[object, object] = (None, None)
        self.cards: dict[str, GroupCard] = {}
        self.key_of: dict[str, str] = {}  # by step
        self.fields: dict[str, QRectF] = {}
        self.folded: Folded | None = None
        self.selected: str | None = None
        self._hovered: str | None = None

    def set_groups(self, flow: Flow, groups: Sequence[StepGroup], folded: Folded | None) -> None:
        """The groups of the flow that is shown next, and how they are folded."""
        self.folded = folded
        if self._facts_for != (flow, groups):
            self._facts_for = (flow, groups)
            facts = facts_of(flow, groups) if groups else {}
            self.cards = {
                group.key: GroupCard(group, facts[group.key], counted_steps(flow, len(group.steps))) for group in groups
            }
            self.key_of = {step: group.key for group in groups for step in group.steps}
        if self.selected not in self.cards:
            self.selected = None
        if not groups:
            self.place()

    def make(self, node: NodeId, box: Box) -> GroupItem:
        """The item of a folded group."""
        return GroupItem(self.cards[node.name], box, self._scene.pens)

    def items(self) -> Iterable[GroupItem]:
        """The items of all folded groups."""
        return (item for item in self._scene.nodes.values() if isinstance(item, GroupItem))

    def item(self, key: str | None) -> GroupItem | None:
        """The item of a folded group."""
        found = self._scene.nodes.get(NodeId("group", key)) if key is not None else None
        return found if isinstance(found, GroupItem) else None

    def area(self, key: str | None) -> QRectF | None:
        """Where a group is, as a card or a field."""
        item = self.item(key)
        return item.frame if item is not None else self.fields.get(key) if key is not None else None

    def stops(self) -> dict[str, QRectF]:
        """Where groups are by their keys: cards, and the headers of fields."""
        headers = {key: QRectF(area.topLeft(), QSizeF(area.width(), HEADER)) for key, area in self.fields.items()}
        return {item.node.name: item.frame for item in self.items() if item.isVisible()} | headers

    def hides(self, step: str) -> bool:
        """Whether a step is in a folded group."""
        return self.folded is not None and NodeId("step", step) in self.folded.card_of

    def header_at(self, point: QPointF, zoom: float) -> str | None:
        """The group whose field's header is at a point of the scene."""
        height = max(HEADER, 24 / zoom)
        for key, area in self.fields.items():
            if area.contains(point) and point.y() < area.top() + height:
                return key
        return None

    def chevron_at(self, key: str, point: QPointF, zoom: float) -> bool:
        """Whether a point of the scene is on the sign that folds or unfolds a group."""
        area = self.area(key)
        if area is None:
            return False
        reach = 30 / min(zoom, 1.0)
        return QRectF(area.topLeft(), QSizeF(reach, max(HEADER, reach))).contains(point)

    def hover(self, key: str | None) -> None:
        """The pointer is over a folded group, or over none."""
        if key != self._hovered:
            for each, on in ((self._hovered, False), (key, True)):
                item = self.item(each)
                if item is not None:
                    item.set_state("hovered", on)
            self._hovered = key

    def counts_of(self, key: str) -> SeverityCounts:
        """The diagnostics of its steps."""
        found = [self._scene.counts.get(step) for step in self.cards[key].group.steps]
        counts = [each for each in found if each is not None]
        return SeverityCounts(*(sum(column) for column in zip(*counts, strict=True))) if counts else SeverityCounts()

    def accessible_name(self, key: str) -> str:
        """What a screen reader reads of a group."""
        return self.cards[key].described(self.counts_of(key), folded=self.item(key) is not None)

    def select(self, key: str | None) -> None:
        """Mark a group as the selected one, or none."""
        if key == self.selected:
            return
        self.selected = key
        self.mark()

    def mark(self) -> None:
        """Show on the groups what is marked on their steps."""
        scene = self._scene
        active = {self.key_of.get(step) for step in scene.run.active}
        chosen = {self.key_of.get(step) for step in (scene.selected, *scene.also) if step is not None}
        for item in self.items():
            key = item.node.name
            item.show_card(self.cards[key])
            item.set_state("counts", self.counts_of(key))
            item.set_state("active", key in active)
            item.set_state("holds_chosen", key in chosen)
            item.set_state("chosen", key == self.selected)
        if self._item is not None:
            self._item.update()

    def place(self, moved: Collection[str] | None = None) -> None:
        """Stand where the layout says; of steps that are being dragged, around them."""
        fields = self.folded.fields if self.folded is not None else {}
        if moved is None:
            self.fields = {key: QRectF(*box) for key, box in fields.items()}
        else:
            for key in {self.key_of[step] for step in moved if self.key_of.get(step) in self.fields}:
                around = QRectF()
                for step in self.cards[key].group.steps:
                    item = self._scene.step_item(step)
                    around = around.united(item.frame) if item is not None else around
                self.fields[key] = around.adjusted(-PAD, -HEADER, PAD, PAD)
        if not self.fields:
            if self._item is not None:
                self._scene.removeItem(self._item)
                self._item = None
            return
        if self._item is None:
            self._item = FieldsItem(self, self._scene.pens)
            self._scene.addItem(self._item)
        self._item.show_areas()

    def set_pens(self, pens: CanvasPens) -> None:
        """Paint in another look."""
        if self._item is not None:
            self._item.pens = pens
            self._item.update()

    def paint_frames(self, painter: QPainter, zoom: float, most: int) -> None:
        """From afar, in the scene's coordinates: so many of the cards and fields with their names."""
        transform = painter.transform()
        for key, area in list(self.fields.items())[:most]:
            painter.save()
            painter.scale(1 / zoom, 1 / zoom)
            pens = self._scene.pens
            font, name = header_font(12 / 13), self.cards[key].group.name
            place = QRectF(area.left() * zoom + 4, area.top() * zoom + 1, area.width() * zoom - 8, 16)
            if HEADER * zoom < place.height():  # it reaches over the first steps
                width = min(QFontMetricsF(font).horizontalAdvance(name) + 4, place.width())
                painter.fillRect(QRectF(place.topLeft(), QSizeF(width, place.height())), pens.wash)
            painter.setPen(QPen(pens.text))
            paint_line(painter, place, name, font)
            painter.restore()
        for item in list(self.items())[: max(most - len(self.fields), 0)]:
            if item.isVisible():
                painter.translate(item.pos())
                item.paint_at(painter, zoom)
                painter.setTransform(transform)
