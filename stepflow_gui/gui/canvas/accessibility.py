"""The canvas for screen readers: a list with one entry a step, in reading order."""

from functools import cache
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface, QWindow
from PySide6.QtWidgets import QAccessibleWidget
from shiboken6 import isValid

from stepflow_gui.gui.canvas.metrics import one_line
from stepflow_gui.messages import _

if TYPE_CHECKING:
    from stepflow_gui.gui.canvas.view import GraphView

_made: dict[int, "GraphInterface"] = {}  # by id of the view. Qt owns them; Python's half must live as long


class StepInterface(QAccessibleInterface):
    """A step as a screen reader meets it."""

    def __init__(self, view: "GraphView", step: str) -> None:
        super().__init__()
        self._view = view
        self.step = step

    def isValid(self) -> bool:
        return isValid(self._view) and self._view.graph.step_item(self.step) is not None

    def object(self) -> QObject:
        return cast("QObject", None)  # as Qt wants of a child that is no QObject

    def window(self) -> QWindow:
        return self._view.window().windowHandle()

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self._view)

    def child(self, index: int, /) -> QAccessibleInterface:
        del index
        return cast("QAccessibleInterface", None)

    def childAt(self, x: int, y: int, /) -> QAccessibleInterface:
        del x, y
        return cast("QAccessibleInterface", None)

    def childCount(self) -> int:
        return 0

    def indexOfChild(self, child: QAccessibleInterface, /) -> int:
        del child
        return -1

    def text(self, t: QAccessible.Text, /) -> str:
        if t == QAccessible.Text.Name:
            return self._view.accessible_name(self.step)
        return described(self._view, self.step) if t == QAccessible.Text.Description else ""

    def setText(self, t: QAccessible.Text, text: str, /) -> None:
        del t, text

    def rect(self) -> QRect:
        item = self._view.graph.step_item(self.step)
        if item is None:
            return QRect()
        shown = self._view.mapFromScene(item.frame).boundingRect()
        return QRect(self._view.viewport().mapToGlobal(shown.topLeft()), shown.size())

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        selected = self._view.graph.selected == self.step
        for name, value in (
            ("selectable", True),
            ("focusable", True),
            ("selected", selected),
            ("focused", selected and self._view.hasFocus()),
        ):
            setattr(state, name, value)
        return state


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
        return self._children.setdefault(order[index], StepInterface(self._view, order[index]))

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


def described(view: "GraphView", step: str) -> str:
    """What a screen reader says of a step after its name: title, marks, what breaks its contract."""
    item, graph = view.graph.step_item(step), view.graph
    if item is None:
        return ""
    parts = [one_line(item.step.title)] if item.step.title and item.step.title != step else []
    if item.node in graph.entries:
        parts.append(_("entry"))
    if step in graph.layer.breakpoints:
        parts.append(_("breakpoint"))
    broken = sorted(intent for owner, intent in graph.broken if owner == step)
    parts += [_("“{intent}” breaks the contract").format(intent=intent) for intent in broken]
    return _(", ").join(parts)


def tell_selected(view: "GraphView", step: str) -> None:
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
