"""The stages of flows with the intent `complete`: each in layers of its own, the same in all sub-flows."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from stepflow_gui.flow.layout import Box, NodeId, lay_out
from stepflow_gui.flow.layout.measure import boxes_crossed, boxes_overlapping, labels_overlapping
from stepflow_gui.flow.model import Flow
from stepflow_gui.flow.stages import STAGES, bands, stage_of, stages_of
from stepflow_gui.formats.read import read_flow
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.formats.test_shapes import document_of
from tests.seeds.documents import CHECKS, COMPLETE


def real(corpus: Path) -> Iterator[Flow]:
    """The snapshots of the corpus in that format."""
    for path in sorted((corpus / "climpt").glob("*/*/steps_registry.json*")):
        flow = read_flow(ParsedFile.read(path, Source.decode(path.read_bytes())))
        if flow.format == "complete":
            yield flow


def check_stages(flow: Flow) -> None:
    layout = lay_out(flow, {})
    stages = stages_of(flow)
    rows: dict[int, list[Box]] = {}
    for node, box in layout.boxes.items():
        if node.kind != "step" or not flow.steps[node.name].is_section:
            rows.setdefault(stage_of(node, stages), []).append(box)
    ranges = [(min(box.y for box in row), max(box.bottom for box in row)) for _stage, row in sorted(rows.items())]
    assert all(above[1] < below[0] for above, below in pairwise(ranges))
    found = bands(flow, layout.steps)
    assert {band.stage for band in found} == set(stages.values())
    assert {(band.area.x, band.area.right) for band in found} == {(found[0].area.x, found[0].area.right)}
    for step, stage in stages.items():
        box, area = layout.steps[step], next(band.area for band in found if band.stage == stage)
        assert area.y <= box.y
        assert box.bottom <= area.bottom
    assert boxes_overlapping(layout) == boxes_crossed(layout) == 0
    assert labels_overlapping(layout) <= len(layout.routes) // 20


def test_the_design_is_drawn_in_three_stages() -> None:
    flow = read_flow(document_of(COMPLETE))
    check_stages(flow)
    layout = lay_out(flow, {})
    assert [STAGES[band.stage] for band in bands(flow, layout.steps)] == list(STAGES)
    (end,) = (box for node, box in layout.boxes.items() if node.kind == "end")
    assert end.y > layout.steps["complete.issue"].bottom


def test_real_flows_are_drawn_in_stages(corpus: Path) -> None:
    flows = list(real(corpus))
    assert len(flows) > 4
    for flow in flows:
        check_stages(flow)


def test_the_stages_of_all_domains_are_level() -> None:
    steps = COMPLETE["steps"]
    twice = {**steps, **{key.replace("issue", "task"): _renamed(step) for key, step in steps.items()}}
    flow = read_flow(document_of({**COMPLETE, "steps": twice}))
    layout = lay_out(flow, {})
    for stage in STAGES:
        assert layout.steps[f"{stage}.issue"].y == layout.steps[f"{stage}.task"].y


def _renamed(value: object) -> object:
    if isinstance(value, dict):
        return {key: _renamed(item) for key, item in value.items()}
    return value.replace("issue", "task") if isinstance(value, str) else value


def test_a_band_that_another_stage_stands_in_is_left_out() -> None:
    flow = read_flow(document_of(COMPLETE))
    steps = lay_out(flow, {}).steps
    moved = {**steps, "complete.issue": steps["initial.issue"].shifted(400, 0)}
    assert [STAGES[band.stage] for band in bands(flow, moved)] == ["continuation"]


@pytest.mark.parametrize(
    ("node", "stage"),
    [
        (NodeId("ghost", "complete.task"), 2),
        (NodeId("ghost", "elsewhere"), 1),
        (NodeId("end", "initial.issue"), 3),
        (NodeId("step", "initial.issue"), 0),
    ],
)
def test_what_is_no_step_has_a_stage_too(node: NodeId, stage: int) -> None:
    assert stage_of(node, stages_of(read_flow(document_of(COMPLETE)))) == stage


def test_other_flows_have_no_stages() -> None:
    assert stages_of(read_flow(document_of(CHECKS))) == {}
    assert stages_of(read_flow(document_of(COMPLETE), "closing")) == {}
    one = {**COMPLETE, "steps": {"initial.issue": COMPLETE["steps"]["initial.issue"]}}
    assert stages_of(read_flow(document_of(one), "complete")) == {}
