"""What the keyboard does on the canvas."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from stepflow_gui.gui.canvas import keyboard_order
from stepflow_gui.gui.canvas.port import CanvasPort
from stepflow_gui.gui.document.movements import own_sub_steps

_ARROWS = {
    Qt.Key.Key_Left: keyboard_order.LEFT,
    Qt.Key.Key_Right: keyboard_order.RIGHT,
    Qt.Key.Key_Up: keyboard_order.UP,
    Qt.Key.Key_Down: keyboard_order.DOWN,
}
_INSIDE = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Up, Qt.Key.Key_Down}
_NUDGE = 8.0  # scene units a key press; with Shift one
_COMMANDS = {
    (QKeySequence.StandardKey.SelectAll, "select-all"),
    (QKeySequence.StandardKey.Copy, "copy"),
    (QKeySequence.StandardKey.Cut, "cut"),
    (QKeySequence.StandardKey.Paste, "paste"),
}
_PLAIN = Qt.KeyboardModifier.NoModifier
_HARMLESS = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier


def press_key(view: CanvasPort, event: QKeyEvent) -> bool:
    """Do what the key means here; False where it means nothing."""
    key = event.key()
    if key == Qt.Key.Key_Escape:
        return _escape(view)
    command = _command(event)
    if command is not None:
        view.request_command(command)
        return True
    if key in _ARROWS and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
        return _nudge(view, _ARROWS[Qt.Key(key)], fine=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
    if event.modifiers() & ~_HARMLESS != _PLAIN:
        return False
    if _inside(view, key):
        return True
    if key in _ARROWS:
        _select_towards(view, _ARROWS[Qt.Key(key)])
    elif key in {Qt.Key.Key_Home, Qt.Key.Key_End}:
        order = view.graph.reading_order()
        if order:
            view.choose_step(order[0 if key == Qt.Key.Key_Home else -1], reveal=True)
    else:
        return _zoom(view, key)
    return True


def _zoom(view: CanvasPort, key: int) -> bool:
    if key in {Qt.Key.Key_Plus, Qt.Key.Key_Equal}:
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


def _command(event: QKeyEvent) -> str | None:
    for sequence, name in _COMMANDS:
        if event.matches(sequence):
            return name
    if event.modifiers() == Qt.KeyboardModifier.ControlModifier and event.key() == Qt.Key.Key_D:
        return "duplicate"
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    if event.modifiers() == both and event.key() == Qt.Key.Key_L:
        return "tidy-selection"
    if event.modifiers() & ~_HARMLESS != _PLAIN:
        return None
    return {
        Qt.Key.Key_Delete: "remove",
        Qt.Key.Key_Backspace: "remove",
        Qt.Key.Key_F2: "rename",
        Qt.Key.Key_Insert: "new-step",
    }.get(Qt.Key(event.key()))


def _nudge(view: CanvasPort, direction: keyboard_order.Direction, *, fine: bool) -> bool:
    steps = tuple(view.graph.selected_steps)
    by = 1.0 if fine else _NUDGE
    if steps and not view.text_broken and not view.laying_out.is_running:
        view.move_items(steps, QPointF(direction[0] * by, direction[1] * by))
        view.settle_moved(steps)
    return True


def choose_part(view: CanvasPort, step: str, part: str) -> None:
    """Select a sub-step of a movement, by the person."""
    view.graph.select(step, part=part)
    view.emit_selected_steps()


def _inside(view: CanvasPort, key: int) -> bool:
    """Enter folds a group or unfolds it; or it selects the first sub-step of a movement.

    The arrows up and down go on from one. False for all else.
    """
    graph = view.graph
    if graph.groups.selected is not None and key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
        view.folding.toggle(graph.groups.selected)
        return True
    if key not in _INSIDE or graph.also or (key in _ARROWS and not graph.part):
        return False
    item = graph.step_item(graph.selected)
    places = [sub.pointer for sub in own_sub_steps(item.step)] if item is not None else []
    if not places or (graph.part and graph.part not in places):
        return False
    at = places.index(graph.part) if graph.part else 0
    at += (key == Qt.Key.Key_Down) - (key == Qt.Key.Key_Up)
    choose_part(view, graph.selected or "", places[min(max(at, 0), len(places) - 1)])
    return True


def cycle(view: CanvasPort, *, forward: bool) -> bool:
    """Tab: select the next step in reading order, around and around.

    False where nothing is selected: then Tab leaves the canvas, so Escape and Tab leave it.
    """
    order = view.graph.reading_order()
    selected = view.graph.current
    if selected not in order:
        return False
    at = order.index(selected) + (1 if forward else -1)
    view.choose_step(order[at % len(order)], reveal=True)
    return True


def _select_towards(view: CanvasPort, direction: keyboard_order.Direction) -> None:
    frames = view.graph.stops()
    selected = view.graph.current
    if selected not in frames:
        first = view.graph.first_step()
        if first is not None:
            view.choose_step(first, reveal=True)
        return
    target = keyboard_order.nearest(frames, selected, direction)
    if target is not None:
        view.choose_step(target, reveal=True)


def _escape(view: CanvasPort) -> bool:
    if view.lens.dismiss() or view.cancel_drag() or view.messages.dismiss():
        return True
    if view.graph.current is None and view.graph.selected_transition is None:
        return False
    if view.graph.part:
        view.choose_step(view.graph.selected)  # what it is in
        return True
    view.choose_step(None)
    return True
