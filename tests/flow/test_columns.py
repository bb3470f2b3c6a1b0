"""Directions and columns: a flow is laid out so that it can be read in a window."""

from itertools import pairwise
from pathlib import Path

import pytest

from stepflow_gui.export.outcome_signs import width_in
from stepflow_gui.flow.layout import Layout, NodeSize, lay_out
from stepflow_gui.flow.layout.measure import boxes_crossed, boxes_overlapping, crossings, labels_overlapping
from stepflow_gui.flow.layout.shapes import Direction
from stepflow_gui.flow.model import Flow
from stepflow_gui.flow.stages import bands, named_areas, stages_of
from tests.conftest import Thin
from tests.flow.flows import chain, flow_of
from tests.flow.test_routes import real_flows, sizes_of

ROOM = (1036, 736)  # of a canvas in a window of 1440 × 900
READABLE = 0.45
PORTS = (("next", 30.0), ("repeat", 80.0), ("handoff", 140.0))


def zoom(layout: Layout, flow: Flow | None = None) -> float:
    """At which all is seen at once, the bands of its stages included."""
    around = layout.bounds
    for _name, area in named_areas(flow, layout.steps) if flow is not None else ():
        around = around.around(area)
    return min(1.0, ROOM[0] / around.width, ROOM[1] / around.height)


def long_chain(count: int) -> Layout:
    flow = chain(count)
    return lay_out(flow, {step: NodeSize(216, 74, PORTS) for step in flow.steps})


def columns(layout: Layout) -> int:
    """How many columns a chain is used instead: the steps of each share their left edge."""
    return len({box.x for box in layout.steps.values()})


def test_small_real_flows_can_be_read_at_once(corpus: Path, thin: Thin) -> None:
    """One file in eight; --full: each."""
    flows = [(file, flow) for file, flow in real_flows(corpus, thin, 8) if len(flow.steps) <= 30]
    assert len(flows) > 25
    for file, flow in flows:
        assert zoom(lay_out(flow, sizes_of(flow), width_in(flow)), flow) >= READABLE, file


def test_real_flows_in_stages_can_be_read_at_once(corpus: Path) -> None:
    staged = [
        (file, flow) for file, flow in real_flows(corpus, lambda files, _one_in: list(files), 1) if stages_of(flow)
    ]
    assert len(staged) > 4
    for file, flow in staged:
        layout = lay_out(flow, sizes_of(flow), width_in(flow))
        assert zoom(layout, flow) >= READABLE, file
        assert boxes_overlapping(layout) == boxes_crossed(layout) == labels_overlapping(layout) == 0, file
        assert len(bands(flow, layout.steps)) == len(set(stages_of(flow).values())), file  # none within another


@pytest.mark.parametrize(("direction", "most"), [("auto", 0.5), ("down", 0.6), ("right", 1.0)])
def test_edges_of_real_flows_seldom_cross(direction: Direction, most: float, corpus: Path, thin: Thin) -> None:
    """One file in sixteen; --full: each."""
    flows = real_flows(corpus, thin, 16)
    laid = [lay_out(flow, sizes_of(flow), width_in(flow), direction=direction) for _file, flow in flows]
    assert sum(map(crossings, laid)) <= most * len(flows)


def test_another_order_is_taken_where_fewer_edges_cross() -> None:
    flow = flow_of(
        {
            "a": {"next": "b", "handoff": "b"},
            "b": {"next": "c", "handoff": "g"},
            "c": {"next": "d", "handoff": "a"},
            "d": {"next": "e", "handoff": "a"},
            "e": {"next": "f", "handoff": "a"},
            "f": {"next": "g", "handoff": "e", "repeat": "b"},
            "g": {"next": None},
        },
        entry="a",
    )
    ports = (("next", 40.0), ("repeat", 90.0), ("handoff", 160.0))
    assert crossings(lay_out(flow, {step: NodeSize(216, 74, ports) for step in flow.steps})) == 0


@pytest.mark.parametrize(("count", "least"), [(12, 0.8), (60, 0.55), (200, 0.28)])
def test_a_chain_is_cut_into_columns(count: int, least: float) -> None:
    layout = long_chain(count)
    assert zoom(layout) >= least
    assert 1 < columns(layout) <= 12
    assert boxes_overlapping(layout) == boxes_crossed(layout) == labels_overlapping(layout) == 0
    assert not any(route.back for route in layout.routes)  # the edge to the next column goes on


def test_a_chain_that_fits_is_one_column() -> None:
    layout = long_chain(5)
    assert columns(layout) == 1
    assert zoom(layout) == 1


def test_the_wanted_direction_is_taken() -> None:
    flow = chain(3)
    sizes = {step: NodeSize(216, 74, PORTS) for step in flow.steps}
    right = list(lay_out(flow, sizes, direction="right").steps.values())
    assert all(one.right < other.x for one, other in pairwise(right))
    assert len({box.y for box in right}) == 1
    down = list(lay_out(flow, sizes, direction="down").steps.values())
    assert all(one.bottom < other.y for one, other in pairwise(down))


def test_an_edge_that_closes_a_circle_goes_back_wherever_the_steps_stand() -> None:
    flow = flow_of({"a": {"next": "b"}, "b": {"next": "c", "handoff": "a"}, "c": {}}, entry="a")
    for direction in ("down", "right"):
        layout = lay_out(flow, {}, direction=direction)
        assert {route.label for route in layout.routes if route.back} == {"handoff"}


def test_a_step_with_three_hundred_transitions_is_laid_out() -> None:
    names = [f"s.{number}" for number in range(300)]
    flow = flow_of({"s.0": {f"to{name}": name for name in names[1:]}, **{name: {} for name in names[1:]}}, entry="s.0")
    layout = lay_out(flow, {})
    assert len(layout.steps) == 300
    assert boxes_overlapping(layout) == 0


def test_an_id_of_ten_thousand_letters_is_laid_out() -> None:
    long = "x" * 10_000
    layout = lay_out(flow_of({long: {long: long + "y"}}, entry=long), {})
    assert boxes_overlapping(layout) == labels_overlapping(layout) == 0
    assert layout.bounds.width < 2000
