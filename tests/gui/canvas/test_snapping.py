"""Where dragged steps snap to, and what shows meanwhile."""

import time

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QWidget

from stepflow_gui.flow.layout.shapes import Box
from stepflow_gui.gui.canvas.hand.guides import GuidesItem
from stepflow_gui.gui.canvas.hand.snapping import Guide, PortLink, Snapping
from stepflow_gui.gui.canvas.view import GraphView
from tests.gui.canvas.conftest import ShowView, issue_flow, picture
from tests.gui.canvas.hand import drag_to, heard, node_point, press, press_key, release

ALL = Box(-10_000, -10_000, 20_000, 20_000)
ALT = Qt.KeyboardModifier.AltModifier


def test_a_side_snaps_within_the_reach_and_not_beyond() -> None:
    snapping = Snapping({"a": Box(0, 0, 216, 74)})
    near = snapping.snap(Box(5, 300, 150, 60), 6, ALL)
    assert (near.dx, near.dy) == (-5, 0)
    assert near.guides == (Guide((0, 0), (0, 360)),)
    assert near.words == ("left of a",)
    assert snapping.snap(Box(7, 300, 150, 60), 6, ALL) == ((0, 0, (), ()))


def test_both_axes_snap_at_once_with_a_guide_each() -> None:
    snap = Snapping({"a": Box(0, 0, 216, 74), "b": Box(500, 400, 216, 74)}).snap(Box(3, 397, 216, 74), 6, ALL)
    assert (snap.dx, snap.dy) == (-3, 3)
    assert snap.words == ("left of a", "top of b")
    assert len(snap.guides) == 2


def test_middles_snap_to_middles_only() -> None:
    snapping = Snapping({"a": Box(0, 0, 200, 74)})
    assert snapping.snap(Box(52, 300, 100, 60), 6, ALL).words == ("centre of a",)
    assert snapping.snap(Box(98, 300, 500, 60), 1, ALL).words == ()  # a left side at another's centre


def test_equal_gaps_snap_between_and_after_two() -> None:
    column = {"a": Box(0, 0, 216, 74), "b": Box(0, 110, 216, 74), "far": Box(900, 0, 216, 74)}
    after = Snapping(column).snap(Box(40, 223, 150, 50), 6, ALL)
    assert after.dy == -3
    assert [guide.gap for guide in after.guides] == [36, 36]
    assert after.words == ("36 px apart",)
    between = Snapping({"a": Box(0, 0, 216, 74), "b": Box(0, 300, 216, 74)}).snap(Box(40, 159, 150, 50), 6, ALL)
    assert (between.dy, [guide.gap for guide in between.guides]) == (3, [88, 88])


def test_a_port_snaps_straight_above_its_target() -> None:
    links = (PortLink(50, "t", True),)
    snap = Snapping({"t": Box(0, 300, 216, 74)}, links).snap(Box(54, 0, 130, 60), 6, ALL)
    assert (snap.dx, snap.words) == (4, ("straight above t",))
    assert snap.guides == (Guide((108, 60), (108, 300)),)


def test_what_is_out_of_sight_is_nothing_to_snap_to() -> None:
    snapping = Snapping({"a": Box(0, 5000, 216, 74)})
    assert snapping.snap(Box(2, 0, 216, 74), 6, Box(-100, -100, 1000, 800)) == (0, 0, (), ())


def test_a_move_is_asked_in_time_that_grows_no_faster_than_the_steps() -> None:
    def taken(count: int) -> float:
        snapping = Snapping({f"s{at}": Box(at % 30 * 253, at // 30 * 111, 216, 74) for at in range(count)})
        best = float("inf")
        for _again in range(5):
            begun = time.process_time()
            for move in range(20):
                snapping.snap(Box(move * 7, move * 5, 216, 74), 6, ALL)
            best = min(best, time.process_time() - begun)
        return best

    assert taken(4000) < 4 * 10 * taken(400)


def moving(show: ShowView) -> tuple[GraphView, QPoint, QPointF]:
    """A view at 100 %, where a step is grabbed, and where it is."""
    view = show(issue_flow())
    view.zoom_to(1.0)
    item = view.graph.step_item("closure.issue")
    assert item is not None
    view.centerOn(item.frame.center())
    return view, node_point(view, "closure.issue"), item.pos()


def guides(view: GraphView) -> list[Guide]:
    return [guide for item in view.graph.items() if isinstance(item, GuidesItem) for guide in item.guides]


def test_a_dragged_step_snaps_shows_guides_and_says_so(show: ShowView) -> None:
    view, start, before = moving(show)
    above = view.graph.step_item("continuation.issue")
    assert above is not None
    told = heard(view.hint_changed)
    target = start + QPoint(round(above.x() - before.x()) + 3, 300)
    press(view, start)
    drag_to(view, start, target)
    assert guides(view)
    assert any("left of" in text and "Alt moves freely" in text for text in told)
    picture(view)  # they can be painted
    release(view, target)
    assert not guides(view)
    assert view.positions()["closure.issue"][0] == above.x()
    assert told[-1].startswith("closure.issue")  # what is under the pointer now


def test_alt_switches_it_off(show: ShowView) -> None:
    view, start, before = moving(show)
    above = view.graph.step_item("continuation.issue")
    assert above is not None
    target = start + QPoint(round(above.x() - before.x()) + 3, 130)
    press(view, start)
    drag_to(view, start, target)
    release(view, target, keys=ALT)
    assert view.positions()["closure.issue"] == (before.x() + (target - start).x(), before.y() + 130)


def test_the_rubber_band_is_the_accent_and_lights_what_it_catches(show: ShowView) -> None:
    view, _start, _before = moving(show)
    view.fit()
    begin = view.mapFromScene(view.content.topLeft()) - QPoint(20, 20)
    press(view, begin, keys=Qt.KeyboardModifier.ShiftModifier)
    drag_to(view, begin, view.mapFromScene(view.content.center()))
    band = view.viewport().findChild(QWidget, "rubberBand")
    assert isinstance(band, QWidget)
    image = band.grab().toImage()
    accent = view.graph.pens.accent.name()
    assert image.pixelColor(0, image.height() // 2).name() == accent
    assert any(item.chosen for item in view.graph.steps())
    press_key(view, Qt.Key.Key_Escape)
    assert not any(item.chosen for item in view.graph.steps())
