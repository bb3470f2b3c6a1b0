"""The canvas for screen readers: a list with one entry a step, in reading order; see `accessible_entries`."""

from functools import cache
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget

from stepflow_gui.gui.canvas.accessible_entries import StepInterface

if TYPE_CHECKING:
    from stepflow_gui.gui.canvas.view import GraphView

_made: dict[int, "GraphInterface"] = {}  # by id of the view. Qt owns them; Python's half must live as long


class GraphInterface(QAccessibleWidget):
    """The view, with its steps as children."""

    def __init__(self, view: "GraphView") -> None:
        super().__init__(view, QAccessible.Role.List)
        self._view = view
        self._children: dict[str, StepInterface] = {}
        self._order: list[str] = []
        self._ordered_for: object = None

    def childCount(self) -> int:
        return len(self.order())

    def child(self, index: int, /) -> QAccessibleInterface:
        order = self.order()
        if not 0 <= index < len(order):
            return cast("QAccessibleInterface", None)
        if order[index] not in self._children:
            self._children[order[index]] = StepInterface(self._view, order[index])
        return self._children[order[index]]

    def childAt(self, x: int, y: int, /) -> QAccessibleInterface:
        viewport = self._view.viewport()
        item = self._view.step_item_at(viewport.mapFromGlobal(QRect(x, y, 1, 1).topLeft()))
        return self.child(self.order().index(item.step.id)) if item is not None else cast("QAccessibleInterface", None)

    def indexOfChild(self, child: QAccessibleInterface, /) -> int:
        order = self.order()
        return order.index(child.step) if isinstance(child, StepInterface) and child.step in order else -1

    def focusChild(self) -> QAccessibleInterface:
        selected = self._view.graph.selected
        order = self.order()
        return self.child(order.index(selected)) if selected in order else cast("QAccessibleInterface", None)

    def order(self) -> list[str]:
        """The steps in reading order."""
        if self._ordered_for is not self._view.graph.layout:
            self._ordered_for = self._view.graph.layout
            self._order = self._view.reading_order()
        return self._order


@cache
def make_accessible() -> None:
    """Let screen readers into the canvases that are made from now on; further calls do nothing."""
    QAccessible.installFactory(_interface)


def announce_selected(view: "GraphView", step: str) -> None:
    """Tell a screen reader, where one runs, that a step has the focus now."""
    if not QAccessible.isActive() or not view.hasFocus():
        return
    order = view.reading_order()
    if step in order:
        event = QAccessibleEvent(view, QAccessible.Event.Focus)
        event.setChild(order.index(step))
        QAccessible.updateAccessibility(event)


def _interface(key: str, thing: QObject) -> QAccessibleInterface | None:
    from stepflow_gui.gui.canvas.view import GraphView

    if key != GraphView.__name__ or not isinstance(thing, GraphView):
        return None
    made = GraphInterface(thing)
    _made[id(thing)] = made
    thing.destroyed.connect(_Forget(id(thing)))
    return made


class _Forget:
    """Drops a view's interface once the view is gone."""

    def __init__(self, view: int) -> None:
        self._view = view

    def __call__(self) -> None:
        _made.pop(self._view, None)
