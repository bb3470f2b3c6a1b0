"""What stays and what follows from the boxes after a change."""

from pathlib import Path

from stepflow_gui.flow.layout import Box, Layout, NodeId, NodeSize, draw, lay_out
from stepflow_gui.flow.layout.measure import boxes_crossed, boxes_overlapping, labels_overlapping
from stepflow_gui.flow.layout.spots import Spots
from stepflow_gui.flow.model import Flow
from tests.flow.flows import Ways, flow_of, read
from tests.flow.test_layout import route, step

BEFORE: dict[str, Ways] = {
    "initial.a": {"next": "continuation.a", "repeat": "initial.a"},
    "continuation.a": {"next": "continuation.a", "handoff": "closure.a"},
    "closure.a": {"closing": None},
}


def after(flow: Flow, layout: Layout, **moved: tuple[float, float]) -> Layout:
    places = {step(name.replace("_", ".")): place for name, place in moved.items()}
    return draw(flow, {}, {**layout.corners, **places}, loops=True)


def test_an_unchanged_flow_keeps_its_layout() -> None:
    flow = flow_of(BEFORE, entry="initial.a")
    layout = lay_out(flow, {}, loops=True)
    again = after(flow, layout)
    assert (again.boxes, again.routes, again.entries) == (layout.boxes, layout.routes, layout.entries)


def test_a_new_step_finds_a_free_place_near_what_goes_to_it_and_nothing_moves() -> None:
    layout = lay_out(flow_of(BEFORE, entry="initial.a"), {}, loops=True)
    edited: dict[str, Ways] = {
        **BEFORE,
        "continuation.a": {"handoff": "closure.a", "jump": "verification.a"},
        "verification.a": {},
    }
    changed = after(flow_of(edited, entry="initial.a"), layout)
    assert {node: changed.boxes[node] for node in layout.boxes} == layout.boxes
    new, source = changed.steps["verification.a"], changed.steps["continuation.a"]
    assert new.y > source.bottom
    assert abs(new.middle - source.middle) < 700
    assert boxes_overlapping(changed) == boxes_crossed(changed) == labels_overlapping(changed) == 0


def test_a_retargeted_edge_is_redrawn_and_no_box_moves() -> None:
    layout = lay_out(flow_of(BEFORE, entry="initial.a"), {}, loops=True)
    edited: dict[str, Ways] = {**BEFORE, "continuation.a": {"next": "continuation.a", "handoff": "initial.a"}}
    changed = after(flow_of(edited, entry="initial.a"), layout)
    assert route(changed, "continuation.a", step("initial.a")).back
    assert list(changed.boxes.values()) == list(layout.boxes.values())  # the end is named after another step


def test_moves_are_those_of_the_flow_as_it_is_now() -> None:
    layout = lay_out(flow_of(BEFORE), {}, loops=True)
    flow = flow_of({"section.first": {}, **BEFORE})
    changed = after(flow, layout)
    assert [move for one in changed.routes for move in one.moves] == [
        move for one in changed.routes for move in flow.moves() if move in one.moves
    ]
    assert {move.span for one in changed.routes for move in one.moves} == {move.span for move in flow.moves()}


def test_steps_keep_their_end_when_sub_flows_are_joined() -> None:
    apart: dict[str, Ways] = {"a": {"next": "x"}, "x": {"closing": None}, "b": {"next": "y"}, "y": {"closing": None}}
    layout = lay_out(flow_of(apart), {}, loops=True)
    joined: dict[str, Ways] = {**apart, "a": {"next": "x", "jump": "b"}}
    changed = after(flow_of(joined), layout)
    assert {node: changed.boxes[node] for node in layout.boxes} == layout.boxes
    assert route(changed, "y", NodeId("end", "b"))


def test_a_step_that_ends_again_ends_where_its_sub_flow_does() -> None:
    layout = lay_out(flow_of(BEFORE), {}, loops=True)
    edited: dict[str, Ways] = {**BEFORE, "initial.a": {"next": "continuation.a", "closing": None}}
    changed = after(flow_of(edited), layout)
    assert route(changed, "initial.a", NodeId("end", "initial.a"))
    assert len(changed.boxes) == len(layout.boxes)


