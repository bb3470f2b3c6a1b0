"""Real mouse and key events on a canvas."""

from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from stepflow_gui.gui.canvas.view import GraphView

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.MouseButton.NoButton


def heard(signal: Any) -> list[Any]:
    calls: list[Any] = []
    signal.connect(calls.append)
    return calls


def node_point(view: GraphView, step_id: str) -> QPoint:
    item = view.graph.step_item(step_id)
    assert item is not None
    return view.mapFromScene(item.frame.topLeft() + QPointF(90, 15))


def pill_point(view: GraphView, step_id: str, intent: str) -> QPoint:
    item = view.graph.step_item(step_id)
    assert item is not None
    pill = next(pill for pill in item.measured.pills if pill.intent == intent)
    return view.mapFromScene(item.pos() + pill.rect.center())


def mouse(
    view: GraphView,
    kind: QEvent.Type,
    at: QPoint,
    button: Qt.MouseButton,
    held: Qt.MouseButton,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    where = QPointF(at)
    viewport = view.viewport()
    event = QMouseEvent(kind, where, QPointF(viewport.mapToGlobal(at)), button, held, keys)
    QApplication.sendEvent(viewport, event)


def mouse_over(view: GraphView, at: QPoint) -> None:
    mouse(view, QEvent.Type.MouseMove, at, NONE, NONE)


def press(
    view: GraphView,
    at: QPoint,
    button: Qt.MouseButton = LEFT,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    mouse(view, QEvent.Type.MouseButtonPress, at, button, button, keys)


def drag_to(view: GraphView, start: QPoint, end: QPoint, held: Qt.MouseButton = LEFT) -> None:
    for at in range(1, 9):
        mouse(view, QEvent.Type.MouseMove, start + (end - start) * at / 8, NONE, held)


def release(
    view: GraphView,
    at: QPoint,
    button: Qt.MouseButton = LEFT,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    mouse(view, QEvent.Type.MouseButtonRelease, at, button, NONE, keys)


def drag(
    view: GraphView, start: QPoint, end: QPoint, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    press(view, start, keys=keys)
    drag_to(view, start, end)
    release(view, end, keys=keys)


def loop(view: GraphView, step_id: str, intent: str) -> None:
    """Draw a transition from an intent out of its step and back to it."""
    start, end = pill_point(view, step_id, intent), node_point(view, step_id)
    item = view.graph.step_item(step_id)
    assert item is not None
    outside = view.mapFromScene(item.frame.topLeft() + QPointF(60, -25))
    press(view, start)
    drag_to(view, start, outside)
    drag_to(view, outside, end)
    release(view, end)


def wheel(view: GraphView, at: QPoint, angle: QPoint, modifiers: Qt.KeyboardModifier) -> None:
    viewport = view.viewport()
    event = QWheelEvent(
        QPointF(at),
        QPointF(viewport.mapToGlobal(at)),
        QPoint(),
        angle,
        NONE,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, event)


def click(view: GraphView, at: QPoint, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    press(view, at, keys=keys)
    release(view, at, keys=keys)


def press_key(view: GraphView, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(view, QKeyEvent(kind, key, modifiers))
