"""The bends of a sub-flow's edges: out of a box, straight through the layers between, into the other box."""

from collections.abc import Mapping, Sequence

from stepflow_gui.flow.layout.dimensions import LANE_FIRST
from stepflow_gui.flow.layout.layers import Chain, Layers
from stepflow_gui.flow.layout.shapes import Bend, Box
from stepflow_gui.flow.layout.sides import Sides

LanePoints = list[tuple[float, int]]  # where an edge passes layers: x and the layer's number, downwards

_LEAVE_APART = 56.0  # so that short labels fit side by side
_ENTER_APART = 20.0
_LEAST_APART = 12.0
_FROM_CORNER = 22.0
_SAME_LANE = 40.0  # lanes of neighbouring layers nearer than this become one


class Tracks:
    """Routes edges; `boxes` are by cell."""

    def __init__(
        self,
        layers: Layers,
        boxes: Sequence[Box],
        heights: tuple[list[float], list[float]],
        sides: Sides,
    ) -> None:
        self._layers = layers
        self._boxes = boxes
        self._tops, self._bottoms = heights
        self._sides = sides

    def bends(self, chains: Sequence[Chain], lanes: Mapping[int, LanePoints]) -> dict[int, tuple[Bend, ...]]:
        """The bends of each arc."""
        below: dict[int, list[tuple[float, int, bool]]] = {}
        above: dict[int, list[tuple[float, int, bool]]] = {}
        for chain in chains:
            if not chain.back:
                upper, lower, lane_points = chain.cells[0], chain.cells[-1], lanes[chain.arc]
                after = lane_points[0][0] if lane_points else self._boxes[lower].middle
                before = lane_points[-1][0] if lane_points else self._boxes[upper].middle
                below.setdefault(upper, []).append((after, chain.arc, bool(lane_points)))
                above.setdefault(lower, []).append((before, chain.arc, bool(lane_points)))
        leave: dict[int, float] = {}
        enter: dict[int, float] = {}
        for cell, ends in below.items():
            leave.update(_side_by_side(self._boxes[cell], sorted(ends), _LEAVE_APART))
        for cell, ends in above.items():
            enter.update(_side_by_side(self._boxes[cell], sorted(ends), _ENTER_APART))
        return {
            chain.arc: self._upward(chain, lanes[chain.arc])
            if chain.back
            else self._downward(chain, lanes[chain.arc], leave[chain.arc], enter[chain.arc])
            for chain in chains
        }

    def _downward(self, chain: Chain, lane_points: LanePoints, start: float, end: float) -> tuple[Bend, ...]:
        upper, lower = self._boxes[chain.cells[0]], self._boxes[chain.cells[-1]]
        floor, ceiling = self._bottoms[self._rank(chain, 0)], self._tops[self._rank(chain, -1)]
        bends = [Bend(start, upper.bottom, 0, 1)]
        if upper.bottom < floor - 1:
            bends.append(Bend(start, floor, 0, 1))
        for first, last, x in _stretches(lane_points):
            bends.append(Bend(x, self._tops[first], 0, 1))
            bends.append(Bend(x, self._bottoms[last], 0, 1))
        if lower.y > ceiling + 1:
            bends.append(Bend(end, ceiling, 0, 1))
        bends.append(Bend(end, lower.y, 0, 1))
        return tuple(bends)

    def _upward(self, chain: Chain, lane_points: LanePoints) -> tuple[Bend, ...]:
        upper, lower = self._boxes[chain.cells[0]], self._boxes[chain.cells[-1]]
        floor, ceiling = self._bottoms[self._rank(chain, 0)], self._tops[self._rank(chain, -1)]
        out, into = self._sides.leaving[chain.arc], self._sides.arriving[chain.arc]
        x, x_there = out.x(lower), into.x(upper)
        if not lane_points and out.side == into.side and abs(x - x_there) < _SAME_LANE:
            x = x_there = min(x, x_there) if out.side < 0 else max(x, x_there)
        y, y_there = lower.y + out.down(lower.height), upper.bottom - into.down(upper.height)
        bends = [
            Bend(out.border(lower), y, out.side, 0),
            Bend(x, min(y - LANE_FIRST, ceiling), 0, -1),
        ]
        for first, last, between in reversed(_stretches(lane_points)):
            bends.append(Bend(between, self._bottoms[last], 0, -1))
            bends.append(Bend(between, self._tops[first], 0, -1))
        bends.append(Bend(x_there, max(floor, y_there + LANE_FIRST), 0, -1))
        bends.append(Bend(into.border(upper), y_there, -into.side, 0))
        return tuple(bends)

    def _rank(self, chain: Chain, end: int) -> int:
        return self._layers.rank[chain.cells[end]]


def _stretches(lane_points: LanePoints) -> list[tuple[int, int, float]]:
    """The path as straight stretches: first and last layer, x."""
    found: list[tuple[int, int, float]] = []
    for x, rank in lane_points:
        if found and abs(found[-1][2] - x) < 0.5:
            found[-1] = (found[-1][0], rank, found[-1][2])
        else:
            found.append((rank, rank, x))
    return found


def _side_by_side(box: Box, ends: list[tuple[float, int, bool]], apart: float) -> dict[int, float]:
    """Where edges touch the top or bottom of a box: straight where they come straight, the others beside, in order.

    `ends` has, from left to right, the x where each comes from, the arc, and whether it comes straight along a layer.
    """
    room = max(box.width / 2 - _FROM_CORNER, 0.0)
    apart = min(apart, 2 * room / max(len(ends) - 1, 1))
    aligned = next((index for index, (x, _, _) in enumerate(ends) if abs(x - box.middle) < 1), None)
    center = (len(ends) - 1) / 2 if aligned is None else aligned
    places: list[float] = []
    for index, (x, _, straight) in enumerate(ends):
        near = straight and abs(x - box.middle) <= room
        wish = x if near else box.middle + (index - center) * apart
        least = places[-1] + min(apart, _LEAST_APART) if places else box.middle - room
        places.append(max(min(wish, box.middle + room), least))
    over = max(places[-1] - box.middle - room, 0.0)
    return {arc: x - over for (_, arc, _), x in zip(ends, places, strict=True)}