def test_given_positions_come_first() -> None:
    flow = flow_of(BEFORE, entry="initial.a")
    layout = after(flow, lay_out(flow, {}, loops=True), closure_a=(900.0, 40.0))
    box = layout.steps["closure.a"]
    assert (box.x, box.y) == (900, 40)
    assert boxes_crossed(layout) == 0
    end = route(layout, "closure.a", NodeId("end", "initial.a"))
    assert end.bends[0].x in {box.middle, box.x, box.right}


def test_a_step_that_grows_keeps_its_corner_and_its_edges_touch_it() -> None:
    flow = flow_of(BEFORE)
    layout = lay_out(flow, {}, loops=True)
    grown = draw(flow, {"continuation.a": NodeSize(320, 74)}, layout.corners, loops=True)
    before, now = layout.steps["continuation.a"], grown.steps["continuation.a"]
    assert (now.x, now.y, now.width) == (before.x, before.y, 320)
    onward = route(grown, "continuation.a", step("closure.a"))
    assert now.x < onward.bends[0].x < now.right
    assert route(grown, "continuation.a", step("continuation.a")).bends[0].x == now.right


def test_boxes_alone_say_how_edges_run(corpus: Path) -> None:
    flow = read((corpus / "climpt/iterator/031-06e570d/steps_registry.json").read_text("utf-8"))
    layout = lay_out(flow, {}, loops=True)
    x, y = layout.corners[step("initial.project.processingempty")]
    moved = after(flow, layout, initial_project_processingempty=(x + 60, y - 40))
    assert moved.routes != layout.routes
    assert boxes_crossed(moved) == 0
    back = after(flow, moved, initial_project_processingempty=(x, y))
    assert (back.boxes, back.routes, back.entries) == (layout.boxes, layout.routes, layout.entries)


def test_steps_moved_together_take_their_edges_along() -> None:
    flow = flow_of(BEFORE, entry="initial.a")
    layout = lay_out(flow, {}, loops=True)
    moved = draw(flow, {}, {node: (box.x + 500, box.y + 20) for node, box in layout.boxes.items()}, loops=True)
    assert moved.routes == [one.shifted(500, 20) for one in layout.routes]
    assert moved.entries == [mark.shifted(500, 20) for mark in layout.entries]


def test_an_edge_avoids_a_step_placed_on_it() -> None:
    flow = flow_of({"a": {"next": "b"}, "b": {}, "c": {}}, entry="a")
    layout = after(flow, lay_out(flow, {}, loops=True), a=(0.0, 0.0), b=(0.0, 400.0), c=(0.0, 200.0))
    assert boxes_crossed(layout) == 0


def test_an_end_stays_when_the_step_it_is_named_after_goes() -> None:
    layout = lay_out(flow_of(BEFORE), {}, loops=True)
    edited = {name: ways for name, ways in BEFORE.items() if name != "initial.a"}
    changed = after(flow_of(edited), layout)
    assert changed.boxes[NodeId("end", "continuation.a")] == layout.boxes[NodeId("end", "initial.a")]


def test_a_spot_is_on_the_grid_apart_from_all_and_below_first() -> None:
    taken = [Box(0, 0, 216, 74), Box(260, 0, 216, 74)]
    spots = Spots(taken)
    wish = Box(13, 21, 216, 74)
    assert spots.covers([wish])
    there = wish.shifted(*spots.shift([wish]))
    assert (there.x, there.y) == (16, 104)
    assert not any(there.grown(23).overlaps(box) for box in taken)
    alone = Box(900, 403, 216, 74)
    assert not spots.covers([alone])
    assert spots.shift([alone]) == (-4, -3)
    together = [Box(0, 0, 216, 74), Box(0, 100, 216, 74)]
    dx, dy = spots.shift(together)
    assert not any(box.shifted(dx, dy).grown(23).overlaps(other) for box in together for other in taken)


def test_where_nothing_is_free_near_it_is_below_all() -> None:
    wall = Spots([Box(-6000, -6000, 12_000, 12_000)])
    assert Box(0, 0, 216, 74).shifted(*wall.shift([Box(0, 0, 216, 74)])).y == 6024
