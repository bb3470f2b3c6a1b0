"""The three stages that flows of the older format with the intent `complete` go through (seed 002), and their bands."""

from collections.abc import Mapping
from typing import NamedTuple

from stepflow_gui.flow.layout.shapes import Box, NodeId
from stepflow_gui.flow.model import Flow, Step

STAGES = ("initial", "continuation", "complete")
AFTER = len(STAGES)  # the stage of the end
_LEFT, _ABOVE, _RIGHT, _BELOW = 150.0, 30.0, 150.0, 18.0  # room for entries, the band's name, loops
_BETWEEN = 1  # of what belongs to none


class Band(NamedTuple):
    """A stage across the picture: its number, and the boxes' extent in it."""

    stage: int
    area: Box


def stages_of(flow: Flow) -> dict[str, int]:
    """The stage by step, of those that have one; {} where the flow isn't staged."""
    if flow.format != "complete":
        return {}
    found = {step.id: stage for step in flow.steps.values() if (stage := _stage(step)) is not None}
    return found if len(set(found.values())) > 1 else {}


def stage_of(node: NodeId, stages: Mapping[str, int]) -> int:
    """The stage of a node; that of a missing step is derived from its name."""
    if node.kind == "end":
        return AFTER
    first = node.name.partition(".")[0]
    if node.kind == "ghost" and first in STAGES:
        return STAGES.index(first)
    return stages.get(node.name, _BETWEEN)


def bands(flow: Flow, boxes: Mapping[str, Box]) -> list[Band]:
    """The bands of the stages by the boxes of the steps; those with steps of another stage inside are left out."""
    stages = stages_of(flow)
    if not stages:
        return []
    areas: dict[int, Box] = {}
    for step, box in boxes.items():
        stage = stages.get(step)
        if stage is not None:
            areas[stage] = areas.get(stage, box).around(box)
    left = min((area.x for area in areas.values()), default=0.0)
    right = max((area.right for area in areas.values()), default=0.0)
    found = []
    for stage, area in sorted(areas.items()):
        others = [box for step, box in boxes.items() if stages.get(step) not in {stage, None}]
        if not any(box.y < area.bottom and box.bottom > area.y for box in others):
            found.append(Band(stage, Box(left, area.y, right - left, area.height)))
    return found


def named_areas(flow: Flow, boxes: Mapping[str, Box]) -> list[tuple[str, Box]]:
    """The names of the bands, and what they take in a picture with all that belongs to their steps."""
    return [
        (
            STAGES[stage],
            Box(area.x - _LEFT, area.y - _ABOVE, area.width + _LEFT + _RIGHT, area.height + _ABOVE + _BELOW),
        )
        for stage, area in bands(flow, boxes)
    ]


def _stage(step: Step) -> int | None:
    if step.is_section:
        return None
    for word in (step.id.partition(".")[0], step.c2.value if step.c2 else ""):
        if word in STAGES:
            return STAGES.index(word)
    return None
