"""Dragging the row of a sub-step inside its card: to another place in their order."""

from PySide6.QtCore import QLineF, QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QGraphicsLineItem

from stepflow_gui.flow.model import Step
from stepflow_gui.gui.canvas.items.card_rows import row_frame, row_of_sub
from stepflow_gui.gui.canvas.items.node_item import NodeItem
from stepflow_gui.gui.canvas.port import CanvasPort
from stepflow_gui.gui.document.movements import own_sub_steps

_GAP = 1.5  # units from a row to the line that shows where the dragged one goes


class RowDrag:
    """A line shows where the row would go if it were let go. Outside the card nothing happens."""

    def __init__(self, view: CanvasPort, item: NodeItem, part: str) -> None:
        self._view = view
        self._item = item
        self._part = part
        subs = own_sub_steps(item.step)
        self._at = next(at for at, sub in enumerate(subs) if sub.pointer == part)
        self._frames = [row_frame(item.measured, row) for row in _rows(item)]
        self._to: int | None = None
        self._line = QGraphicsLineItem()
        self._line.setPen(view.graph.pens.selected_border)
        self._line.setZValue(3)
        self._line.hide()
        view.graph.addItem(self._line)
        view.viewport().setCursor(QCursor(Qt.CursorShape.ClosedHandCursor))

    def move(self, to: QPoint) -> None:
        """The pointer is there now."""
        here = self._view.mapToScene(to) - self._item.pos()
        inside = self._item.measured.rect.contains(here)
        slot = sum(frame.center().y() < here.y() for frame in self._frames)
        self._to = slot - (slot > self._at) if inside else None
        self._line.setVisible(self._to not in {None, self._at})
        y = self._frames[slot].top() - _GAP if slot < len(self._frames) else self._frames[-1].bottom() + _GAP
        line = QLineF(self._frames[0].left(), y, self._frames[0].right(), y)
        self._line.setLine(line.translated(self._item.pos()))

    def finish(self, at: QPoint) -> None:
        """The button is up."""
        self.move(at)
        self.cancel()
        if self._to is not None and self._to != self._at:
            self._view.request_order(self._part, self._to)

    def cancel(self) -> None:
        """Leave it where it is."""
        self._view.graph.removeItem(self._line)
        self._view.viewport().unsetCursor()


def can_order(item: NodeItem, sub: Step) -> bool:
    """Whether there is another sub-step to put it before or behind, each with a row of its own."""
    rows = _rows(item)
    return len(rows) > 1 and len({*rows}) == len(rows) and sub in own_sub_steps(item.step)


def _rows(item: NodeItem) -> list[int]:
    places = (row_of_sub(item.step, item.measured, sub.id) for sub in own_sub_steps(item.step))
    return [row for row in places if row is not None]
