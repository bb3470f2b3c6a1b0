"""Steps, and the transitions in them, as a screen reader meets them: each can be pressed, which selects it."""

from typing import Any, cast

from PySide6.QtCore import QObject, QRect, QRectF
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QAccessibleInterface, QWindow
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from stepflow_gui.flow.model import Move, moves_of
from stepflow_gui.gui.canvas.items.names import transition_name
from stepflow_gui.gui.canvas.marks import SeverityCounts, TransitionRef
from stepflow_gui.gui.canvas.metrics import one_line
from stepflow_gui.gui.canvas.port import CanvasPort
from stepflow_gui.messages import _

_NOTHING = cast("QAccessibleInterface", None)


class _Entry(QAccessibleInterface):
    """What steps and transitions have in common."""

    def __init__(self, view: CanvasPort, widget: QWidget) -> None:
        """`widget` is the view as Qt knows it."""
        super().__init__()
        self._view = view
        self._widget = widget
        self._action = _Press(self)

    def name(self) -> str:
        raise NotImplementedError

    def description(self) -> str:
        raise NotImplementedError

    def place(self) -> QRectF:
        """Where it is in the scene."""
        raise NotImplementedError

    def is_selected(self) -> bool:
        raise NotImplementedError

    def press(self) -> None:
        """Select it, as a click does."""
        raise NotImplementedError

    # As Qt asks

    def interface_cast(self, t: QAccessible.InterfaceType, /) -> Any:
        return self._action if t == QAccessible.InterfaceType.ActionInterface else super().interface_cast(t)

    def object(self) -> QObject:
        return cast("QObject", None)  # as Qt wants of a child that is not a QObject

    def window(self) -> QWindow:
        return self._widget.window().windowHandle()

    def child(self, index: int, /) -> QAccessibleInterface:
        del index
        return _NOTHING

    def childAt(self, x: int, y: int, /) -> QAccessibleInterface:
        del x, y
        return _NOTHING

    def childCount(self) -> int:
        return 0

    def indexOfChild(self, child: QAccessibleInterface, /) -> int:
        del child
        return -1

    def text(self, t: QAccessible.Text, /) -> str:
        if t == QAccessible.Text.Name:
            return self.name()
        return self.description() if t == QAccessible.Text.Description else ""

    def setText(self, t: QAccessible.Text, text: str, /) -> None:
        del t, text

    def rect(self) -> QRect:
        shown = self._view.viewport_area(self.place())
        return QRect(self._view.viewport().mapToGlobal(shown.topLeft()), shown.size())

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        selected = self.is_selected()
        for name, value in (
            ("selectable", True),
            ("focusable", True),
            ("selected", selected),
            ("focused", selected and self._widget.hasFocus()),
        ):
            setattr(state, name, value)
        return state


class _Press(QAccessibleActionInterface):
    """The actions of an entry: to press it, and to give it the keyboard."""

    def __init__(self, entry: _Entry) -> None:
        super().__init__()
        self._entry = entry

    def actionNames(self) -> list[str]:
        return [self.pressAction(), self.setFocusAction()]

    def doAction(self, action: str, /) -> None:
        if action in self.actionNames() and self._entry.isValid():
            self._entry.press()

    def keyBindingsForAction(self, action: str, /) -> list[str]:
        del action
        return []


class StepInterface(_Entry):
    """A step, with its transitions below it in the order of the file; or a group, by its key."""

    def __init__(self, view: CanvasPort, widget: QWidget, step: str) -> None:
        super().__init__(view, widget)
        self.step = step
        self._transitions: dict[TransitionRef, TransitionInterface] = {}

    def isValid(self) -> bool:
        return isValid(self._widget) and self._place() is not None

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self._widget)

    def name(self) -> str:
        return self._view.graph.accessible_name(self.step)

    def description(self) -> str:
        return described(self._view, self.step)

    def place(self) -> QRectF:
        return self._place() or QRectF()

    def _place(self) -> QRectF | None:
        item, groups = self._view.graph.step_item(self.step), self._view.graph.groups
        return item.frame if item is not None else groups.area(self.step)

    def is_selected(self) -> bool:
        return self._view.graph.current == self.step

    def press(self) -> None:
        self._widget.setFocus()
        self._view.choose_step(self.step, reveal=True)

    def moves(self) -> list[Move]:
        """The transitions from the step."""
        item = self._view.graph.step_item(self.step)
        return list(moves_of(item.step)) if item is not None else []

    def childCount(self) -> int:
        return len(self.moves())

    def child(self, index: int, /) -> QAccessibleInterface:
        moves = self.moves()
        if not 0 <= index < len(moves):
            return _NOTHING
        ref = _ref(moves[index])
        if ref not in self._transitions:
            self._transitions[ref] = TransitionInterface(self._view, self._widget, self, ref)
        return self._transitions[ref]

    def indexOfChild(self, child: QAccessibleInterface, /) -> int:
        refs = list(map(_ref, self.moves()))
        return refs.index(child.ref) if isinstance(child, TransitionInterface) and child.ref in refs else -1


class TransitionInterface(_Entry):
    """A transition, or one case of one."""

    def __init__(self, view: CanvasPort, widget: QWidget, owner: StepInterface, ref: TransitionRef) -> None:
        super().__init__(view, widget)
        self.ref = ref
        self._owner = owner

    def isValid(self) -> bool:
        return self._owner.isValid() and self._move() is not None

    def parent(self) -> QAccessibleInterface:
        return self._owner

    def name(self) -> str:
        move = self._move()
        counts = self._view.graph.transition_counts.get((self.ref.step, self.ref.intent), SeverityCounts())
        return transition_name(move, counts) if move is not None else ""

    def description(self) -> str:
        if (self.ref.step, self.ref.intent) in self._view.graph.broken:
            return _("“{intent}” breaks the contract").format(intent=self.ref.intent)
        return ""

    def place(self) -> QRectF:
        edge = self._view.graph.edge_item(self.ref)
        return edge.sceneBoundingRect() if edge is not None else self._owner.place()

    def is_selected(self) -> bool:
        return self._view.graph.selected_transition == self.ref

    def press(self) -> None:
        self._widget.setFocus()
        self._view.choose_transition(self.ref)

    def _move(self) -> Move | None:
        return next((move for move in self._owner.moves() if _ref(move) == self.ref), None)


def described(view: CanvasPort, step: str) -> str:
    """What a screen reader reads of a step after its name: title, marks, what breaks its contract."""
    item, graph = view.graph.step_item(step), view.graph
    if item is None:
        card = graph.groups.cards.get(step)
        return _(", ").join(card.directions()) if card is not None else ""
    parts = [one_line(item.step.title)] if item.step.title and item.step.title != step else []
    if item.node in graph.entries:
        parts.append(_("entry"))
    if step in graph.run_layer.breakpoints:
        parts.append(_("breakpoint"))
    broken = sorted(intent for owner, intent in graph.broken if owner == step)
    parts += [_("“{intent}” breaks the contract").format(intent=intent) for intent in broken]
    return _(", ").join(parts)


def _ref(move: Move) -> TransitionRef:
    return TransitionRef(move.step, move.intent, move.case)
