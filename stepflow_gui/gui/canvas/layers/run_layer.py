"""What a debugger draws over the graph: breakpoints at their steps, and what follows where a step closes."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.items.card_rows import row_frame, row_of_sub
from stepflow_gui.gui.canvas.items.count_sign import CountSign
from stepflow_gui.gui.canvas.items.node_item import NodeItem
from stepflow_gui.gui.canvas.marks import SubMark
from stepflow_gui.gui.canvas.metrics import CORNER, fonts, one_line

if TYPE_CHECKING:
    from stepflow_gui.gui.canvas.hand.check_drag import CheckGesture, Dropped
    from stepflow_gui.gui.canvas.scene import GraphScene

_DOT = 6.0
_ROW = 22.0
_HEAD = 26.0
_PAD = 12.0
_DIAMOND = 6.0
_GAP = 56.0  # between a step's middle, or its side, and its card: a label fits in
_WIDEST = 340.0  # pixels of a card
_TOKENS = {"runs": "active", "failed": "error", "passed": "closure"}
_STROKES = {  # a tick, a cross: the colour isn't all that tells them apart
    "passed": ((QPointF(-2.6, 0.0), QPointF(-0.8, 2.0), QPointF(2.6, -2.0)),),
    "failed": ((QPointF(-2, -2), QPointF(2, 2)), (QPointF(-2, 2), QPointF(2, -2))),
}


class CheckSign(NamedTuple):
    """One validator of a card: its state ("", waits, runs, passed, failed) and what its failure leads to."""

    name: str
    state: str
    leads_to: str


class ClosingSign(NamedTuple):
    """What follows where a step says closing, for its card."""

    step: str
    title: str
    checks: tuple[CheckSign, ...]
    foot: str


class BreakpointDot(QGraphicsItem):
    """A dot at a step's corner: full where the breakpoint is on, hollow where it is off."""

    def __init__(self, pens: CanvasPens, *, on: bool) -> None:
        super().__init__()
        self.pens = pens
        self.on = on
        self.setZValue(2.6)

    def boundingRect(self) -> QRectF:
        return QRectF(-_DOT - 2, -_DOT - 2, 2 * _DOT + 4, 2 * _DOT + 4)

    def shape(self) -> QPainterPath:
        return QPainterPath()  # nothing to point at

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        painter.setPen(QPen(self.pens.error, 1.8))
        painter.setBrush(self.pens.error if self.on else self.pens.surface)
        painter.drawEllipse(QPointF(), _DOT, _DOT)


