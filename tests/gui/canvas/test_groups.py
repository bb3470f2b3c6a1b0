"""Groups on the canvas: folded to cards, unfolded as fields, by mouse, keyboard and for screen readers."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible

from stepflow_gui.flow.groups.grouping import By
from stepflow_gui.flow.layout.shapes import NodeId
from stepflow_gui.gui.canvas.hover_texts import tooltip
from stepflow_gui.gui.canvas.items.group_item import GroupItem
from stepflow_gui.gui.canvas.marks import RunMarks
from stepflow_gui.gui.canvas.view import GraphView
from tests.gui.canvas.conftest import ShowView, chain, flow_of, picture, step
from tests.gui.canvas.hand import LEFT, click, drag, heard, mouse, node_point, press_key

A, B = "topic a", "topic b"


def two_topics(show: ShowView, folds: set[str] | None = None, *, by: By = "topic") -> GraphView:
    """Four steps of topic a and two of topic b, in groups, all folded where `folds` doesn't say otherwise."""
    steps = {f"initial.a.{at}": step("initial", f"A {at}", next=f"initial.a.{at + 1}") for at in range(3)}
    steps["initial.a.3"] = step("initial", "A 3", next="closure.b.0", other="closure.b.1")
    steps |= {f"closure.b.{at}": step("closure", f"B {at}", closing=None) for at in range(2)}
    view = show(flow_of(steps, entryStepMapping={"poll:state": "initial.a.0"}))
    view.folding.set_grouping(by, {}, folds)
    view.show_again()
    view.fit()
    return view


def card_point(view: GraphView, key: str) -> QPoint:
    item = view.graph.groups.item(key)
    assert item is not None
    return view.mapFromScene(item.frame.center())


def double_click(view: GraphView, at: QPoint) -> None:
    click(view, at)
    mouse(view, QEvent.Type.MouseButtonDblClick, at, LEFT, LEFT)
    mouse(view, QEvent.Type.MouseButtonRelease, at, LEFT, Qt.MouseButton.NoButton)


def shown_groups(view: GraphView) -> tuple[set[str], set[str]]:
    """The folded and the unfolded ones."""
    return {item.node.name for item in view.graph.groups.items()}, {*view.graph.groups.fields}


def test_folded_groups_are_cards_with_joined_edges(show: ShowView) -> None:
    view = two_topics(show)
    assert {node.kind for node in view.graph.nodes} == {"group", "end"}
    edge = view.graph.edges[NodeId("group", A), NodeId("group", B)]
    assert edge.route.lines == ("next ×1", "other ×1")
    assert [entry.mark.target.name for entry in view.graph.entries.values()] == [A]
    item = view.graph.groups.item(A)
    assert item is not None
    assert (item.card.group.name, item.card.counts) == ("a", "4 steps · 1 entry")


def test_folding_keeps_where_steps_stand(show: ShowView) -> None:
    view = two_topics(show, set())
    before = view.positions()
    view.folding.fold([A], on=True)
    view.folding.fold([B], on=True)
    assert view.positions() == before
    view.folding.set_grouping("none", {}, ())
    view.show_again()
    assert view.graph.layout.corners == view.arrangement.corners
    assert view.positions() == before


def test_a_double_click_unfolds_and_on_the_header_folds(show: ShowView) -> None:
    view = two_topics(show)
    double_click(view, card_point(view, A))
    assert shown_groups(view) == ({B}, {A})
    assert view.graph.step_item("initial.a.0") is not None
    area = view.graph.groups.fields[A]
    double_click(view, view.mapFromScene(area.topRight() + QPoint(-30, 12)))
    assert shown_groups(view) == ({A, B}, set())


def test_the_chevron_folds_at_once(show: ShowView) -> None:
    view = two_topics(show)
    item = view.graph.groups.item(B)
    assert item is not None
    click(view, view.mapFromScene(item.frame.topLeft() + QPoint(14, 14)))
    assert shown_groups(view) == ({A}, {B})


def test_a_click_selects_a_group_and_no_step(show: ShowView) -> None:
    view = two_topics(show)
    told = heard(view.step_selected)
    click(view, card_point(view, B))
    assert (view.graph.groups.selected, view.graph.selected, told) == (B, None, [None])
    assert view.accessibleDescription() == "group b, folded, 2 steps · 2 ends"
    press_key(view, Qt.Key.Key_Escape)
    assert view.graph.groups.selected is None


def test_the_keyboard_goes_through_groups_and_enter_unfolds(show: ShowView) -> None:
    view = two_topics(show)
    view.setFocus()
    view.choose_step(A)
    assert view.focusNextPrevChild(True)
    assert view.graph.current == B
    press_key(view, Qt.Key.Key_Return)
    assert shown_groups(view) == ({A}, {B})
    assert view.graph.groups.selected == B
    press_key(view, Qt.Key.Key_Return)
    assert shown_groups(view) == ({A, B}, set())


def test_screen_readers_meet_groups(show: ShowView) -> None:
    view = two_topics(show)
    view.set_diagnostics({"initial.a.1": (2, 0, 0), "initial.a.2": (1, 3, 0)}, frozenset())
    listed = QAccessible.queryAccessibleInterface(view)
    names = [listed.child(at).text(QAccessible.Text.Name) for at in range(listed.childCount())]
    assert names == ["group a, folded, 4 steps · 1 entry, 3 errors, 3 warnings", "group b, folded, 2 steps · 2 ends"]
    assert listed.child(0).text(QAccessible.Text.Description) == "Goes out: next ×1, other ×1"
    listed.child(1).actionInterface().doAction(listed.child(1).actionInterface().pressAction())
    assert view.graph.groups.selected == B


