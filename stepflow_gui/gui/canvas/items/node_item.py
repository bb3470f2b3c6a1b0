"""A step on the canvas."""

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.flow.layout.shapes import NodeId
from stepflow_gui.flow.model import Step, is_dynamic
from stepflow_gui.formats.step_card import kind_of
from stepflow_gui.formats.takt.card import KINDS as PIECE_KINDS
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.items.card_rows import paint_rows
from stepflow_gui.gui.canvas.items.outcome_looks import sign_path
from stepflow_gui.gui.canvas.marks import Heat, SeverityCounts, SubMark
from stepflow_gui.gui.canvas.metrics import (
    BAND,
    CORNER,
    ICON,
    ID_BASE,
    LEFT,
    LOOP_ROOM,
    PILL_HEIGHT,
    PILL_PAD,
    PLUS,
    RIGHT,
    SMALL,
    TITLE_BASE,
    VISITS,
    NodeShape,
    Pill,
    far_name,
    fonts,
)

NEAR = 0.85  # below this zoom only band, kind, name, ports as dots and badge
PORTS = 0.6  # … and below this one ports can't be taken hold of
_DOT = 3.0  # the radius of a port, and of a badge from afar, in pixels of the screen
_MARGIN = 12.0  # the badge and the rings reach over the frame
_BADGE = 18.0


