"""The canvas for screen readers: a list with one entry a step, in reading order; see `accessible_entries`."""

from functools import cache
from typing import cast

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

from stepflow_gui.gui.canvas.accessible_entries import StepInterface
from stepflow_gui.gui.canvas.port import CanvasPort

_view_classes: dict[str, type[QWidget]] = {}  # by the name by which Qt asks for an interface
_made: dict[int, "GraphInterface"] = {}  # by id of the view. Qt owns them; Python's half must live as long


class GraphInterface(QAccessibleWidget):
    """The view, with its steps as children."""

    def __init__(self, view: QWidget) -> None:
        """`view` is a `CanvasPort` too."""
        super().__init__(view, QAccessible.Role.List)
        self._widget = view
        self._view = cast("CanvasPort", view)
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
            self._children[order[index]] = StepInterface(self._view, self._widget, order[index])
        return self._children[order[index]]

    def childAt(self, x: int, y: int, /) -> QAccessibleInterface:
        viewport = self._view.viewport()
        at = viewport.mapFromGlobal(QRect(x, y, 1, 1).topLeft())
        item = self._view.step_item_at(at)
        found = item.step.id if item is not None else self._view.group_at(at)
        order = self.order()
        return self.child(order.index(found)) if found in order else cast("QAccessibleInterface", None)

    def indexOfChild(self, child: QAccessibleInterface, /) -> int:
        order = self.order()
        return order.index(child.step) if isinstance(child, StepInterface) and child.step in order else -1

    def focusChild(self) -> QAccessibleInterface:
        selected = self._view.graph.current
        order = self.order()
        return self.child(order.index(selected)) if selected in order else cast("QAccessibleInterface", None)

    def order(self) -> list[str]:
        """The steps and groups in reading order."""
        if self._ordered_for is not self._view.graph.layout:
            self._ordered_for = self._view.graph.layout
            self._order = self._view.graph.reading_order()
        return self._order


@cache
def make_accessible(view_class: type[QWidget]) -> None:
    """Let screen readers into the canvases of a class that are made from now on; further calls do nothing."""
    _view_classes[view_class.__name__] = view_class
    QAccessible.installFactory(_interface)


def announce_selected(view: QWidget, order: list[str], step: str) -> None:
    """Announce to a screen reader that a step of those in `order` has the focus now."""
    if step in order:
        event = QAccessibleEvent(view, QAccessible.Event.Focus)
        event.setChild(order.index(step))
        QAccessible.updateAccessibility(event)


def _interface(key: str, target: QObject) -> QAccessibleInterface | None:
    view_class = _view_classes.get(key)
    if view_class is None or not isinstance(target, view_class):
        return None
    made = GraphInterface(target)
    _made[id(target)] = made
    target.destroyed.connect(_Forget(id(target)))
    return made


class _Forget:
    """Drops a view's interface once the view is gone."""

    def __init__(self, view: int) -> None:
        self._view = view

    def __call__(self) -> None:
        _made.pop(self._view, None)
