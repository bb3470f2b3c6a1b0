"""A flow drawn in groups: folded ones as a card, with the edges of their steps joined."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from stepflow_gui.flow.groups.folding import Folded, fold
from stepflow_gui.flow.groups.grouping import Grouping, StepGroup
from stepflow_gui.flow.layout.arcs import MergedEdge, entry_keys
from stepflow_gui.flow.layout.dimensions import TextWidth, entry_mark
from stepflow_gui.flow.layout.router import Router
from stepflow_gui.flow.layout.shapes import Box, Corners, Layout, NodeId, NodeSize
from stepflow_gui.flow.layout.spots import place_boxes
from stepflow_gui.flow.model import Flow, Move, moves_of


class GroupedPicture(NamedTuple):
    """What is shown, and from which boxes of the unfolded graph it follows."""

    boxes: dict[NodeId, Box]
    folded: Folded
    layout: Layout


class GroupFacts(NamedTuple):
    """What a group says of itself: how many steps of each kind, entries and ends it has, and what leaves it."""

    kinds: tuple[tuple[str, int], ...]
    entries: int
    ends: int
    leaving: tuple[tuple[str, int], ...]  # intents with how many transitions of theirs lead out of it
    coming: tuple[tuple[str, int], ...]  # … into it


def draw_grouped(
    *,
    flow: Flow,
    sizes: Mapping[str, NodeSize],
    corners: Corners,
    width: TextWidth,
    loops: bool,
    router: Router,
    grouping: Grouping,
) -> GroupedPicture:
    """As `draw` of the layout, with groups of which some are folded."""
    nodes, arcs = router.arcs_of(flow, [node for node in corners if node.kind == "end"], loops=loops)
    boxes = place_boxes(nodes, arcs, sizes, corners)
    folded = fold(boxes, *grouping)
    keys: dict[NodeId, list[str | None]] = {}
    for node, listed in entry_keys(flow).items():
        keys.setdefault(folded.card_of.get(node, node), []).extend(listed)
    marks = [entry_mark(tuple(listed), node, folded.boxes[node], width) for node, listed in keys.items()]
    joined = joined_arcs(arcs, folded.card_of)
    return GroupedPicture(
        boxes, folded, Layout(folded.boxes, router.route(joined, folded.boxes, sizes, marks, width), marks)
    )


def joined_arcs(arcs: Sequence[MergedEdge], card_of: Mapping[NodeId, NodeId]) -> list[MergedEdge]:
    """The edges with hidden ends at their cards: one for all between the same two; those inside a card are left out."""
    moves: dict[tuple[NodeId, NodeId], list[Move]] = {}
    back: dict[tuple[NodeId, NodeId], bool] = {}
    for arc in arcs:
        source, target = card_of.get(arc.source, arc.source), card_of.get(arc.target, arc.target)
        if source == target and source.kind == "group":
            continue
        moves.setdefault((source, target), []).extend(arc.moves)
        back[source, target] = back.get((source, target), True) and arc.back
    return [MergedEdge(*ends, tuple(listed), back[ends]) for ends, listed in moves.items()]


def facts_of(flow: Flow, groups: Sequence[StepGroup]) -> dict[str, GroupFacts]:
    """The facts of each group, by its key."""
    key_of = {step: group.key for group in groups for step in group.steps}
    kinds: dict[str, Counter[str]] = {group.key: Counter() for group in groups}
    ends: Counter[str] = Counter()
    leaving: dict[str, Counter[str]] = {group.key: Counter() for group in groups}
    coming: dict[str, Counter[str]] = {group.key: Counter() for group in groups}
    for step, key in key_of.items():
        kinds[key][flow.steps[step].kind or ""] += 1
        ending = False
        for move in moves_of(flow.steps[step]):
            ending = ending or move.target is None
            there = key_of.get(move.target) if move.target is not None else None
            if there != key:
                leaving[key][move.intent] += 1
                if there is not None:
                    coming[there][move.intent] += 1
        ends[key] += ending
    entered = Counter(key_of.get(node.name) for node in entry_keys(flow))
    return {
        group.key: GroupFacts(
            tuple(kinds[group.key].most_common()),
            entered[group.key],
            ends[group.key],
            tuple(leaving[group.key].most_common()),
            tuple(coming[group.key].most_common()),
        )
        for group in groups
    }