class NodeItem(QGraphicsItem):
    """Paints a step; what it shows is set by the scene, which hears no signals from it."""

    def __init__(self, step: Step, shape: NodeShape, pens: CanvasPens) -> None:
        super().__init__()
        self.step = step
        self.measured = shape
        self.pens = pens
        self.counts = SeverityCounts()
        self.broken: frozenset[str | None] = frozenset()
        self.chosen = False  # selected; Qt's own selection is not used
        self.part = ""  # the pointer of the sub-step that is selected instead
        self.hovered = False
        self.hovered_intent: str | None = None
        self.hovered_plus = False
        self.legal: bool | None = None  # while connecting: may the drop be here
        self.visits = 0
        self.heat: Heat | None = None
        self.sub_marks: tuple[SubMark, ...] = ()
        self._reach = shape.rect.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self.setZValue(2)

    @property
    def node(self) -> NodeId:
        """The node of the layout that it shows."""
        return NodeId("step", self.step.id)

    @property
    def frame(self) -> QRectF:
        """The frame in the scene."""
        return self.measured.rect.translated(self.pos())

    def show_step(self, step: Step, shape: NodeShape) -> None:
        """Take another reading of the step."""
        self.step = step
        if shape.width != self.measured.width or shape.height != self.measured.height:
            self.prepareGeometryChange()
            self._reach = shape.rect.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
        if shape != self.measured:
            self.measured = shape
            self.update()

    def set_state(self, name: str, value: object) -> None:
        """Change one of the shown states; repaints only if it differs."""
        if getattr(self, name) != value:
            setattr(self, name, value)
            self.update()

    def pill_at(self, scene_point: QPointF) -> Pill | None:
        """The pill under a point of the scene."""
        local = scene_point - self.pos()
        return self.measured.pill_at(local.x(), local.y())

    @property
    def offers_new(self) -> bool:
        """Whether it shows the port from which a transition of a new intent is drawn: only where someone is at it."""
        able = self.step.gate is not None or self.step.kind in PIECE_KINDS
        return able and (self.hovered or self.chosen) and self.legal is None

    def plus_at(self, scene_point: QPointF) -> bool:
        """Whether a point of the scene is on that port."""
        return self.offers_new and self.measured.plus.adjusted(-2, -2, 2, 2).contains(scene_point - self.pos())

    def badge_at(self, scene_point: QPointF, zoom: float) -> bool:
        """Whether a point of the scene is on the badge, as it is painted at a zoom."""
        worst = self.counts.worst
        if worst is None or (zoom < NEAR and worst[0] == "info"):
            return False
        rect = self._badge_rect(worst[1]) if zoom >= NEAR else self._badge_dot(zoom)
        return rect.contains(scene_point - self.pos())

    def boundingRect(self) -> QRectF:
        return self._reach

    def shape(self) -> QPainterPath:
        return _outline(
            *(self.measured.width, self.measured.height), plus=self.offers_new, badge=self.counts.worst is not None
        )

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Frame, band, texts, pills and badge; fewer of them from afar."""
        del widget
        zoom = option.levelOfDetailFromTransform(painter.worldTransform())
        if self.legal is False:
            painter.setOpacity(0.35)
        self._paint_frame(painter)
        if zoom < NEAR:
            self._paint_far_name(painter, zoom)
            if zoom >= SMALL:
                self._paint_ports(painter, zoom)
        else:
            self._paint_texts(painter)
            if self.measured.rows:
                paint_rows(painter, self.pens, self.step, self.measured, self.sub_marks, self.part)
            self._paint_pills(painter)
            if self.offers_new:
                self._paint_plus(painter)
        if zoom < SMALL:
            self._paint_badge_dot(painter, zoom)
        else:
            self._paint_badge(painter)
        painter.setOpacity(1.0)  # the view doesn't save the painter's state between items

    def _paint_frame(self, painter: QPainter) -> None:
        pens = self.pens
        rect = self.measured.rect
        muted = self.step.is_section
        brush = pens.visited_brush if self.visits else pens.surface_brush
        if self.heat is not None:
            brush = pens.heat_brushes[self.heat.level - 1]
        painter.setBrush(pens.section_brush if muted else brush)
        painter.setPen(pens.hover_border if self.hovered else pens.border)
        inner = rect.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(inner, CORNER, CORNER)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(pens.kind(kind_of(self.step)))
        painter.drawPath(_band_path(self.measured.height))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.chosen:
            painter.setPen(pens.hover_border if self.part else pens.selected_border)
            painter.drawRoundedRect(rect, CORNER, CORNER)
        if self.legal:
            painter.setPen(pens.lit_border)
            painter.drawRoundedRect(rect.adjusted(-3, -3, 3, 3), CORNER + 3, CORNER + 3)

    def _paint_far_name(self, painter: QPainter, zoom: float) -> None:
        """In pixels of the screen: it is as large at every zoom."""
        name = far_name(self.measured, zoom)
        middle = self.measured.height * zoom / 2
        transform = painter.transform()
        painter.scale(1 / zoom, 1 / zoom)
        painter.setFont(name.font)
        painter.setPen(self.pens.muted if self.step.is_section else self.pens.text)
        icon = self.pens.icons.get(kind_of(self.step)) if name.beside else None
        if icon is not None:
            icon.render(painter, QRectF(LEFT * zoom, middle - len(name.lines) / 2 * name.line + 1, ICON, ICON))
        for at, line in enumerate(name.lines):
            top = middle + (at - len(name.lines) / 2) * name.line
            where = QRectF(LEFT * zoom + name.beside, top, self.measured.width * zoom, name.line)
            painter.drawText(where, int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip), line)
        painter.setTransform(transform)

    def _paint_ports(self, painter: QPainter, zoom: float) -> None:
        pens, radius = self.pens, _DOT / zoom
        painter.setBrush(pens.surface_brush)
        for pill in self.measured.pills:
            broken = pill.intent in self.broken
            painter.setPen(pens.pill_broken if broken else pens.pill)
            painter.drawEllipse(QPointF(pill.rect.center().x(), self.measured.height - radius / 2), radius, radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_texts(self, painter: QPainter) -> None:
        pens, shape, chosen = self.pens, self.measured, fonts()
        painter.setFont(chosen.title)
        painter.setPen(pens.muted if self.step.is_section else pens.text)
        painter.drawText(QPointF(LEFT, TITLE_BASE), shape.title)
        painter.setFont(chosen.caption)
        painter.setPen(pens.muted)
        painter.drawText(QPointF(LEFT, ID_BASE), shape.caption)
        right = shape.width - RIGHT
        if shape.kind:
            left = right - shape.kind_width
            icon = pens.icons.get(kind_of(self.step))
            if icon is not None:
                icon.render(painter, QRectF(left, shape.kind_base - 11, ICON, ICON))
            painter.setFont(chosen.kind)
            painter.setPen(pens.kind(kind_of(self.step)))
            painter.drawText(QPointF(left + ICON + 4, shape.kind_base), shape.kind)
            if shape.kind_base == ID_BASE:
                right = left - 8
        text = self.heat.text if self.heat is not None else f"×{self.visits}" if self.visits > 1 else ""
        if not text:
            return
        painter.setFont(chosen.kind)
        width = max(VISITS, painter.fontMetrics().horizontalAdvance(text)) if self.heat is not None else VISITS
        if right - LEFT - shape.caption_width >= width:
            painter.setPen(pens.active_text if self.heat is None else pens.text)
            where = QRectF(right - width, ID_BASE - 12, width, 16)
            painter.drawText(where, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)

    def _paint_pills(self, painter: QPainter) -> None:
        pens = self.pens
        painter.setFont(fonts().pill)
        for pill in self.measured.pills:
            broken = pill.intent in self.broken
            hovered = pill.intent is not None and pill.intent == self.hovered_intent
            spare = pill.intent in self.measured.spare
            dynamic = pill.intent is not None and is_dynamic(self.step, pill.intent)
            plain = pens.pill_dynamic if spare or dynamic else pens.pill
            pen: QPen = pens.pill_broken if broken else pens.pill_hover if hovered else plain
            painter.setPen(pen)
            painter.drawRoundedRect(pill.rect.adjusted(0.5, 0.5, -0.5, -0.5), PILL_HEIGHT / 2, PILL_HEIGHT / 2)
            if not broken:
                painter.setPen(pens.accent if hovered else pens.muted if pill.intent is None or spare else pens.text)
            room = pill.rect.adjusted(LOOP_ROOM, 0, 0, 0) if pill.loop else pill.rect
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), pill.text)
            if pill.loop:
                painter.setPen(pens.loop_sign)
                paint_loop_sign(painter, pill.rect)

    def _paint_plus(self, painter: QPainter) -> None:
        pens, rect = self.pens, self.measured.plus
        painter.setPen(pens.pill_hover if self.hovered_plus else pens.pill)
        painter.setBrush(pens.surface_brush)
        painter.drawEllipse(rect.adjusted(0.5, 0.5, -0.5, -0.5))
        middle, arm = rect.center(), 3.5
        painter.drawLine(middle - QPointF(arm, 0), middle + QPointF(arm, 0))
        painter.drawLine(middle - QPointF(0, arm), middle + QPointF(0, arm))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_badge_dot(self, painter: QPainter, zoom: float) -> None:
        """From afar: round for errors, square for warnings; an info isn't seen."""
        worst = self.counts.worst
        if worst is None or worst[0] == "info":
            return
        rect = self._badge_dot(zoom)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.pens.severities[worst[0]])
        corner = rect.width() / 4 if worst[0] == "warning" else rect.width() / 2
        painter.drawRoundedRect(rect, corner, corner)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_badge(self, painter: QPainter) -> None:
        worst = self.counts.worst
        if worst is None:
            return
        severity, number = worst
        text, rect = _badge_text(number), self._badge_rect(number)
        # The shape shows the severity too: round, square, hollow.
        painter.setPen(QPen(self.pens.severities[severity], 1.5))
        painter.setBrush(self.pens.surface if severity == "info" else self.pens.severities[severity])
        corner = 4.0 if severity == "warning" else _BADGE / 2
        painter.drawRoundedRect(rect.adjusted(0.75, 0.75, -0.75, -0.75), corner, corner)
        painter.setPen(self.pens.severities[severity] if severity == "info" else self.pens.onmark)
        painter.setFont(fonts().badge)
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), text)

    def _badge_rect(self, number: int) -> QRectF:
        width = _BADGE + 6.0 * (len(_badge_text(number)) - 1)
        left = min(self.measured.width - width / 2, self.measured.width + _MARGIN - 1 - width)
        return QRectF(left, -_BADGE / 2, width, _BADGE)

    def _badge_dot(self, zoom: float) -> QRectF:
        side = min(3 * _DOT / zoom, self.measured.height / 2)
        return QRectF(self.measured.width + _MARGIN - 1 - side, 1 - _MARGIN, side, side)


