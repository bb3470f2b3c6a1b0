"""The cheapest way along the sides of boxes: a search over the few lines that these and its ends give."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from stepflow_gui.flow.layout.shapes import Box

_TURN = 60.0  # what a turn costs in pixels of detour
_CROSSING = 90.0  # … to cross the line of another edge
_EARLY = 1.0  # … to turn aside elsewhere than in the target's channel

Point = tuple[float, float]
DOWN, _UP, LEFT, RIGHT = range(4)  # a direction and the one against it differ in their last bit
_STEPS = ((0, 1), (0, -1), (-1, 0), (1, 0))

_State = tuple[int, int, int]  # column, row, and the direction in which it was reached
_Tolls = dict[tuple[int, int], float]


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
    """The lines, as columns and rows, with what is closed between two of them and what costs more than its length."""

    def __init__(
        self, ends: Sequence[Point], boxes: Sequence[Box], around: Callable[[Box], list[Wall]], levels: set[float]
    ) -> None:
        self.xs = sorted({x for x, _y in ends} | {x for box in boxes for x in (box.x, box.right)})
        self.ys = sorted({y for _x, y in ends} | {y for box in boxes for y in (box.y, box.bottom)})
        self.column = {x: at for at, x in enumerate(self.xs)}
        self.row = {y: at for at, y in enumerate(self.ys)}
        self._levels = {self.row[y] for y in levels}
        self._closed_across: set[tuple[int, int]] = set()  # from a crossing to the one right of it
        self._closed_down: set[tuple[int, int]] = set()
        for box in boxes:
            left, right = self.column[box.x], self.column[box.right]
            top, bottom = self.row[box.y], self.row[box.bottom]
            self._closed_across.update((i, j) for j in range(top + 1, bottom) for i in range(left, right))
            self._closed_down.update((i, j) for i in range(left + 1, right) for j in range(top, bottom))
        area = Box(self.xs[0], self.ys[0], self.xs[-1] - self.xs[0], self.ys[-1] - self.ys[0])
        self._tolls_across, self._tolls_down = self._tolls(around(area))

    def _tolls(self, walls: Sequence[Wall]) -> tuple[_Tolls, _Tolls]:
        across: _Tolls = {}
        down: _Tolls = {}
        for (ax, ay), (bx, by), _source, _target in walls:
            if ax == bx:
                at = bisect_left(self.xs, ax) - 1
                for row in range(bisect_right(self.ys, min(ay, by)), bisect_left(self.ys, max(ay, by))):
                    across[at, row] = across.get((at, row), 0.0) + _CROSSING
            else:
                at = bisect_left(self.ys, ay) - 1
                for column in range(bisect_right(self.xs, min(ax, bx)), bisect_left(self.xs, max(ax, bx))):
                    down[column, at] = down.get((column, at), 0.0) + _CROSSING
        return across, down

    def steps(self, state: _State) -> Iterator[tuple[_State, float]]:
        """Where one can go from there, and what it costs."""
        i, j, heading = state
        for direction, (di, dj) in enumerate(_STEPS):
            to_i, to_j = i + di, j + dj
            if direction ^ 1 == heading or not (0 <= to_i < len(self.xs) and 0 <= to_j < len(self.ys)):
                continue
            step = (min(i, to_i), min(j, to_j))
            if step in (self._closed_across if di else self._closed_down):
                continue
            cost = abs(self.xs[to_i] - self.xs[i]) + abs(self.ys[to_j] - self.ys[j])
            cost += (self._tolls_across if di else self._tolls_down).get(step, 0.0)
            if direction != heading:
                cost += _TURN + (_EARLY if di and j not in self._levels else 0.0)
            yield (to_i, to_j, direction), cost

    def path_to(self, state: _State, came: dict[_State, _State]) -> list[Point]:
        """The crossings on the way to a state."""
        way = [(self.xs[state[0]], self.ys[state[1]])]
        while state in came:
            state = came[state]
            way.append((self.xs[state[0]], self.ys[state[1]]))
        return way[::-1]


def cheapest(
    begin: Point, entrances: Sequence[Entrance], boxes: Sequence[Box], around: Callable[[Box], list[Wall]]
) -> tuple[list[Point], Entrance] | None:
    """The cheapest way down from a point to an entrance along the sides of these boxes; None where they close it."""
    ends = [begin, *((entrance.x, entrance.y) for entrance in entrances)]
    streets = _Streets(ends, boxes, around, {entrance.y for entrance in entrances})
    xs, ys = streets.xs, streets.ys
    arrivals: dict[tuple[int, int], list[Entrance]] = {}
    for entrance in entrances:
        arrivals.setdefault((streets.column[entrance.x], streets.row[entrance.y]), []).append(entrance)
    number = count()
    first = (streets.column[begin[0]], streets.row[begin[1]], DOWN)
    best: dict[_State, float] = {first: 0.0}
    came: dict[_State, _State] = {}
    waiting: list[tuple[float, int, float, _State, Entrance | None]] = [(0.0, next(number), 0.0, first, None)]
    while waiting:
        _guess, _number, cost, state, arrived = heappop(waiting)
        if arrived is not None:
            return streets.path_to(state, came), arrived
        if cost > best[state]:
            continue
        for end in arrivals.get(state[:2], ()):
            if end.direction ^ 1 != state[2]:
                total = cost + end.cost + (_TURN if end.direction != state[2] else 0.0)
                heappush(waiting, (total, next(number), total, state, end))
        for new, step in streets.steps(state):
            further = cost + step
            if further < best.get(new, float("inf")):
                best[new] = further
                came[new] = state
                guess = further + min(_least(xs[new[0]], ys[new[1]], new[2], entrance) for entrance in entrances)
                heappush(waiting, (guess, next(number), further, new, None))
    return None


def _least(x: float, y: float, heading: int, entrance: Entrance) -> float:
    """What the way from there to an entrance costs at least."""
    end_x, end_y, _border, direction, cost = entrance
    if heading >> 1 == direction >> 1:
        aligned = x == end_x if direction <= _UP else y == end_y
        turns = 0.0 if aligned else 2 * _TURN
    else:
        turns = _TURN
    return abs(end_x - x) + abs(end_y - y) + turns + cost
