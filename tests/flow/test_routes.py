"""Edges and labels over real files: a function of the boxes, orthogonal, clear of cards and of each other."""

import os
import subprocess
import sys
from itertools import pairwise
from math import hypot
from pathlib import Path
from random import Random

import pytest

from stepflow_gui.export.card import card_of
from stepflow_gui.export.outcome_signs import width_in
from stepflow_gui.flow.layout import Box, Layout, NodeSize, draw, lay_out, polyline
from stepflow_gui.flow.layout.measure import boxes_crossed, boxes_overlapping, labels_overlapping
from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.read import read_flow
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.conftest import Thin
from tests.flow.flows import flow_of

CLEAR = 11.0  # pixels to a foreign card; a corner may be rounded a little nearer
EDITS = 50


def real_flows(corpus: Path, thin: Thin, one_in: int) -> list[tuple[Path, Flow]]:
    files = sorted(corpus.glob("climpt/**/steps_registry.json")) + sorted(corpus.glob("takt/**/*.yaml"))
    flows = [(file, read_flow(ParsedFile.read(file, Source(file.read_text("utf-8"))))) for file in thin(files, one_in)]
    return [(file, flow) for file, flow in flows if flow is not None and flow.steps]


def sizes_of(flow: Flow) -> dict[str, NodeSize]:
    return {step.id: card_of(step).size for step in flow.steps.values()}


def apart(one: Box, other: Box) -> float:
    """How far two boxes are from each other."""
    across = max(one.x - other.right, other.x - one.right, 0.0)
    down = max(one.y - other.bottom, other.y - one.bottom, 0.0)
    return hypot(across, down)


def holds(layout: Layout, where: object) -> None:
    """What is true of every picture."""
    assert boxes_overlapping(layout) == 0, where
    assert boxes_crossed(layout) == 0, where
    assert labels_overlapping(layout) == 0, where
    for route in (route for route in layout.routes if route.kind != "loop"):
        foreign = [box for node, box in layout.boxes.items() if node not in {route.source, route.target}]
        for a, b in pairwise(route.bends):
            straight = a.x == b.x or a.y == b.y
            assert straight or (abs(a.x - b.x) <= 10.01 and abs(a.y - b.y) <= 10.01), (where, route.label)
        for (ax, ay), (bx, by) in pairwise(polyline(route.bends)):
            line = Box(min(ax, bx), min(ay, by), abs(ax - bx), abs(ay - by))
            assert not any(apart(line, box) < CLEAR for box in foreign), (where, route.label)


@pytest.mark.slow
def test_nothing_lies_on_anything_else(corpus: Path, thin: Thin) -> None:
    """One file in eight, laid out, with self-loops as signs and as edges; --full: each."""
    flows = real_flows(corpus, thin, 8)
    assert len(flows) > 25
    for file, flow in flows:
        for loops in (False, True):
            holds(lay_out(flow, sizes_of(flow), width_in(flow), loops=loops), (file, loops))


def test_the_same_boxes_give_the_same_picture_whatever_was_there_before(corpus: Path, thin: Thin) -> None:
    """One file in sixteen with fifty moves by chance, and back; --full: each."""
    for file, flow in real_flows(corpus, thin, 16):
        random, sizes, width = Random(file.name), sizes_of(flow), width_in(flow)
        layout = lay_out(flow, sizes, width)
        corners, seen = layout.corners, []
        for number in range(EDITS):
            node = random.choice(list(corners))
            seen.append(corners)
            corners = {**corners, node: (random.randrange(-400, 2000), random.randrange(-400, 2000))}
            if number % 10 == 9:
                moved = draw(flow, sizes, corners, width)
                again = draw(flow, sizes, dict(reversed(corners.items())), width)
                assert (moved.boxes, moved.routes, moved.entries) == (again.boxes, again.routes, again.entries), file
        back = draw(flow, sizes, seen[0], width)
        assert (back.boxes, back.routes, back.entries) == (layout.boxes, layout.routes, layout.entries), file


SCRIPT = """
import sys
from pathlib import Path
from stepflow_gui.flow.layout import draw, lay_out
from stepflow_gui.formats.read import read_flow
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
for name in sys.argv[1:]:
    flow = read_flow(ParsedFile.read(Path(name), Source(Path(name).read_text("utf-8"))))
    layout = lay_out(flow, {})
    corners = {node: (x + 8 * (len(node.name) % 5), y) for node, (x, y) in layout.corners.items()}
    for drawn in (layout, draw(flow, {}, corners)):
        print(drawn.boxes, [route._replace(moves=()) for route in drawn.routes], drawn.entries)
"""


def test_the_picture_is_the_same_in_every_process(corpus: Path, checkout: Path) -> None:
    files = sorted(corpus.glob("takt/head/builtins/en/workflows/*.yaml"))[:8]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, *map(str, files)],
            capture_output=True,
            text=True,
            check=True,
            cwd=checkout,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(outputs) == 1


PORTS = (("next", 30.0), ("handoff", 80.0))


def test_an_edge_begins_at_the_port_of_its_intent() -> None:
    flow = flow_of({"a": {"next": "b", "handoff": "c"}, "b": {}, "c": {}}, entry="a")
    layout = lay_out(flow, {"a": NodeSize(216, 74, PORTS)})
    starts = {route.label: route.bends[0].x - layout.steps["a"].x for route in layout.routes}
    assert starts == dict(PORTS)


def test_an_end_that_one_edge_goes_to_is_straight_below_its_port() -> None:
    flow = flow_of({"a": {"next": None}}, entry="a")
    layout = lay_out(flow, {"a": NodeSize(216, 74, PORTS)})
    (route,) = layout.routes
    assert len(route.bends) == 2
    assert route.bends[0].x == route.bends[1].x


@pytest.mark.parametrize(
    ("count", "lines"),
    [
        (1, ("yes: 0",)),
        (3, ("yes: 0", "yes: 1", "yes: 2")),
        (6, ("yes: 0", "yes: 1", "yes: 2", "+3 more")),
    ],
)
def test_a_label_has_a_line_a_rule_three_at_most(count: int, lines: tuple[str, ...]) -> None:
    flow = flow_of({"a": {"yes": {str(number): "b" for number in range(count)}}, "b": {}}, entry="a")
    (route,) = lay_out(flow, {}).routes
    assert route.lines == lines
    assert route.label.split("\n") == [f"yes: {number}" for number in range(count)]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("the work is done and all of the tests that were written for it pass", "the work is done and all of…"),
        ("実装が完了してすべてのテストが通りレビューの指摘もすべて直っている場合", "実装が完了してすべての"),
        ("continuation.project.processingempty.withaverylongname", "…"),
        ("when(context.route_context.selected_pull_request_number == null)", "…"),
    ],
)
def test_prose_loses_its_end_and_an_id_its_middle(line: str, shown: str) -> None:
    flow = flow_of({"a": {line: "b"}, "b": {}}, entry="a")
    (route,) = lay_out(flow, {}).routes
    (text,) = route.lines
    assert shown[:12] in text
    assert text.endswith("…") == (shown != "…")
    assert route.label == line
