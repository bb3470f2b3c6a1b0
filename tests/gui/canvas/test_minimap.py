"""The minimap: there where it helps, and a click on it looks elsewhere."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.canvas.marks import RunMarks
from stepflow_gui.gui.canvas.view import GraphView

from .conftest import ShowView, flow_of, step
from .hand import drag_to, mouse_over, node_point, press, release


def long_flow(show: ShowView, count: int = 30) -> GraphView:
    steps = {f"s.{n}": step("initial", f"Step {n}", next=f"s.{n + 1}") for n in range(count)}
    return show(flow_of({**steps, f"s.{count}": step("closure", "End", closing=None)}, entryStep="s.0"))


def test_it_is_hidden_while_all_is_in_sight(qtbot: QtBot, show: ShowView) -> None:
    view = long_flow(show, 120)
    view.fit()
    assert view.minimap.isHidden()
    view.zoom_to(1.0)
    assert view.minimap.isVisible()
    view.minimap.wanted = False
    assert view.minimap.isHidden()
    view.zoom_to(0.9)
    assert view.minimap.isHidden()
    view.minimap.wanted = True
    assert view.minimap.isVisible()


def test_it_stays_in_its_corner(qtbot: QtBot, show: ShowView) -> None:
    view = long_flow(show, 120)
    view.zoom_to(1.0)
    for size in ((900, 700), (460, 340)):
        view.resize(*size)
        qtbot.wait(10)
        corner = view.rect().bottomRight() - view.minimap.geometry().bottomRight()
        assert 4 <= corner.x() <= 24
        assert 4 <= corner.y() <= 24
        assert view.minimap.width() <= view.width() / 3
    view.pan_by(30, 200)
    assert view.rect().bottomRight() - view.minimap.geometry().bottomRight() == corner


def test_it_steps_aside_for_what_is_selected(qtbot: QtBot, show: ShowView) -> None:
    view = long_flow(show)
    view.zoom_to(1.0)
    corner = view.minimap.geometry()
    item = view.graph.step_item("s.15")
    assert item is not None
    view.centerOn(item.frame.center())
    by = view.mapFromScene(item.frame.center()) - corner.center()
    view.pan_by(by.x(), by.y())
    assert view.minimap.geometry() == corner
    view.choose_step("s.15")
    assert not view.minimap.geometry().intersects(view.mapFromScene(item.frame).boundingRect())
    assert view.minimap.geometry().left() < corner.left()
    view.choose_step(None)
    assert view.minimap.geometry() == corner


def test_a_click_and_a_drag_look_elsewhere(qtbot: QtBot, show: ShowView) -> None:
    view = long_flow(show)
    view.zoom_to(1.0)
    minimap = view.minimap
    low = QPoint(minimap.width() // 2, minimap.height() - 4)
    QTest.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=low)
    assert view.viewport().rect().contains(node_point(view, "s.30"))
    assert not view.viewport().rect().contains(node_point(view, "s.0"))
    QTest.mousePress(minimap, Qt.MouseButton.LeftButton, pos=low)
    QTest.mouseMove(minimap, QPoint(minimap.width() // 2, 4))
    QTest.mouseRelease(minimap, Qt.MouseButton.LeftButton, pos=QPoint(minimap.width() // 2, 4))
    assert view.graph.selected is None


def test_it_paints_the_graph_and_a_frame_around_what_is_seen(qtbot: QtBot, show: ShowView) -> None:
    view = long_flow(show)
    view.zoom_to(1.0)
    image = view.minimap.grab().toImage()
    accent = view.graph.pens.accent.rgb()
    rows = {y for y in range(image.height()) for x in range(image.width()) if image.pixel(x, y) == accent}
    assert rows
    assert max(rows) < image.height() - 1  # not all of the graph is in sight
    view.centerOn(QPointF(view.content.center().x(), view.content.bottom()))
    image = view.minimap.grab().toImage()
    lower = {y for y in range(image.height()) for x in range(image.width()) if image.pixel(x, y) == accent}
    assert min(lower) > min(rows)


def test_marks_of_a_run_are_painted_only_while_it_is_seen(qtbot: QtBot, show: ShowView) -> None:
    view = long_flow(show, 120)
    view.minimap.grab()
    view.fit()
    view.minimap._later.stop()
    view.set_run(RunMarks(frozenset(["s.1"])))
    assert not view.minimap._later.isActive()
    view.zoom_to(1.0)
    active = view.graph.pens.active.rgb()
    image = view.minimap.grab().toImage()
    assert any(image.pixel(x, y) == active for y in range(image.height()) for x in range(image.width()))
    view.set_run(RunMarks(frozenset(["s.2"])))
    assert view.minimap._later.isActive()


def test_a_small_canvas_has_no_room_for_it(qtbot: QtBot, show: ShowView) -> None:
    view = long_flow(show, 120)
    view.camera.settle()
    view.zoom_to(1.0)
    assert view.minimap.isVisible()
    view.resize(360, 260)
    assert view.minimap.isHidden()
    view.resize(900, 700)
    assert view.minimap.isVisible()


def test_it_is_there_while_more_than_a_tenth_is_out_of_sight(qtbot: QtBot, show: ShowView) -> None:
    view = long_flow(show)
    view.fit()
    fitted, found = view.zoom, set()
    for factor in (1.0, 1.05, 1.1, 1.15, 1.2, 1.3, 1.5):
        view.zoom_to(fitted * factor)
        view.centerOn(view.content.center())
        seen = view.seen_area().intersected(view.content)
        out = 1 - seen.width() * seen.height() / (view.content.width() * view.content.height())
        assert view.minimap.isVisible() == (out > 0.1)
        found.add(view.minimap.isVisible() and 0.1 < out < 0.4)
    assert found == {True, False}


def covered(view: GraphView) -> bool:
    return any(view.minimap.geometry().intersects(view.viewport_area(area)) for area in view.graph.card_areas())


def test_it_goes_to_the_corner_with_fewer_cards_once_the_view_stands(qtbot: QtBot, show: ShowView) -> None:
    view = long_flow(show)
    view.zoom_to(1.0)
    corner = view.minimap.geometry()
    item = view.graph.step_item("s.15")
    assert item is not None
    view.centerOn(item.frame.center())
    by = view.mapFromScene(item.frame.center()) - corner.center()
    view.pan_by(by.x(), by.y())
    assert view.minimap.geometry() == corner
    assert covered(view)
    qtbot.waitUntil(lambda: view.minimap.geometry() != corner)
    assert view.minimap.geometry().topLeft().manhattanLength() < 2 * 24
    view.pan_by(-by.x(), -by.y())
    assert view.minimap.geometry() != corner  # not at once


def opacity(view: GraphView) -> bool:
    """Whether the frame of what is seen is painted in full."""
    image = view.grab(view.minimap.geometry()).toImage()
    accent = view.graph.pens.accent.rgb()
    return any(image.pixel(x, y) == accent for y in range(image.height()) for x in range(image.width()))


def test_it_fades_near_the_pointer_over_cards_and_during_drags(qtbot: QtBot, show: ShowView) -> None:
    view = long_flow(show)
    view.zoom_to(1.0)
    minimap = view.minimap
    beside = minimap.geometry().topLeft() - QPoint(20, 20)
    minimap._choose_corner()
    mouse_over(view, beside)
    assert opacity(view) != covered(view)
    view.pan_by(*_onto(view))
    minimap._covers = covered(view)
    assert minimap._covers
    mouse_over(view, beside)
    assert not opacity(view)
    mouse_over(view, beside - QPoint(60, 60))
    assert opacity(view)
    press(view, QPoint(30, 300))
    drag_to(view, QPoint(30, 300), QPoint(32, 302))
    assert not opacity(view)
    release(view, QPoint(32, 302))
    assert opacity(view)


def _onto(view: GraphView) -> tuple[int, int]:
    """How far to pan so that a card lies under the map."""
    item = view.graph.step_item("s.15")
    assert item is not None
    by = view.mapFromScene(item.frame.center()) - view.minimap.geometry().center()
    return by.x(), by.y()


def test_it_leaves_the_sign_of_an_entry(qtbot: QtBot, show: ShowView) -> None:
    view = long_flow(show)
    view.zoom_to(1.0)
    sign = next(iter(view.graph.entries.values())).boundingRect()
    corner = view.minimap.geometry()
    view.centerOn(sign.center())
    by = view.mapFromScene(sign.center()) - corner.center()
    view.pan_by(by.x(), by.y())
    qtbot.waitUntil(lambda: view.minimap.geometry() != corner)
