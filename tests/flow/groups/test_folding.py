"""The boxes that are shown while groups are."""

import time
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepflow_gui.flow.groups.drawing import draw_grouped
from stepflow_gui.flow.groups.folding import CARD, fold
from stepflow_gui.flow.groups.grouping import Grouping, StepGroup, grouped
from stepflow_gui.flow.layout import draw, lay_out
from stepflow_gui.flow.layout.captions import label_width
from stepflow_gui.flow.layout.router import Router
from stepflow_gui.flow.layout.shapes import Box, NodeId
from tests.flow.groups.test_grouping import chain, flow_of

ROOM = (1036, 736)


def overlapping(boxes: Sequence[Box]) -> list[tuple[Box, Box]]:
    return [(one, other) for one, other in combinations(boxes, 2) if one.overlaps(other)]


def groups_of(count: int, size: int) -> list[StepGroup]:
    return [StepGroup(f"g {at}", f"G{at}", tuple(f"s{at}-{each}" for each in range(size))) for at in range(count)]


def boxes_of(groups: Sequence[StepGroup], places: Sequence[tuple[int, int]]) -> dict[NodeId, Box]:
    steps = [step for group in groups for step in group.steps]
    return {NodeId("step", step): Box(x * 250, y * 110, 216, 74) for step, (x, y) in zip(steps, places, strict=True)}


def test_folding_a_chain_of_200_makes_it_readable() -> None:
    flow = chain(200)
    layout, groups = lay_out(flow, {}), grouped(flow, "parts")
    shown = fold(layout.boxes, groups, {group.key for group in groups})
    cards = [box for node, box in shown.boxes.items() if node.kind == "group"]
    assert len(cards) == len(groups)
    assert not overlapping(list(shown.boxes.values()))
    width = max(box.right for box in shown.boxes.values())
    height = max(box.bottom for box in shown.boxes.values())
    assert min(ROOM[0] / width, ROOM[1] / height) >= 0.6


def test_unfolding_moves_only_what_is_below_or_right() -> None:
    flow = chain(200)
    layout, groups = lay_out(flow, {}), grouped(flow, "parts")
    keys = [group.key for group in groups]
    folded, one = fold(layout.boxes, groups, set(keys)), fold(layout.boxes, groups, set(keys[1:]))
    assert {*one.fields} == {keys[0]}
    assert not overlapping([*one.fields.values(), *(box for node, box in one.boxes.items() if node.kind != "step")])
    field = one.fields[keys[0]]
    inside = [one.boxes[NodeId("step", step)] for step in groups[0].steps]
    assert all(
        field.x < box.x and box.right < field.right and field.y < box.y and box.bottom < field.bottom for box in inside
    )
    rights: dict[float, set[float]] = {}
    for node, before in folded.boxes.items():
        now = one.boxes.get(node)
        if now is not None:
            assert now.x >= before.x
            assert now.y >= before.y
            rights.setdefault(before.x, set()).add(now.x)
    assert all(len(moved) == 1 for moved in rights.values())  # whole columns


def test_folding_forgets_nothing() -> None:
    flow = chain(60)
    layout, groups = lay_out(flow, {}), grouped(flow, "parts")
    before = dict(layout.boxes)
    there_and_back = [fold(layout.boxes, groups, folds).boxes for folds in ({groups[0].key}, set(), {groups[0].key})]
    assert layout.boxes == before
    assert there_and_back[0] == there_and_back[2]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_nothing_lies_on_a_card(data: st.DataObject) -> None:
    groups = groups_of(data.draw(st.integers(1, 5)), data.draw(st.integers(1, 4)))
    count = sum(len(group.steps) for group in groups)
    free = data.draw(st.integers(0, 6))  # steps in no group: the cards stand where their steps are
    places = data.draw(
        st.lists(
            st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=count + free, max_size=count + free, unique=True
        )
    )
    boxes = boxes_of(groups, places[:count])
    boxes |= {NodeId("step", f"free{at}"): Box(x * 250, y * 110, 216, 74) for at, (x, y) in enumerate(places[count:])}
    boxes[NodeId("end", "s0-0")] = Box(2600, 1200, 28, 28)
    folds = {group.key for group in groups if data.draw(st.booleans())}
    shown = fold(boxes, groups, folds)
    assert not overlapping(list(shown.boxes.values()))
    assert {node for node in shown.boxes if node.kind == "group"} == {NodeId("group", key) for key in folds}
    assert all(box[2:] == CARD for node, box in shown.boxes.items() if node.kind == "group")
    if not folds and free:
        assert shown.boxes == boxes


def test_five_thousand_groups_take_no_longer_by_the_group() -> None:
    def taken(count: int) -> float:
        groups = groups_of(count, 1)
        boxes = boxes_of(groups, [(at % 70, at // 70) for at in range(count)])
        boxes |= {NodeId("ghost", f"x{at}"): Box(at * 130, 9000, 120, 40) for at in range(count)}
        folds = {group.key for group in groups}
        best = float("inf")
        for _again in range(3):
            begun = time.process_time()
            fold(boxes, groups, folds)
            fold({**boxes, NodeId("step", "free"): Box(-500, 0, 216, 74)}, groups, folds)
            best = min(best, time.process_time() - begun)
        return best

    assert taken(5000) < 12 * 10 * taken(500)


def test_edges_of_folded_groups_are_joined_and_counted() -> None:
    flow = flow_of(
        {
            **{f"initial.a.{at}": ["closure.b.0", "initial.a.0"] for at in range(5)},
            "closure.b.0": [None],
            "closure.b.1": ["initial.a.0"],
        },
        entryStep="initial.a.2",
    )
    groups = grouped(flow, "topic")
    corners = lay_out(flow, {}).corners
    picture = draw_grouped(
        flow=flow,
        sizes={},
        corners=corners,
        width=label_width,
        loops=False,
        router=Router(),
        grouping=Grouping(groups, {group.key for group in groups}),
    )
    a, b = (NodeId("group", group.key) for group in groups)
    lines = {(route.source, route.target): route.lines for route in picture.layout.routes}
    assert lines[a, b] == ("i0 ×5",)
    assert lines[b, a] == ("i0 ×1",)
    assert (a, a) not in lines
    assert [mark.target for mark in picture.layout.entries] == [a]
    assert {node: (box.x, box.y) for node, box in picture.boxes.items()} == corners


@pytest.mark.parametrize("folded", [0, 1, 2])
def test_routing_again_after_folds_is_as_routing_whole(folded: int) -> None:
    flow = chain(60)
    groups, corners, router = grouped(flow, "parts"), lay_out(flow, {}).corners, Router()

    def drawn(router: Router, count: int) -> object:
        grouping = Grouping(groups, {group.key for group in groups[:count]})
        picture = draw_grouped(
            flow=flow, sizes={}, corners=corners, width=label_width, loops=False, router=router, grouping=grouping
        )
        return picture.layout.routes

    for count in (3, 0, folded):
        again = drawn(router, count)
    assert again == drawn(Router(), folded)
    assert draw(flow, {}, corners, router=router).routes == draw(flow, {}, corners).routes
