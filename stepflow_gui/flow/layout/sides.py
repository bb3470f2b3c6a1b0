"""Where the edges that go upwards leave and enter: a side of the step and a lane beside it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from stepflow_gui.flow.layout.dimensions import LANE_FIRST, LANE_NEXT
from stepflow_gui.flow.layout.layers import Chain, Layers
from stepflow_gui.flow.layout.shapes import Box, NodeSize

_ALL_LANES = 80.0  # pixels that the lanes of one side may take beyond the first
_FROM_CORNER = 12.0
_LANE_BELOW = 8.0


class Lane(NamedTuple):
    """A lane at `side` (-1 left, 1 right); of `among` lanes the one at `place` (0 is next to the box)."""

    side: int
    place: int
    among: int

    @property
    def outward(self) -> float:
        """How far from the box the lane runs."""
        return LANE_FIRST + min(LANE_NEXT, _ALL_LANES / self.among) * self.place

    def down(self, height: float) -> float:
        """How far from the box's corner the edge leaves or enters: outer lanes nearer to the middle, none across it."""
        return _FROM_CORNER + min(_LANE_BELOW, max(height / 2 - _FROM_CORNER - 4, 0) / self.among) * self.place

    def border(self, box: Box) -> float:
        """The x of the box's side."""
        return box.x if self.side < 0 else box.right

    def x(self, box: Box) -> float:
        """The x of the lane."""
        return self.border(box) + self.side * self.outward


class Sides:
    """The lanes of all upward edges, by number of the arc: at their source and at their target."""

    __slots__ = ("arriving", "leaving")

    def __init__(self) -> None:
        self.leaving: dict[int, Lane] = {}
        self.arriving: dict[int, Lane] = {}


def choose_sides(
    layers: Layers, x: Sequence[float], sizes: Sequence[NodeSize], upward: Mapping[int, tuple[float, float]]
) -> Sides:
    """For each end of an upward edge the side with fewer edges to cross; the left one when in doubt.

    `upward` has, by arc, the x where such an edge comes from its source's layer and where it goes to its target's.
    """
    wishes: dict[tuple[int, int, bool], list[tuple[float, int]]] = {}
    for chain in (*layers.chains, *layers.far):
        if not chain.back:
            continue
        upper, lower = chain.cells[0], chain.cells[-1]
        out, into = upward[chain.arc]
        below = [x[cell] for cell in layers.up[lower] if cell != chain.cells[-2]]
        above = [x[cell] for cell in layers.down[upper] if cell != chain.cells[1]]
        if lower in layers.down[upper] and _same_side(layers, chain, x, sizes):
            side = side_there = _common_side((out, x[lower], below), (into, x[upper], above))
        else:
            side, side_there = _side(out, x[lower], below), _side(into, x[upper], above)
        wishes.setdefault((lower, side, True), []).append((side * out, chain.arc))
        wishes.setdefault((upper, side_there, False), []).append((side_there * into, chain.arc))
    sides = Sides()
    for (_, side, leaving), arcs in wishes.items():
        lanes = sides.leaving if leaving else sides.arriving
        for number, (_, arc) in enumerate(sorted(arcs)):
            lanes[arc] = Lane(side, number, len(arcs))
    return sides


def widen(
    chains: Sequence[Chain],
    sides: Sides,
    sizes: Sequence[NodeSize],
    left: list[float],
    right: list[float],
) -> None:
    """Make room for the lanes beside the boxes. `sizes`, `left` and `right` are by cell."""
    for chain in chains:
        if chain.back:
            ends = ((chain.cells[-1], sides.leaving[chain.arc]), (chain.cells[0], sides.arriving[chain.arc]))
            for cell, lane in ends:
                room = left if lane.side < 0 else right
                room[cell] = max(room[cell], sizes[cell].width / 2 + lane.outward)


def _same_side(layers: Layers, chain: Chain, x: Sequence[float], sizes: Sequence[NodeSize]) -> bool:
    """Whether an edge to the next layer should use one side: below each other, or with an edge in reverse."""
    upper, lower = chain.cells[0], chain.cells[-1]
    over = abs(x[upper] - x[lower]) < (sizes[upper].width + sizes[lower].width) / 2
    return over or layers.down[upper].count(lower) > 1


def _common_side(*ends: tuple[float, float, Sequence[float]]) -> int:
    crossed = {
        side: sum((other - toward) * side > 0 for toward, _, others in ends for other in others) for side in (-1, 1)
    }
    if crossed[-1] != crossed[1]:
        return -1 if crossed[-1] < crossed[1] else 1
    (_, lower, _), (_, upper, _) = ends
    return 1 if lower > upper + 1 else -1


def _side(toward: float, own: float, others: Sequence[float]) -> int:
    to_cross_left = sum(other < toward for other in others)
    to_cross_right = sum(other > toward for other in others)
    if to_cross_left != to_cross_right:
        return -1 if to_cross_left < to_cross_right else 1
    return 1 if toward > own + 1 else -1