class ClosingCard(QGraphicsItem):
    """The validation of a step: a chain of diamonds, one a validator, each with what its failure leads to."""

    def __init__(self, sign: ClosingSign, pens: CanvasPens) -> None:
        super().__init__()
        self.pens = pens
        self.sign = sign
        self.link: tuple[QPointF, QPointF] | None = None  # in the card's coordinates
        self.setZValue(2.4)
        self._measure()

    def show_sign(self, sign: ClosingSign) -> None:
        """Show another."""
        if sign != self.sign:
            self.prepareGeometryChange()
            self.sign = sign
            self._measure()
            self.update()

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self._rect.width(), self._rect.height()

    def boundingRect(self) -> QRectF:
        around = self._rect.adjusted(-2, -2, 2, 2)
        if self.link is not None:
            around = around.united(QRectF(*self.link).normalized().adjusted(-2, -2, 2, 2))
        return around

    def shape(self) -> QPainterPath:
        return QPainterPath()  # what lies below it stays within reach

    def holds(self, scene_point: QPointF) -> bool:
        """Whether a point of the scene is on the card."""
        return self.isVisible() and self._rect.contains(scene_point - self.pos())

    def row_at(self, scene_point: QPointF) -> int | None:
        """The number of the validator at a point of the scene."""
        row = int((scene_point.y() - self.pos().y() - _HEAD) // _ROW)
        return row if self.holds(scene_point) and 0 <= row < len(self._rows) else None

    def place(self, at: QPointF, link: tuple[QPointF, QPointF]) -> None:
        """Stand there, with a line from the step (both ends in the scene)."""
        self.prepareGeometryChange()
        self.setPos(at)
        self.link = link[0] - at, link[1] - at

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        pens = self.pens
        fine = QPen(pens.edge, 1.0)
        fine.setDashPattern([3.0, 3.0])
        if self.link is not None:
            painter.setPen(fine)
            painter.drawLine(*self.link)
        painter.setPen(pens.border)
        painter.setBrush(pens.surface_brush)
        painter.drawRoundedRect(self._rect.adjusted(0.5, 0.5, -0.5, -0.5), CORNER, CORNER)
        painter.setFont(fonts().kind)
        painter.setPen(pens.closure)
        width = self._rect.width() - 2 * _PAD
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(QRectF(_PAD, 0, width, _HEAD), middle, self._title)
        across = _PAD + _DIAMOND
        painter.setPen(QPen(pens.edge, 1.0))
        painter.drawLine(QPointF(across, _HEAD + _ROW / 2), QPointF(across, _HEAD + _ROW * (len(self._rows) - 0.5)))
        for at, (check, name, leads) in enumerate(self._rows):
            top = _HEAD + at * _ROW
            color = pens.theme.color(_TOKENS.get(check.state, "edge"))
            painter.setPen(QPen(color, 1.4))
            painter.setBrush(color if check.state in _TOKENS else pens.surface)
            painter.drawPolygon(_diamond(across, top + _ROW / 2, 8.0 if check.state == "runs" else _DIAMOND))
            painter.setPen(QPen(pens.onmark, 1.4))
            for stroke in _STROKES.get(check.state, ()):
                painter.drawPolyline([QPointF(across, top + _ROW / 2) + point for point in stroke])
            painter.setFont(fonts().caption)
            painter.setPen(pens.active_text if check.state == "runs" else pens.text)
            painter.drawText(QRectF(_PAD + 22, top, self._names, _ROW), middle, name)
            painter.setPen(pens.error if check.state == "failed" else pens.muted)
            left = _PAD + 22 + self._names + 10
            painter.drawText(QRectF(left, top, self._rect.width() - left - 4, _ROW), middle, leads)
        painter.setFont(fonts().label)
        painter.setPen(pens.muted)
        painter.drawText(QRectF(_PAD, _HEAD + _ROW * len(self._rows), width, _HEAD), middle, self._foot)

    def _measure(self) -> None:
        caption, label, kind = (QFontMetricsF(font) for font in (fonts().caption, fonts().label, fonts().kind))
        sign = self.sign
        texts = [(check, one_line(check.name), one_line(check.leads_to)) for check in sign.checks]
        right = Qt.TextElideMode.ElideMiddle
        self._names = min(160.0, max((caption.horizontalAdvance(name) for _c, name, _l in texts), default=0.0) + 4)
        leads = max((caption.horizontalAdvance(text) for _c, _n, text in texts), default=0.0) + 6
        wanted = max(
            22 + self._names + 10 + leads,
            kind.horizontalAdvance(sign.title) + 4,
            label.horizontalAdvance(sign.foot) + 4,
        )
        width = min(_WIDEST, wanted + 2 * _PAD)
        inner = width - 2 * _PAD
        room = inner - 22 - self._names - 10
        self._rows = [
            (check, caption.elidedText(name, right, self._names), caption.elidedText(text, right, room))
            for check, name, text in texts
        ]
        self._title = kind.elidedText(one_line(sign.title), right, inner)
        self._foot = label.elidedText(one_line(sign.foot), right, inner)
        foot = _HEAD if sign.foot else 8.0
        self._rect = QRectF(0, 0, width, _HEAD + _ROW * len(texts) + foot)


class RunLayer:
    """The items of a scene that belong to a debugger. The scene tells when steps have moved."""

    def __init__(self, scene: "GraphScene") -> None:
        self._scene = scene
        self._breakpoints: Mapping[str, bool] = {}
        self._sub_steps: Mapping[str, tuple[SubMark, ...]] = {}
        self._dots: dict[tuple[str, int], BreakpointDot] = {}  # several where sub-steps have one name
        self.card: ClosingCard | None = None
        self.counts: CountSign | None = None
        self._counted: str | None = None  # the step that it is about
        self.begin_check: Callable[[str, int], CheckGesture | None] | None = None  # a step's validator is dragged
        self.drop_check: Callable[[str, Dropped], object] | None = None

    def set_breakpoints(self, steps: Mapping[str, bool]) -> None:
        """The steps with a breakpoint, and whether it is on."""
        self._breakpoints = dict(steps)
        self.place()

    @property
    def breakpoints(self) -> Mapping[str, bool]:
        """The steps with a breakpoint, and whether it is on."""
        return self._breakpoints

    def set_sub_steps(self, marks: Mapping[str, tuple[SubMark, ...]]) -> None:
        """Where a run has the sub-steps of steps."""
        changed = {*self._sub_steps, *marks}
        self._sub_steps = dict(marks)
        for step in changed:
            self._mark_sub_steps(step)

    def set_closing(self, sign: ClosingSign | None) -> None:
        """Show what follows where a step closes, or nothing."""
        if sign is None or not sign.checks:
            if self.card is not None:
                self._scene.removeItem(self.card)
                self.card = None
            return
        if self.card is None:
            self.card = ClosingCard(sign, self._scene.pens)
            self._scene.addItem(self.card)
        else:
            self.card.show_sign(sign)
        self.place()

    def set_counts(self, step: str | None, text: str) -> None:
        """Say how often a step has run, or nothing."""
        if step is None or not text:
            if self.counts is not None:
                self._scene.removeItem(self.counts)
                self.counts = self._counted = None
            return
        if self.counts is None:
            self.counts = CountSign(self._scene.pens)
            self._scene.addItem(self.counts)
        self.counts.say(text)
        self._counted = step
        self._place_counts()

    def set_pens(self, pens: CanvasPens) -> None:
        """Paint in another look."""
        for item in self._items():
            item.pens = pens
            item.update()

    def place(self) -> None:
        """Stand where the steps are now."""
        for step in self._sub_steps:
            self._mark_sub_steps(step)
        places = {
            (step, number): place for step in self._breakpoints for number, place in enumerate(self._places_of(step))
        }
        for key in [key for key in self._dots if key not in places]:
            self._scene.removeItem(self._dots.pop(key))
        for key, place in places.items():
            on = self._breakpoints[key[0]]
            dot = self._dots.get(key)
            if dot is None:
                dot = self._dots[key] = BreakpointDot(self._scene.pens, on=on)
                self._scene.addItem(dot)
            elif dot.on is not on:
                dot.on = on
                dot.update()
            dot.setPos(place)
        self._place_card()
        self._place_counts()

    def _items(self) -> Iterator[BreakpointDot | ClosingCard | CountSign]:
        yield from self._dots.values()
        if self.card is not None:
            yield self.card
        if self.counts is not None:
            yield self.counts

    def _places_of(self, step: str) -> Iterator[QPointF]:
        """Where the dots of a step stand: at its corner, and before its row in all that it is a sub-step of."""
        item = self._scene.step_item(step)
        if item is not None:
            yield item.frame.topLeft() + QPointF(1, 1)
        for each in self._scene.nodes.values():
            if isinstance(each, NodeItem) and each.step.subs:
                row = row_of_sub(each.step, each.measured, step)
                if row is not None:
                    frame = row_frame(each.measured, row).translated(each.pos())
                    yield QPointF(frame.left() - _DOT, frame.center().y())

    def _mark_sub_steps(self, step: str) -> None:
        item = self._scene.step_item(step)
        if item is not None:
            item.set_state("sub_marks", self._sub_steps.get(step, ()))

    def _place_counts(self) -> None:
        if self.counts is not None:
            item = self._scene.step_item(self._counted or "")
            self.counts.setVisible(item is not None)
            if item is not None:
                self.counts.place_above(item.frame)

    def _place_card(self) -> None:
        card = self.card
        if card is None:
            return
        item = self._scene.step_item(card.sign.step)
        card.setVisible(item is not None)
        if item is None:
            return
        frame = item.frame
        width, height = card.size
        top = frame.center().y() - height / 2
        places = [
            (QPointF(frame.center().x() + _GAP, frame.bottom() + 14), frame.center().x()),
            (QPointF(frame.center().x() - _GAP - width, frame.bottom() + 14), frame.center().x()),
            (QPointF(frame.right() + 2 * _GAP, top), frame.right()),
            (QPointF(frame.left() - _GAP - width, top), frame.left()),
        ]
        others = [node.frame for node in self._scene.nodes.values() if node is not item]
        free = [place for place in places if not _covers(QRectF(place[0], place[0] + QPointF(width, height)), others)]
        at, edge = (free or places)[0]
        near = at.x() if at.x() > edge else at.x() + width
        level = max(frame.center().y(), at.y() + _HEAD / 2)
        card.place(at, (QPointF(edge, level), QPointF(near, level)))


def _covers(card: QRectF, frames: list[QRectF]) -> bool:
    return any(card.intersects(frame) for frame in frames)


def _diamond(x: float, y: float, size: float) -> QPolygonF:
    return QPolygonF([QPointF(x, y - size), QPointF(x + size, y), QPointF(x, y + size), QPointF(x - size, y)])
