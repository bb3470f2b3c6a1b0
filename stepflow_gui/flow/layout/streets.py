"""The cheapest path along the sides of boxes: a search over the few lines that these and its ends give."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import count, pairwise
from math import inf
from typing import NamedTuple

from stepflow_gui.flow.layout.shapes import Box

_TURN = 100.0  # what a turn costs in pixels of detour
_CROSSING = 500.0  # … to cross the line of another edge
_AGAINST = 3.0  # … each pixel up, where the target is below
_EARLY = 1.0  # … to turn aside elsewhere than in the target's channel

Point = tuple[float, float]
DOWN, _UP, LEFT, RIGHT = range(4)  # a direction and the one against it differ in their last bit
_Tolls = dict[int, float]


class Entrance(NamedTuple):
    """A place where a target may be entered: where the path arrives, the point on the border, and the cost."""

    x: float
    y: float
    border: Point
    direction: int
    cost: float = 0.0


class Wall(NamedTuple):
    """A straight piece of an edge that others had better not cross."""

    begin: Point
    end: Point
    source: Point  # where its edge begins
    target: Box


class _Streets:
    """The lines, as columns and rows, with what is closed between two of them and what costs more than its length.

    A crossing is a number, column by column: the next one below has the next number. So is a state of the search: its
    crossing times four and the direction in which it was reached.
    """

    def __init__(
        self, begin: Point, entrances: Sequence[Entrance], boxes: Sequence[Box], around: Callable[[Box], list[Wall]]
    ) -> None:
        ends = [begin, *((entrance.x, entrance.y) for entrance in entrances)]
        self._xs = xs = sorted({x for x, _y in ends} | {x for box in boxes for x in (box.x, box.right)})
        self._ys = ys = sorted({y for _x, y in ends} | {y for box in boxes for y in (box.y, box.bottom)})
        self._column = column = {x: at * len(ys) for at, x in enumerate(xs)}  # the number of its first crossing
        self._row = row = {y: at for at, y in enumerate(ys)}
        self._entrances = entrances
        self._arrivals: dict[int, list[Entrance]] = {}
        for entrance in entrances:
            self._arrivals.setdefault(column[entrance.x] + row[entrance.y], []).append(entrance)
        self._levels = {row[entrance.y] for entrance in entrances}
        rows, crossings = len(ys), len(xs) * len(ys)
        # From a crossing to the one right of it and to the one below; all around it is closed, too.
        closed_across = {*range(-rows, 0), *range(crossings - rows, crossings)}
        closed_down = {*range(-1, crossings, rows)}
        for box in boxes:
            top, bottom = row[box.y], row[box.bottom]
            for left in range(column[box.x], column[box.right], rows):
                closed_across.update(range(left + top + 1, left + bottom))
                if left != column[box.x]:
                    closed_down.update(range(left + top, left + bottom))
        area = Box(xs[0], ys[0], xs[-1] - xs[0], ys[-1] - ys[0])
        across, down = self._tolls(around(area))
        widths = [0.0, *(right - left for left, right in pairwise(xs)), 0.0]
        heights = [0.0, *(lower - upper for upper, lower in pairwise(ys)), 0.0]
        against = _AGAINST if all(entrance.direction == DOWN for entrance in entrances) else 1.0
        # By direction: how far the next crossing is, where the piece to it is kept, what is closed, what costs, and the
        # lengths by the column or row.
        self._ways = (
            (DOWN, 1, 0, closed_down, down, heights[1:]),
            (_UP, -1, -1, closed_down, down, [height * against for height in heights]),
            (LEFT, -rows, -rows, closed_across, across, widths),
            (RIGHT, rows, 0, closed_across, across, widths[1:]),
        )

    def _tolls(self, walls: Sequence[Wall]) -> tuple[_Tolls, _Tolls]:
        xs, ys, rows = self._xs, self._ys, len(self._ys)
        across: _Tolls = {}
        down: _Tolls = {}
        for (ax, ay), (bx, by), _source, _target in walls:
            if ax == bx:
                first = (bisect_left(xs, ax) - 1) * rows
                for row in range(bisect_right(ys, min(ay, by)), bisect_left(ys, max(ay, by))):
                    across[first + row] = across.get(first + row, 0.0) + _CROSSING
            else:
                at = bisect_left(ys, ay) - 1
                for column in range(bisect_right(xs, min(ax, bx)), bisect_left(xs, max(ax, bx))):
                    down[column * rows + at] = down.get(column * rows + at, 0.0) + _CROSSING
        return across, down

    def cheapest(self, begin: Point) -> tuple[list[Point], Entrance] | None:
        """The cheapest path along them, if there is one."""
        rows, levels, arrivals, least = len(self._ys), self._levels, self._arrivals, cache(self._least)
        ways = [[way for way in self._ways if way[0] ^ 1 != heading] for heading in range(4)]
        number = count()
        first = (self._column[begin[0]] + self._row[begin[1]]) * 4 + DOWN
        best: dict[int, float] = {first: 0.0}
        came: dict[int, int] = {}
        waiting: list[tuple[float, int, float, int, Entrance | None]] = [(0.0, next(number), 0.0, first, None)]
        while waiting:
            _guess, _number, cost, state, arrived = heappop(waiting)
            if arrived is not None:
                return self._path_to(state, came), arrived
            if cost > best[state]:
                continue
            at, heading = state >> 2, state & 3
            for end in arrivals.get(at, ()):
                if end.direction ^ 1 != heading:
                    total = cost + end.cost + (_TURN if end.direction != heading else 0.0)
                    heappush(waiting, (total, next(number), total, state, end))
            place = divmod(at, rows)
            early = _TURN if place[1] in levels else _TURN + _EARLY
            for direction, step, piece, closed, tolls, lengths in ways[heading]:
                if at + piece not in closed:
                    upright = direction <= _UP
                    further = lengths[place[upright]] + tolls.get(at + piece, 0.0)
                    if direction != heading:
                        further += _TURN if upright else early
                    further += cost
                    new = (at + step) * 4 + direction
                    if new not in best or further < best[new]:
                        best[new] = further
                        came[new] = state
                        heappush(waiting, (further + least(new >> 1), next(number), further, new, None))
        return None

    def _least(self, reached: int) -> float:
        """What the path to an entrance costs at least: from a crossing times two, one more if reached from the side."""
        column, row = divmod(reached >> 1, len(self._ys))
        x, y, upright = self._xs[column], self._ys[row], reached & 1 == 0
        found = inf
        for end_x, end_y, _border, direction, cost in self._entrances:
            if upright == (direction <= _UP):
                turns = 0.0 if (x == end_x if upright else y == end_y) else 2 * _TURN
            else:
                turns = _TURN
            found = min(found, abs(end_x - x) + abs(end_y - y) + turns + cost)
        return found

    def _path_to(self, state: int, came: dict[int, int]) -> list[Point]:
        """The crossings on the path to a state."""
        way = [state]
        while way[-1] in came:
            way.append(came[way[-1]])
        crossings = (divmod(each >> 2, len(self._ys)) for each in reversed(way))
        return [(self._xs[column], self._ys[row]) for column, row in crossings]


def cheapest(
    begin: Point, entrances: Sequence[Entrance], boxes: Sequence[Box], around: Callable[[Box], list[Wall]]
) -> tuple[list[Point], Entrance] | None:
    """The cheapest path down from a point to an entrance along the sides of these boxes; None where they close it."""
    return _Streets(begin, entrances, boxes, around).cheapest(begin)
