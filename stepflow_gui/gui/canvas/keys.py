"""What the keyboard does on the canvas."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from stepflow_gui.gui.canvas import walk

if TYPE_CHECKING:
    from stepflow_gui.gui.canvas.view import GraphView

_ARROWS = {
    Qt.Key.Key_Left: walk.LEFT,
    Qt.Key.Key_Right: walk.RIGHT,
    Qt.Key.Key_Up: walk.UP,
    Qt.Key.Key_Down: walk.DOWN,
}
_PLAIN = Qt.KeyboardModifier.NoModifier
_HARMLESS = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier


def press_key(view: "GraphView", event: QKeyEvent) -> bool:
    """Do what the key means here; False where it means nothing."""
    key = event.key()
    if key == Qt.Key.Key_Escape:
        return _escape(view)
    if event.modifiers() & ~_HARMLESS != _PLAIN:
        return False
    if key in _ARROWS:
        _walk(view, _ARROWS[Qt.Key(key)])
    elif key in {Qt.Key.Key_Home, Qt.Key.Key_End}:
        order = view.reading_order()
        if order:
            view.choose_step(order[0 if key == Qt.Key.Key_Home else -1], reveal=True)
    elif key in {Qt.Key.Key_Plus, Qt.Key.Key_Equal}:
        view.zoom_in()
    elif key == Qt.Key.Key_Minus:
        view.zoom_out()
    elif key == Qt.Key.Key_0:
        view.zoom_to(1.0)
    elif key == Qt.Key.Key_F:
        view.fit()
    else:
        return False
    return True


def cycle(view: "GraphView", *, forward: bool) -> bool:
    """Tab: select the next step in reading order, around and around.

    False where nothing is selected: then Tab leaves the canvas, so Escape and Tab is the way out.
    """
    order = view.reading_order()
    selected = view.graph.selected
    if selected not in order:
        return False
    at = order.index(selected) + (1 if forward else -1)
    view.choose_step(order[at % len(order)], reveal=True)
    return True


def _walk(view: "GraphView", direction: walk.Direction) -> None:
    frames = view.step_frames()
    selected = view.graph.selected
    if selected not in frames:
        first = view.first_step()
        if first is not None:
            view.choose_step(first, reveal=True)
        return
    there = walk.nearest(frames, selected, direction)
    if there is not None:
        view.choose_step(there, reveal=True)


def _escape(view: "GraphView") -> bool:
    if view.cancel_drag():
        return True
    if view.graph.selected is None and view.graph.selected_move is None:
        return False
    view.choose_step(None)
    return True
