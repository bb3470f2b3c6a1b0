"""From afar a card is shown whole: where the pointer rests, or by the keyboard."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.canvas.view import GraphView
from tests.gui.canvas.conftest import ShowView, chain
from tests.gui.canvas.hand import click, mouse_over, press_key, wheel

STEP = "continuation.s3"


def far(show: ShowView, zoom: float = 0.4) -> GraphView:
    view = show(chain(20))
    item = view.graph.step_item(STEP)
    assert item is not None
    view.zoom_to(zoom)
    view.centerOn(item.frame.center())
    return view


def middle(view: GraphView) -> QPoint:
    item = view.graph.step_item(STEP)
    assert item is not None
    return view.mapFromScene(item.frame.center())


def test_resting_on_a_card_shows_it_whole_beside_it(qtbot: QtBot, show: ShowView) -> None:
    view = far(show)
    mouse_over(view, middle(view))
    assert view.lens.step is None  # not at once
    qtbot.waitUntil(lambda: view.lens.step == STEP)
    item = view.graph.step_item(STEP)
    assert item is not None
    assert not view.lens.geometry().intersects(view.viewport_area(item.frame))
    assert view.viewport().rect().contains(view.lens.geometry())
    assert view.lens.width() > item.frame.width()  # at 100 %
    image = view.lens.grab().toImage()
    colors = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert {view.graph.pens.text.name(), view.graph.pens.kind("work").name()} <= colors


def test_it_goes_with_the_pointer_a_press_and_a_pan(qtbot: QtBot, show: ShowView) -> None:
    view = far(show)
    leaving: tuple[Callable[[], None], ...] = (
        lambda: mouse_over(view, QPoint(2, 2)),
        lambda: click(view, middle(view)),
        lambda: wheel(view, QPoint(2, 2), QPoint(0, 120), Qt.KeyboardModifier.NoModifier),
    )
    for leave in leaving:
        view.lens.show_step(STEP)
        assert view.lens.step == STEP
        leave()
        assert view.lens.step is None
    view.lens.dismiss()


def test_near_a_card_can_be_read_and_has_no_lens(qtbot: QtBot, show: ShowView) -> None:
    view = far(show, 0.9)
    mouse_over(view, middle(view))
    qtbot.wait(350)  # longer than the lens takes
    assert view.lens.step is None


def test_by_keyboard_and_escape(show: ShowView) -> None:
    view = far(show)
    view.show_lens()
    assert view.lens.step is None  # nothing is selected
    view.choose_step(STEP)
    view.show_lens()
    assert view.lens.step == STEP
    assert view.lens.accessibleName() == view.graph.accessible_name(STEP)
    press_key(view, Qt.Key.Key_Escape)
    assert view.lens.step is None
    assert view.graph.selected == STEP


def test_the_wheel_leaves_no_hover_behind(show: ShowView) -> None:
    view = far(show)
    mouse_over(view, middle(view))
    item = view.graph.step_item(STEP)
    assert item is not None
    assert item.hovered
    wheel(view, middle(view), QPoint(0, 2400), Qt.KeyboardModifier.NoModifier)
    assert not item.hovered
    view.lens.dismiss()
