"""A folded group on the canvas: one card for all its steps."""

from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from stepflow_gui.flow.groups.drawing import GroupFacts
from stepflow_gui.flow.groups.grouping import StepGroup
from stepflow_gui.flow.layout.shapes import Box, NodeId
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.items.box_item import BoxItem
from stepflow_gui.gui.canvas.marks import SeverityCounts
from stepflow_gui.gui.canvas.metrics import CORNER, one_line
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.lint.report.counts import counted
from stepflow_gui.messages import _, ngettext

_LARGER_FROM = 0.6  # the zoom from which on texts grow with the card
_LARGEST = 1.8
_PAD, _NAME, _LINE, _BAR, _PILLS = 12.0, 19.0, 16.0, 6.0, 18.0  # pixels of the screen, before they grow
_MARGIN = 48.0  # units that badge and ring reach over the card
_BEHIND = 5.0  # how far the second card shows
CHEVRON = 14.0


class GroupCard(NamedTuple):
    """A group with what it says of itself."""

    group: StepGroup
    facts: GroupFacts
    size: str  # how many steps, by the flow's own word

    @property
    def counts(self) -> str:
        """How many steps, entries and ends it has."""
        parts = [self.size]
        if self.facts.entries:
            parts.append(
                ngettext("{count} entry", "{count} entries", self.facts.entries).format(count=self.facts.entries)
            )
        if self.facts.ends:
            parts.append(ngettext("{count} end", "{count} ends", self.facts.ends).format(count=self.facts.ends))
        return " · ".join(parts)

    def described(self, counts: SeverityCounts, *, folded: bool) -> str:
        """What a screen reader reads of it."""
        text = _("group {name}, folded") if folded else _("group {name}, unfolded")
        return _(", ").join([text.format(name=one_line(self.group.name)), self.counts, *counted(*counts)])

    def directions(self) -> list[str]:
        """What comes in and what goes out, a line each."""
        lines = []
        for text, found in (
            (_("Comes in: {intents}"), self.facts.coming),
            (_("Goes out: {intents}"), self.facts.leaving),
        ):
            if found:
                named = _(", ").join(f"{one_line(intent)} ×{count}" for intent, count in found[:8])
                lines.append(text.format(intents=named))
        return lines


