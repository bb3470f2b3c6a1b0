"""Routes between boxes at any place: straight down if nothing is between them, else around it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from stepflow_gui.flow.layout.dimensions import LANE_FIRST
from stepflow_gui.flow.layout.grid import Grid
from stepflow_gui.flow.layout.shapes import Bend, Box, NodeId
from stepflow_gui.flow.layout.splines import polyline

_DOWN = 36.0  # a target must be at least so far below its source to be entered from above
_CLEAR = 4.0
_TRIED = 10  # blocking boxes around which lanes are tried


class Obstacles:
    """The boxes that routes keep clear of."""

    __slots__ = ("_grid",)

    def __init__(self, boxes: Mapping[NodeId, Box]) -> None:
        self._grid: Grid[NodeId] = Grid()
        for node, box in boxes.items():
            self._grid.add(box, node)

    def hit(self, bends: Sequence[Bend], ends: Iterable[NodeId]) -> list[Box]:
        """The boxes that a line through the bends touches, other than those of its ends, in its direction."""
        own = set(ends)
        found: dict[NodeId, Box] = {}
        path = polyline(bends)
        for (ax, ay), (bx, by) in pairwise(path):
            area = Box(min(ax, bx), min(ay, by), abs(ax - bx), abs(ay - by)).grown(_CLEAR)
            for box, node in self._grid.near(area):
                if node not in own:
                    found.setdefault(node, box)
        return list(found.values())


class RouteEnd(NamedTuple):
    """An end of a route: its node, the box, and how far from the middle the top or bottom is touched."""

    node: NodeId
    box: Box
    aside: float = 0.0

    @property
    def x(self) -> float:
        """Where the top or bottom is touched."""
        return self.box.middle + self.aside


def free_route(source: RouteEnd, target: RouteEnd, obstacles: Obstacles) -> tuple[Bend, ...]:
    """The bends of a clear path between two boxes; if all are blocked, the one that touches fewest boxes."""
    ends = (source.node, target.node)
    best: tuple[tuple[int, float], tuple[Bend, ...]] | None = None
    first = next(_candidates(source, target, []))
    for bends in _candidates(source, target, obstacles.hit(first, ends)):
        cost = (len(obstacles.hit(bends, ends)), _length(bends))
        if best is None or cost < best[0]:
            best = (cost, bends)
        if cost[0] == 0 and bends == first:
            break
    return best[1] if best else first


def points_down(source: Box, target: Box) -> bool:
    """Whether an edge goes out at the bottom and in at the top, and not around by the sides."""
    return target.y - source.bottom >= _DOWN


def _candidates(source: RouteEnd, target: RouteEnd, blocking: list[Box]) -> Iterator[tuple[Bend, ...]]:
    """Paths to try: the plain one first, then lanes beside what blocks it."""
    lanes = [
        lane
        for box in [*blocking[:_TRIED], source.box, target.box]
        for lane in (box.x - LANE_FIRST - 6, box.right + LANE_FIRST + 6)
    ]
    if points_down(source.box, target.box):
        start, end = Bend(source.x, source.box.bottom, 0, 1), Bend(target.x, target.box.y, 0, 1)
        yield (start, end)
        soft = min((end.y - start.y) / 2.2, 44.0)
        top, bottom = start.y + soft, end.y - soft
        spans = [(top, bottom)]
        spans += [(max(box.y - _DOWN / 2, top), min(box.bottom + _DOWN / 2, bottom)) for box in blocking[:_TRIED]]
        for lane in lanes:
            for upper, lower in spans:
                if upper < lower:
                    yield (start, Bend(lane, upper, 0, 1), Bend(lane, lower, 0, 1), end)
        return
    for lane in sorted(lanes, key=lambda x: abs(x - source.x) + abs(x - target.x)):
        yield _around(source.box, target.box, lane)


def _around(source: Box, target: Box, lane: float) -> tuple[Bend, ...]:
    """Out at a side, along a vertical lane, in at a side."""
    out = _side(source, lane)
    into = _side(target, lane)
    upward = source.y + source.height / 2 > target.y + target.height / 2
    y = source.y + 12 if upward else source.bottom - 12
    y_there = target.bottom - 12 if upward else target.y + 12
    direction = -1 if upward else 1
    turn, turn_there = y + direction * LANE_FIRST, y_there - direction * LANE_FIRST
    if (turn_there - turn) * direction < 0:
        turn = turn_there = (y + y_there) / 2
    bends = [Bend(source.x if out < 0 else source.right, y, out, 0), Bend(lane, turn, 0, direction)]
    if turn != turn_there:
        bends.append(Bend(lane, turn_there, 0, direction))
    bends.append(Bend(target.x if into < 0 else target.right, y_there, -into, 0))
    return tuple(bends)


def _side(box: Box, lane: float) -> int:
    return -1 if lane < box.middle else 1


def _length(bends: Sequence[Bend]) -> float:
    turns = 30 * len(bends)
    return turns + sum(abs(a.x - b.x) + abs(a.y - b.y) for a, b in pairwise(bends))
