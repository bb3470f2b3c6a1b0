"""What a debugger draws over the graph: breakpoints at their steps, and what follows where a step closes."""

from collections.abc import Callable, Iterator, Mapping

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.check_gesture import CheckGesture, Dropped
from stepflow_gui.gui.canvas.items.card_rows import row_frame, row_of_sub
from stepflow_gui.gui.canvas.items.closing_card import HEAD, ClosingCard, ClosingSign
from stepflow_gui.gui.canvas.items.count_sign import CountSign
from stepflow_gui.gui.canvas.items.node_item import NodeItem
from stepflow_gui.gui.canvas.marks import SubMark
from stepflow_gui.gui.canvas.scene_items import SceneItems

_DOT = 6.0
_GAP = 56.0  # between a step's middle, or its side, and its card: a label fits in


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


class RunLayer:
    """The items of a scene that belong to a debugger. The scene notifies it when steps have moved."""

    def __init__(self, scene: SceneItems) -> None:
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
        """Show how often a step has run, or nothing."""
        if step is None or not text:
            if self.counts is not None:
                self._scene.removeItem(self.counts)
                self.counts = self._counted = None
            return
        if self.counts is None:
            self.counts = CountSign(self._scene.pens)
            self._scene.addItem(self.counts)
        self.counts.show_text(text)
        self._counted = step
        self._place_counts()

    def set_pens(self, pens: CanvasPens) -> None:
        """Paint in another look."""
        for item in self._items():
            item.pens = pens
            item.update()

    def place(self) -> None:
        """Place it where the steps are now."""
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
        level = max(frame.center().y(), at.y() + HEAD / 2)
        start = QPointF(edge, min(level, frame.bottom()))
        card.place(at, (start, QPointF(edge, level), QPointF(near, level)))


def _covers(card: QRectF, frames: list[QRectF]) -> bool:
    return any(card.intersects(frame) for frame in frames)