def test_problems_and_runs_in_a_folded_group_show_on_it(show: ShowView) -> None:
    view = two_topics(show)
    view.follow_active = False
    view.set_diagnostics({"initial.a.1": (2, 0, 0), "initial.a.2": (0, 3, 0)}, frozenset())
    view.set_run(RunMarks(active=frozenset({"initial.a.2"})))
    view.select_step("initial.a.1")
    item = view.graph.groups.item(A)
    assert item is not None
    assert (item.counts.worst, item.active, item.holds_chosen) == (("error", 2), True, True)


def test_revealing_a_hidden_step_unfolds_its_group(show: ShowView) -> None:
    view = two_topics(show)
    view.select_step("closure.b.1", reveal=True)
    assert shown_groups(view) == ({A}, {B})
    assert view.graph.selected == "closure.b.1"


def test_following_unfolds_and_folds_again_when_the_run_has_left(show: ShowView) -> None:
    view = two_topics(show)
    kept: list[None] = []
    view.folding.changed = lambda: kept.append(None)
    view.set_run(RunMarks(active=frozenset({"initial.a.0"})))
    assert shown_groups(view) == ({B}, {A})
    view.set_run(RunMarks(active=frozenset({"initial.a.1"})))
    assert shown_groups(view) == ({B}, {A})
    view.set_run(RunMarks(active=frozenset({"closure.b.0"})))
    assert shown_groups(view) == ({A}, {B})
    view.set_run(RunMarks())
    assert shown_groups(view) == ({A, B}, set())
    assert not kept  # nothing that the person chose


def test_a_step_dragged_in_a_field_moves_by_as_much_in_the_unfolded_graph(show: ShowView) -> None:
    view = two_topics(show, {B})
    view.zoom_to(1.0)
    view.centerOn(view.graph.groups.fields[A].center())
    before, start = view.positions(), node_point(view, "initial.a.3")
    drag(view, start, start + QPoint(160, 48), Qt.KeyboardModifier.AltModifier)
    after = view.positions()
    moved = {name: (after[name][0] - x, after[name][1] - y) for name, (x, y) in before.items() if after[name] != (x, y)}
    assert moved == {"initial.a.3": (160, 48)}
    assert view.graph.groups.fields[A].contains(view.graph.step_frames()["initial.a.3"])


def test_a_transition_cant_be_drawn_to_a_folded_group(show: ShowView) -> None:
    view = two_topics(show, {B})
    item = view.graph.step_item("initial.a.0")
    assert item is not None
    gesture = view.connect_gesture(item.step, "next")
    assert gesture is not None
    assert gesture.why_not(NodeId("group", B)) == "Unfold the group to connect to what is in it"


def test_the_tooltip_tells_what_comes_in_and_goes_out(show: ShowView) -> None:
    view = two_topics(show)
    lines = tooltip(view, card_point(view, B)).split("\n")
    assert lines == ["b", "2 steps · 2 ends", "Comes in: next ×1, other ×1", "Goes out: closing ×2"]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("zoom", [0.1, 0.2, 0.4, 1.0])
def test_cards_and_fields_are_painted_at_every_zoom(show: ShowView, zoom: float, dark: bool) -> None:
    view = show(chain(90), dark=dark)
    plain = picture(view)
    view.folding.set_grouping("parts", {}, None)
    view.show_again()
    view.folding.fold(view.folding.keys[:1], on=False)
    view.fit()
    view.zoom_to(zoom)
    image = picture(view)
    assert image != plain
    theme = view.graph.pens
    colors = {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}
    assert theme.text.name() in colors or zoom < 0.15  # names can be read
    assert theme.kind("work").name() in colors


def test_only_parts_with_a_shown_step_stay_when_steps_are_filtered(show: ShowView) -> None:
    view = two_topics(show)
    view.show_only(frozenset({"closure.b.0"}))
    assert {
        item.node.name for item in view.graph.nodes.values() if isinstance(item, GroupItem) and item.isVisible()
    } == {B}
    view.show_only(None)
    assert all(item.isVisible() for item in view.graph.groups.items())


def test_an_edit_that_empties_a_group_leaves_the_others(show: ShowView) -> None:
    view = two_topics(show)
    steps = {"initial.a.0": step("initial", "A", next="initial.a.1"), "initial.a.1": step("initial", "B", next=None)}
    view.show_flow(flow_of(steps), keep_positions=True, verdict=None)
    assert shown_groups(view) == ({A}, set())


def test_a_dragged_card_takes_its_steps_along(show: ShowView) -> None:
    view = two_topics(show)
    before, moves = view.positions(), heard(view.moved)
    there = card_point(view, A)
    drag(view, there, card_point(view, B))
    after = view.positions()
    inside = {step for step in before if ".a." in step}
    assert {step for step in after if after[step] != before[step]} == inside
    assert len({(after[step][0] - x, after[step][1] - y) for step, (x, y) in before.items() if step in inside}) == 1
    assert [set(places) for places in moves] == [inside]
    drag(view, card_point(view, A), card_point(view, A) + QPoint(12, 8))  # it is where it was
    assert view.positions() == after
    assert len(moves) == 1


def test_escape_puts_a_dragged_card_back(show: ShowView) -> None:
    view = two_topics(show)
    before, there = view.positions(), card_point(view, A)
    mouse(view, QEvent.Type.MouseButtonPress, there, LEFT, LEFT)
    mouse(view, QEvent.Type.MouseMove, there + QPoint(80, 60), Qt.MouseButton.NoButton, LEFT)
    assert card_point(view, A) != there
    press_key(view, Qt.Key.Key_Escape)
    assert card_point(view, A) == there
    assert view.positions() == before
