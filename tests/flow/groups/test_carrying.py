"""Where the steps of a folded group stand after its card was dragged."""

from collections.abc import Sequence
from itertools import combinations

import pytest

from stepflow_gui.flow.groups.carrying import carried
from stepflow_gui.flow.groups.folding import Folded, fold
from stepflow_gui.flow.groups.grouping import StepGroup, grouped
from stepflow_gui.flow.layout import lay_out
from stepflow_gui.flow.layout.shapes import Box, NodeId
from tests.flow.groups.test_grouping import chain

FLOW = chain(120)
BOXES = lay_out(FLOW, {}).boxes
GROUPS = grouped(FLOW, "parts")
KEYS = [group.key for group in GROUPS]


def folded(boxes: dict[NodeId, Box], groups: Sequence[StepGroup] = GROUPS) -> Folded:
    return fold(boxes, groups, {group.key for group in groups})


def card(shown: Folded, key: str) -> Box:
    return shown.boxes[NodeId("group", key)]


def slot(shown: Folded, key: str) -> tuple[int, int]:
    """Its column and its row."""
    cards = [card(shown, each) for each in KEYS]
    here = card(shown, key)
    columns = sorted({box.x for box in cards})
    return columns.index(here.x), sorted(box.y for box in cards if box.x == here.x).index(here.y)


def between(shown: Folded, key: str, other: str) -> tuple[float, float]:
    one, there = card(shown, key), card(shown, other)
    return there.x - one.x + 20, there.y - one.y - 10


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("other", KEYS)
def test_a_card_comes_to_the_place_on_which_it_is_dropped(key: str, other: str) -> None:
    shown = folded(BOXES)
    moved = carried(BOXES, GROUPS, shown, key, between(shown, key, other))
    boxes = {**BOXES, **moved}
    assert slot(folded(boxes), key) == slot(shown, other)
    assert not any(one.overlaps(two) for one, two in combinations(boxes.values(), 2))
    assert len({(box.x - BOXES[node].x, box.y - BOXES[node].y) for node, box in moved.items()}) == 1
    assert (moved == {node: BOXES[node] for node in moved}) == (key == other)


def test_among_steps_without_a_group_a_card_moves_as_far_as_it_is_dragged() -> None:
    first = GROUPS[0]
    shown = folded(BOXES, [first])
    moved = carried(BOXES, [first], shown, first.key, (-4000.0, 300.0))
    assert {(box.x - BOXES[node].x, box.y - BOXES[node].y) for node, box in moved.items()} == {(-4000.0, 300.0)}
    assert {node.name for node in moved} == set(first.steps)