class GroupItem(BoxItem):
    """Paints the card; texts have at least the size in which they are read, however far the canvas is zoomed out."""

    def __init__(self, card: GroupCard, box: Box, pens: CanvasPens) -> None:
        super().__init__(box, pens)
        self.card = card
        self.chosen = False
        self.holds_chosen = False  # a selected step is in it
        self.active = False  # a run is in it
        self.counts = SeverityCounts()

    @property
    def node(self) -> NodeId:
        """The node of the layout that it shows."""
        return NodeId("group", self.card.group.key)

    def show_card(self, card: GroupCard) -> None:
        """Take another reading of the group."""
        if card != self.card:
            self.card = card
            self.update()

    def boundingRect(self) -> QRectF:
        return self._rect.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)

    def shape(self) -> QPainterPath:
        path = QPainterPath()
        path.addRect(self._rect)
        return path

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del widget
        self.paint_at(painter, option.levelOfDetailFromTransform(painter.worldTransform()))

    def paint_at(self, painter: QPainter, zoom: float) -> None:
        """Paint it in its own coordinates, which are seen at a zoom."""
        transform = painter.transform()
        painter.scale(1 / zoom, 1 / zoom)
        if self.legal is False:
            painter.setOpacity(0.35)
        rect = QRectF(0, 0, self._rect.width() * zoom, self._rect.height() * zoom)
        self._paint_frame(painter, rect, zoom)
        self._paint_texts(painter, rect, min(max(zoom / _LARGER_FROM, 1.0), _LARGEST))
        self._paint_badge(painter, rect)
        painter.setOpacity(1.0)  # the view doesn't save the painter's state between items
        painter.setTransform(transform)

    def _paint_frame(self, painter: QPainter, rect: QRectF, zoom: float) -> None:
        pens, corner = self.pens, max(CORNER * zoom, 3.0)
        painter.setPen(pens.border)
        painter.setBrush(pens.section_brush)
        behind = min(_BEHIND, rect.height() / 8)
        painter.drawRoundedRect(rect.translated(behind, behind), corner, corner)
        painter.setBrush(pens.surface_brush)
        painter.setPen(pens.hover_border if self.hovered else pens.border)
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), corner, corner)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.active:
            painter.setPen(pens.active_ring)
            painter.drawRoundedRect(rect.adjusted(-4, -4, 4, 4), corner + 4, corner + 4)
        if self.chosen or self.holds_chosen:
            painter.setPen(pens.selected_border if self.chosen else QPen(pens.accent, 1))
            painter.drawRoundedRect(rect, corner, corner)

    def _paint_texts(self, painter: QPainter, rect: QRectF, grown: float) -> None:
        pens, pad = self.pens, min(_PAD * grown, rect.width() / 8)
        inner = rect.adjusted(pad, 0, -pad, 0)
        lines = [_NAME * grown, _LINE * grown, (_BAR + 10) * grown, (_PILLS + 8) * grown]
        used, shown = 0.0, 0
        for height in lines:
            if used + height > rect.height() - 2 * min(pad, rect.height() / 8):
                break
            used, shown = used + height, shown + 1
        y = min(pad, max((rect.height() - used) / 2, 0.0))
        name = QRectF(inner.left() + CHEVRON * grown, y, inner.width() - CHEVRON * grown, lines[0])
        painter.setPen(pens.text)
        paint_chevron(painter, QPointF(inner.left() + 4 * grown, name.center().y()), grown, down=False)
        paint_line(painter, name, self.card.group.name, _font(round(13 * grown), bold=True))
        if shown > 1:
            painter.setPen(pens.muted)
            place = QRectF(inner.left(), y + lines[0], inner.width(), lines[1])
            paint_line(painter, place, self.card.counts, _font(round(11 * grown), bold=False))
        if shown > 2:
            top = y + lines[0] + lines[1] + 8 * grown
            self.paint_kinds(painter, QRectF(inner.left(), top, inner.width(), _BAR * grown))
        if shown > 3:
            top = y + sum(lines[:3]) + 8 * grown
            self._paint_pills(painter, QRectF(inner.left(), top, inner.width(), _PILLS * grown), grown)

    def paint_kinds(self, painter: QPainter, place: QRectF) -> None:
        """A bar in the colours of the kinds, by how many steps have them."""
        painter.setPen(Qt.PenStyle.NoPen)
        x, total = place.left(), len(self.card.group.steps)
        for kind, count in self.card.facts.kinds:
            width = place.width() * count / total
            painter.setBrush(self.pens.kind(kind))
            painter.drawRect(QRectF(x, place.top(), max(width - 1, 0.5), place.height()))
            x += width
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_pills(self, painter: QPainter, row: QRectF, grown: float) -> None:
        """The intents that lead out of it, each with how many transitions have it; those that fit."""
        font = _font(round(11 * grown), bold=False)
        metrics, x = QFontMetricsF(font), row.left()
        painter.setFont(font)
        for at, (intent, count) in enumerate(self.card.facts.leaving):
            text = f"{metrics.elidedText(one_line(intent), Qt.TextElideMode.ElideRight, 150 * grown)} ×{count}"
            width = metrics.horizontalAdvance(text) + 14 * grown
            left = len(self.card.facts.leaving) - at - 1
            if x + width + (34 * grown if left else 0) > row.right():
                painter.setPen(self.pens.muted)
                painter.drawText(
                    QRectF(x, row.top(), 60 * grown, row.height()), Qt.AlignmentFlag.AlignVCenter, f"+{left + 1}"
                )
                return
            place = QRectF(x, row.top(), width, row.height())
            painter.setPen(self.pens.pill)
            painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), row.height() / 2, row.height() / 2)
            painter.setPen(self.pens.text)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignCenter), text)
            x += width + 6 * grown

    def _paint_badge(self, painter: QPainter, rect: QRectF) -> None:
        worst = self.counts.worst
        if worst is None:
            return
        severity, number = worst
        text, font = str(number) if number < 1000 else "999+", _font(11, bold=True)
        width = max(17.0, QFontMetricsF(font).horizontalAdvance(text) + 9)
        place = QRectF(rect.right() - width / 2, rect.top() - 8, width, 17)
        painter.setPen(QPen(self.pens.severities[severity], 1.5))
        painter.setBrush(self.pens.surface if severity == "info" else self.pens.severities[severity])
        corner = 4.0 if severity == "warning" else 8.5
        painter.drawRoundedRect(place, corner, corner)
        painter.setPen(self.pens.severities[severity] if severity == "info" else self.pens.onmark)
        painter.setFont(font)
        painter.drawText(place, int(Qt.AlignmentFlag.AlignCenter), text)
        painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_chevron(painter: QPainter, at: QPointF, grown: float, *, down: bool) -> None:
    """The sign of what can be folded, in the painter's colour: to the right where it is, down where it isn't."""
    arm = 3.5 * grown
    path = QPainterPath()
    if down:
        path.moveTo(at + QPointF(-arm, -arm / 2))
        path.lineTo(at + QPointF(0, arm / 2))
        path.lineTo(at + QPointF(arm, -arm / 2))
    else:
        path.moveTo(at + QPointF(-arm / 2, -arm))
        path.lineTo(at + QPointF(arm / 2, 0))
        path.lineTo(at + QPointF(-arm / 2, arm))
    pen = QPen(painter.pen())
    painter.setPen(QPen(pen.color(), 1.5 * grown))
    painter.drawPath(path)
    painter.setPen(pen)


def paint_line(painter: QPainter, place: QRectF, text: str, font: QFont) -> None:
    """A text in one line, elided at its end."""
    painter.setFont(font)
    shown = QFontMetricsF(font).elidedText(one_line(text), Qt.TextElideMode.ElideRight, max(place.width(), 0.0))
    painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), shown)


@lru_cache(maxsize=64)
def _font(size: int, *, bold: bool) -> QFont:
    return ui_font(size, QFont.Weight.DemiBold) if bold else ui_font(size)


def header_font(grown: float) -> QFont:
    """The font of a group's name."""
    return _font(round(13 * grown), bold=True)


def small_font(grown: float) -> QFont:
    """… and of its counts."""
    return _font(round(11 * grown), bold=False)
