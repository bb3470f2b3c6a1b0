"""Edges with one target and one intent run together from where they meet."""

import random

from stepflow_gui.flow.layout import draw, lay_out
from stepflow_gui.flow.layout.bundles import trunks_of
from stepflow_gui.flow.layout.router import Router
from stepflow_gui.flow.layout.shapes import Layout, NodeId, NodeSize
from stepflow_gui.flow.model import Flow
from tests.flow.groups.test_grouping import flow_of

SIZE = NodeSize(216, 74, (("i0", 40.0), ("i1", 110.0)))


def many_to_one(count: int) -> Flow:
    targets: dict[str, list[str | None]] = {
        f"initial.s{at}": [f"initial.s{at + 1}" if at + 1 < count else None, "closure.all"] for at in range(count)
    }
    return flow_of({**targets, "closure.all": [None]}, entryStep="initial.s0")


def sizes_of(flow: Flow) -> dict[str, NodeSize]:
    return dict.fromkeys(flow.steps, SIZE)


def drawn(count: int) -> tuple[Flow, Layout]:
    flow = many_to_one(count)
    return flow, lay_out(flow, sizes_of(flow))


def test_three_edges_are_a_bundle_with_one_label_and_two_are_not() -> None:
    _flow, layout = drawn(4)
    bundle = [route for route in layout.routes if route.bundle]
    assert {(route.target.name, route.bundle) for route in bundle} == {("closure.all", 4)}
    assert [route.lines for route in bundle if route.lines] == [("i1 ×4",)]
    assert {route.label for route in bundle} == {"i1"}
    assert not any(route.bundle for route in drawn(2)[1].routes)


def test_all_that_come_from_above_enter_at_one_point() -> None:
    _flow, layout = drawn(5)
    tips = {
        (route.bends[-1].x, route.bends[-1].y)
        for route in layout.routes
        if route.bundle and route.bends[-1].y == layout.boxes[route.target].y
    }
    assert len(tips) <= 1


def test_the_trunk_is_what_they_share_and_ends_at_the_target() -> None:
    _flow, layout = drawn(5)
    (trunk,) = trunks_of(layout.routes)
    assert trunk.nodes == {NodeId("step", "closure.all"), *(NodeId("step", f"initial.s{at}") for at in range(5))}
    box = layout.boxes[NodeId("step", "closure.all")].grown(10)
    assert any(box.x <= x <= box.right and box.y <= y <= box.bottom for *_begin, x, y in trunk.lines)
    assert all(ax == bx or ay == by for ax, ay, bx, by in trunk.lines)


def test_edges_that_never_meet_have_no_trunk() -> None:
    _flow, layout = drawn(5)
    apart = [
        route._replace(bends=tuple(bend.shifted(at * 37.0, at * 41.0) for bend in route.bends))
        for at, route in enumerate(layout.routes)
    ]
    assert trunks_of(apart) == []


def test_routing_again_after_moves_gives_what_routing_whole_does() -> None:
    flow, layout = drawn(6)
    sizes, chance, router = sizes_of(flow), random.Random(3), Router()
    corners = dict(layout.corners)
    for _move in range(40):
        node = chance.choice(list(corners))
        corners[node] = (corners[node][0] + chance.randrange(-300, 300), corners[node][1] + chance.randrange(-200, 200))
        again = draw(flow, sizes, corners, router=router)
        assert again.routes == draw(flow, sizes, corners).routes


def test_the_bundle_follows_when_an_edge_is_gone_or_new() -> None:
    flow, layout = drawn(4)
    router, corners = Router(), layout.corners
    draw(flow, sizes_of(flow), corners, router=router)
    fewer = many_to_one(4)
    for step in ("initial.s0", "initial.s1"):
        del fewer.steps[step].transitions[1]
        again = draw(fewer, sizes_of(fewer), corners, router=router)
        assert again.routes == draw(fewer, sizes_of(fewer), corners).routes
        fewer = _copied(fewer)
    assert not any(route.bundle for route in again.routes)
    back = draw(flow, sizes_of(flow), corners, router=router)
    assert back.routes == layout.routes == draw(flow, sizes_of(flow), corners).routes


def _copied(flow: Flow) -> Flow:
    other = Flow(flow.document, flow.format)
    other.steps, other.entries = flow.steps, flow.entries
    return other
