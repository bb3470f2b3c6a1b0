"""What stays and what is drawn again after a change."""

from pathlib import Path

from stepflow_gui.flow.layout import NodeId, NodeSize, lay_out, moved, place_new, settled
from stepflow_gui.flow.layout.measure import boxes_crossed, boxes_overlapping, labels_overlapping
from tests.flow.flows import Ways, flow_of, read
from tests.flow.test_layout import route, step

BEFORE: dict[str, Ways] = {
    "initial.a": {"next": "continuation.a", "repeat": "initial.a"},
    "continuation.a": {"next": "continuation.a", "handoff": "closure.a"},
    "closure.a": {"closing": None},
}


def test_an_unchanged_flow_keeps_its_layout() -> None:
    flow = flow_of(BEFORE, entry="initial.a")
    layout = lay_out(flow, {})
    again = place_new(flow, {}, layout)
    assert (again.boxes, again.routes, again.entries) == (layout.boxes, layout.routes, layout.entries)


def test_a_new_step_finds_a_free_place_near_what_goes_to_it_and_nothing_moves() -> None:
    layout = lay_out(flow_of(BEFORE, entry="initial.a"), {})
    after: dict[str, Ways] = {
        **BEFORE,
        "continuation.a": {"handoff": "closure.a", "jump": "verification.a"},
        "verification.a": {},
    }
    changed = place_new(flow_of(after, entry="initial.a"), {}, layout)
    assert {node: changed.boxes[node] for node in layout.boxes} == layout.boxes
    new, source = changed.steps["verification.a"], changed.steps["continuation.a"]
    assert new.y > source.bottom
    assert abs(new.middle - source.middle) < 700
    assert boxes_overlapping(changed) == boxes_crossed(changed) == labels_overlapping(changed) == 0


def test_a_retargeted_edge_is_redrawn_and_the_others_stay() -> None:
    layout = lay_out(flow_of(BEFORE, entry="initial.a"), {})
    after: dict[str, Ways] = {**BEFORE, "continuation.a": {"next": "continuation.a", "handoff": "initial.a"}}
    changed = place_new(flow_of(after, entry="initial.a"), {}, layout)
    assert route(changed, "continuation.a", step("initial.a")).back
    kept = ["initial.a", "closure.a"]
    moves = [one._replace(moves=()) for one in layout.routes if one.source.name in kept]
    assert [one._replace(moves=()) for one in changed.routes if one.source.name in kept] == moves


def test_moves_are_those_of_the_flow_as_it_is_now() -> None:
    layout = lay_out(flow_of(BEFORE), {})
    flow = flow_of({"section.first": {}, **BEFORE})
    changed = place_new(flow, {}, layout)
    assert [move for one in changed.routes for move in one.moves] == [
        move for one in changed.routes for move in flow.moves() if move in one.moves
    ]
    assert {move.span for one in changed.routes for move in one.moves} == {move.span for move in flow.moves()}


def test_steps_keep_their_end_when_sub_flows_are_joined() -> None:
    apart: dict[str, Ways] = {"a": {"next": "x"}, "x": {"closing": None}, "b": {"next": "y"}, "y": {"closing": None}}
    layout = lay_out(flow_of(apart), {})
    joined: dict[str, Ways] = {**apart, "a": {"next": "x", "jump": "b"}}
    changed = place_new(flow_of(joined), {}, layout)
    assert {node: changed.boxes[node] for node in layout.boxes} == layout.boxes
    assert route(changed, "y", NodeId("end", "b"))


def test_a_step_that_ends_again_ends_where_its_sub_flow_does() -> None:
    layout = lay_out(flow_of(BEFORE), {})
    after: dict[str, Ways] = {**BEFORE, "initial.a": {"next": "continuation.a", "closing": None}}
    changed = place_new(flow_of(after), {}, layout)
    assert route(changed, "initial.a", NodeId("end", "initial.a"))
    assert len(changed.boxes) == len(layout.boxes)


def test_given_positions_come_first() -> None:
    flow = flow_of(BEFORE, entry="initial.a")
    layout = place_new(flow, {}, lay_out(flow, {}), {"closure.a": (900.0, 40.0)})
    box = layout.steps["closure.a"]
    assert (box.x, box.y) == (900, 40)
    assert boxes_crossed(layout) == 0
    end = route(layout, "closure.a", NodeId("end", "initial.a"))
    assert end.bends[0].x in {box.middle, box.x, box.right}


def test_a_step_that_grows_keeps_its_corner_and_its_edges_touch_it() -> None:
    flow = flow_of(BEFORE)
    layout = lay_out(flow, {})
    grown = place_new(flow, {"continuation.a": NodeSize(320, 74)}, layout)
    before, after = layout.steps["continuation.a"], grown.steps["continuation.a"]
    assert (after.x, after.y, after.width) == (before.x, before.y, 320)
    onward = route(grown, "continuation.a", step("closure.a"))
    assert after.x < onward.bends[0].x < after.right
    assert route(grown, "continuation.a", step("continuation.a")).bends[0].x == after.right


def test_moving_a_step_moves_its_edges_and_no_others(corpus: Path) -> None:
    flow = read((corpus / "climpt/iterator/031-06e570d/steps_registry.json").read_text("utf-8"))
    layout = lay_out(flow, {})
    node = step("initial.project.processingempty")
    box = layout.boxes[node]
    after = moved(layout, {node: (box.x + 60, box.y - 40)})
    assert {other for other in layout.boxes if layout.boxes[other] != after.boxes[other]} == {node}
    changed = [new for old, new in zip(layout.routes, after.routes, strict=True) if old != new]
    assert changed
    assert all(node in (one.source, one.target) for one in changed)
    assert boxes_crossed(after) == 0


def test_steps_moved_together_take_their_edges_along() -> None:
    layout = lay_out(flow_of(BEFORE, entry="initial.a"), {})
    to = {node: (box.x + 500, box.y + 20) for node, box in layout.boxes.items()}
    after = moved(layout, to)
    assert after.routes == [one.shifted(500, 20) for one in layout.routes]
    assert after.entries == [mark.shifted(500, 20) for mark in layout.entries]


def test_an_edge_avoids_a_step_placed_on_it() -> None:
    flow = flow_of({"a": {"next": "b"}, "b": {}, "c": {}}, entry="a")
    spread = {"a": (0.0, 0.0), "b": (0.0, 400.0)}
    layout = place_new(flow, {}, lay_out(flow, {}), spread)
    after = moved(layout, {step("c"): (0, 200)})
    assert boxes_crossed(after) == 1
    dropped = settled(after, [step("c")])
    assert boxes_crossed(dropped) == 0
    assert dropped.boxes == after.boxes