def _badge_text(number: int) -> str:
    return str(number) if number < 100 else "99+"


def paint_loop_sign(painter: QPainter, pill: QRectF) -> None:
    """An arrow round at the left of a pill, in the painter's pen: the transition comes back to its own step."""
    painter.drawPath(sign_path("watched", pill.left() + PILL_PAD, pill.center().y()))


@lru_cache(maxsize=256)
def _frame_path(width: float, height: float) -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(0, 0, width, height, CORNER, CORNER)
    return path


@lru_cache(maxsize=256)
def _outline(width: float, height: float, *, plus: bool, badge: bool) -> QPainterPath:
    """What of a step takes the mouse: its frame, with the port for a new intent and with the badge at its corner."""
    path = _frame_path(width, height)
    if plus:
        port = QPainterPath()
        port.addEllipse(QRectF(width - RIGHT - PLUS, height - PLUS / 2, PLUS, PLUS).adjusted(-2, -2, 2, 2))
        path = path.united(port)
    if badge:
        corner = QPainterPath()
        corner.addRect(QRectF(width - _BADGE, -_MARGIN, _BADGE + _MARGIN, _MARGIN + _BADGE / 2))
        path = path.united(corner)
    return path


@lru_cache(maxsize=16)
def _band_path(height: float) -> QPainterPath:
    strip = QPainterPath()
    strip.addRect(0, 0, BAND, height)
    return _frame_path(100.0, height).intersected(strip)
