"""The way an edge takes around the boxes: from boxes alone, each edge by itself. The first step of a route."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import count, pairwise
from typing import NamedTuple

from stepflow_gui.flow.layout.grid import Grid
from stepflow_gui.flow.layout.shapes import Box, NodeId

MARGIN = 12.0  # that lines keep from boxes
LEAVE = 14.0  # straight down from a port
ENTER = 20.0  # straight into a target, so that the arrow has room behind a corner
CORNER = 10.0  # of a target's top that is left free at either end
_FORWARD = 24.0  # a target must be at least so far below its source to be entered from above
_TURN = 60.0  # what a turn costs in pixels of detour
_RIGHT = 12.0  # what it costs to come in on the right
_TOP = 24.0  # … or from above, where the target isn't below
_CROSSING = 90.0  # … to cross the line of another edge
_EARLY = 1.0  # … to turn aside before the target's channel
_WIDE = 100.0  # from this width on a target may be entered at both ends of its top
_MOST = 28  # boxes that are gone around one by one; where more are in the way, all are gone around

Point = tuple[float, float]
_DOWN, _UP, _LEFT, _RIGHTWARD = range(4)
_STEPS = ((0, 1), (0, -1), (-1, 0), (1, 0))


class Gate(NamedTuple):
    """A place where a target may be entered: where the path arrives, the point on the border, and the cost."""

    x: float
    y: float
    border: Point
    direction: int
    cost: float = 0.0


class Field:
    """The boxes that lines keep clear of, each grown by the margin, and the areas of other signs."""

    __slots__ = ("_boxes", "left", "right")

    def __init__(self, boxes: dict[NodeId, Box], signs: Sequence[Box] = ()) -> None:
        self.left = min((box.x for box in (*boxes.values(), *signs)), default=0.0) - 2 * MARGIN
        self.right = max((box.right for box in (*boxes.values(), *signs)), default=0.0) + 2 * MARGIN
        self._boxes: Grid[NodeId | None] = Grid()
        for node, box in boxes.items():
            self._boxes.add(box.grown(MARGIN), node)
        for sign in signs:
            self._boxes.add(sign, None)

    def around(self, area: Box) -> Iterator[tuple[Box, NodeId | None]]:
        """The grown boxes that overlap an area."""
        return self._boxes.near(area)

    def hit(self, path: Sequence[Point]) -> list[Box]:
        """The grown boxes that a path runs through, in its direction, each once."""
        found: dict[Box, None] = {}
        for (ax, ay), (bx, by) in pairwise(path):
            area = Box(min(ax, bx) - 0.1, min(ay, by) - 0.1, abs(ax - bx) + 0.2, abs(ay - by) + 0.2)
            for box, _node in self._boxes.near(area):
                if _enters(area, box):
                    found.setdefault(box)
        return list(found)

    def room(self, x: float, y: float, down: int, wanted: float) -> float:
        """How far a line can go straight from a border before it meets a foreign margin; half of it if that is less."""
        area = Box(x - 0.5, y if down > 0 else y - wanted - MARGIN, 1, wanted + MARGIN)
        least = wanted
        for box, _node in self._boxes.near(area):
            edge = box.y - y if down > 0 else y - box.bottom
            if edge > -MARGIN + 0.5:  # nearer than that is the line's own box
                least = min(least, edge)
        return max(least, 4.0)


class Wall(NamedTuple):
    """A straight piece of an edge that others had better not cross."""

    begin: Point
    end: Point
    source: Point  # where its edge begins
    target: Box


class Walls:
    """The lines that are drawn already."""

    __slots__ = ("_lines", "_taken_out")

    def __init__(self) -> None:
        self._lines: Grid[Wall] = Grid()
        self._taken_out: set[Wall] = set()

    def add(self, path: Sequence[Point], target: Box) -> None:
        """Put the pieces of a path in."""
        for wall in self._pieces(path, target):
            self._taken_out.discard(wall)
            (ax, ay), (bx, by) = wall.begin, wall.end
            self._lines.add(Box(min(ax, bx), min(ay, by), abs(ax - bx) + 0.1, abs(ay - by) + 0.1), wall)

    def remove(self, path: Sequence[Point], target: Box) -> None:
        """Take them out again."""
        self._taken_out.update(self._pieces(path, target))

    def across(self, area: Box, source: Point, target: Box) -> list[Wall]:
        """The pieces in an area, but those of edges that begin or end where this one does."""
        found = dict.fromkeys(wall for _box, wall in self._lines.near(area))
        return [
            wall
            for wall in found
            if wall.source != source and wall.target != target and wall not in self._taken_out
        ]

    @staticmethod
    def _pieces(path: Sequence[Point], target: Box) -> list[Wall]:
        return [Wall(a, b, path[0], target) for a, b in pairwise(path)]


def is_forward(source: Box, target: Box) -> bool:
    """Whether a target is far enough below to be entered from above."""
    return target.y - source.bottom >= _FORWARD


def path_between(source: Box, target: Box, port: float, field: Field, walls: Walls) -> list[Point]:
    """The corners of the way from a port at the bottom of a box into another box."""
    start = (port, source.bottom)
    forward = is_forward(source, target)
    if forward and _enters_straight(port, target):
        straight = [start, (port, target.y)]
        if not _foreign(field.hit(straight), source, target):
            return straight
    leave = field.room(port, source.bottom, 1, LEAVE)
    gates = list(_gates(source, target, port, leave, field, forward=forward))
    begin = (port, source.bottom + leave)
    own = [source.grown(MARGIN - 0.1), target.grown(MARGIN - 0.1)]
    around = partial(walls.across, source=start, target=target)
    if forward:
        gate = gates[0]
        bent = [start, (port, gate.y), (gate.x, gate.y), gate.border]
        if not _foreign(field.hit(bent), source, target) and not _meets(bent, around):
            return _corners(bent)
    known = dict.fromkeys(own)
    found = _search(begin, gates, own, around)
    while found is not None:
        new = [box for box in _foreign(field.hit(found[0]), source, target) if box not in known]
        if not new:
            return _corners([start, *found[0], found[1].border])
        known.update(dict.fromkeys(new))
        if len(known) > _MOST:
            break
        found = _search(begin, gates, list(known), around) or _search(
            begin, gates, _outside(known, begin, gates), around
        )
    ways = [[begin, (x, begin[1]), (x, gate.y), (gate.x, gate.y)] for x in (field.left, field.right) for gate in gates]
    paths = [[start, *way, gate.border] for way, gate in zip(ways, [*gates, *gates], strict=True)]
    return _corners(min(paths, key=lambda path: (len(_foreign(field.hit(path), source, target)), _length(path))))


def _meets(path: Sequence[Point], around: Callable[[Box], list[Wall]]) -> bool:
    """Whether a path crosses lines that are there."""
    for (ax, ay), (bx, by) in pairwise(path):
        area = Box(min(ax, bx), min(ay, by), abs(ax - bx), abs(ay - by))
        for (cx, cy), (dx, dy), _source, _target in around(area.grown(0.1)):
            across = ay == by and cx == dx and area.x < cx < area.right and min(cy, dy) < ay < max(cy, dy)
            down = ax == bx and cy == dy and area.y < cy < area.bottom and min(cx, dx) < ax < max(cx, dx)
            if across or down:
                return True
    return False


def _length(path: Sequence[Point]) -> float:
    return sum(abs(ax - bx) + abs(ay - by) for (ax, ay), (bx, by) in pairwise(path))


def _enters_straight(port: float, target: Box) -> bool:
    free = min(CORNER, target.width / 2)
    return target.x + free <= port <= target.right - free


def _gates(
    source: Box, target: Box, port: float, leave: float, field: Field, *, forward: bool
) -> Iterator[Gate]:
    free = min(CORNER, target.width / 2)
    top = min(max(port, target.x + free), target.right - free)
    enter = field.room(top, target.y, -1, ENTER)
    if forward:
        enter = min(enter, max(target.y - source.bottom - leave, 0.0))
        yield Gate(top, target.y - enter, (top, target.y), _DOWN)
        for x in dict.fromkeys((target.x + free, target.right - free)) if target.width > _WIDE else ():
            if x != top:
                yield Gate(x, target.y - enter, (x, target.y), _DOWN)
        return
    y = target.y + min(18.0, target.height / 2)
    yield Gate(target.x - MARGIN - 4, y, (target.x, y), _RIGHTWARD)
    yield Gate(target.right + MARGIN + 4, y, (target.right, y), _LEFT, _RIGHT)
    yield Gate(top, target.y - enter, (top, target.y), _DOWN, _TOP)


def _foreign(boxes: Sequence[Box], source: Box, target: Box) -> list[Box]:
    own = (source.grown(MARGIN), target.grown(MARGIN))
    return [box for box in boxes if box not in own]


def _outside(boxes: dict[Box, None], begin: Point, gates: Sequence[Gate]) -> list[Box]:
    """The boxes without those that a path would have to begin or end in."""
    points = [begin, *((gate.x, gate.y) for gate in gates)]
    return [box for box in boxes if not any(_inside(point, box) for point in points)]


def _inside(point: Point, box: Box) -> bool:
    return box.x < point[0] < box.right and box.y < point[1] < box.bottom


def _enters(area: Box, box: Box) -> bool:
    return area.x < box.right - 0.2 and box.x + 0.2 < area.right and area.y < box.bottom - 0.2 and box.y + 0.2 < area.bottom


def _search(
    begin: Point, gates: Sequence[Gate], boxes: Sequence[Box], around: Callable[[Box], list[Wall]]
) -> tuple[list[Point], Gate] | None:
    """The cheapest way downwards from a point to a gate along the sides of these boxes; None where they close it."""
    xs = sorted({begin[0], *(gate.x for gate in gates), *(x for box in boxes for x in (box.x, box.right))})
    ys = sorted({begin[1], *(gate.y for gate in gates), *(y for box in boxes for y in (box.y, box.bottom))})
    column, row = {x: at for at, x in enumerate(xs)}, {y: at for at, y in enumerate(ys)}
    closed_across: set[tuple[int, int]] = set()  # from a crossing to the one right of it
    closed_down: set[tuple[int, int]] = set()
    for box in boxes:
        left, right, top, bottom = column[box.x], column[box.right], row[box.y], row[box.bottom]
        closed_across.update((i, j) for j in range(top + 1, bottom) for i in range(left, right))
        closed_down.update((i, j) for i in range(left + 1, right) for j in range(top, bottom))
    tolls_across, tolls_down = _tolls(xs, ys, around(Box(xs[0], ys[0], xs[-1] - xs[0], ys[-1] - ys[0])))
    ends: dict[tuple[int, int], list[Gate]] = {}
    for gate in gates:
        ends.setdefault((column[gate.x], row[gate.y]), []).append(gate)
    levels = {row[gate.y] for gate in gates}
    number = count()
    first = (column[begin[0]], row[begin[1]], _DOWN)
    best: dict[tuple[int, int, int], float] = {first: 0.0}
    came: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    waiting: list[tuple[float, int, float, tuple[int, int, int], Gate | None]] = [(0.0, next(number), 0.0, first, None)]
    while waiting:
        _guess, _number, cost, state, gate = heappop(waiting)
        if gate is not None:
            return _way_back(state, came, xs, ys), gate
        if cost > best[state]:
            continue
        i, j, heading = state
        for end in ends.get((i, j), ()):
            if end.direction ^ 1 != heading:
                total = cost + end.cost + (_TURN if end.direction != heading else 0.0)
                heappush(waiting, (total, next(number), total, state, end))
        for direction, (di, dj) in enumerate(_STEPS):
            if direction ^ 1 == heading:
                continue
            to_i, to_j = i + di, j + dj
            if not (0 <= to_i < len(xs) and 0 <= to_j < len(ys)):
                continue
            step = (min(i, to_i), min(j, to_j))
            if step in (closed_across if di else closed_down):
                continue
            toll = (tolls_across if di else tolls_down).get(step, 0.0)
            further = cost + abs(xs[to_i] - xs[i]) + abs(ys[to_j] - ys[j]) + toll
            if direction != heading:
                further += _TURN + (_EARLY if di and j not in levels else 0.0)
            new = (to_i, to_j, direction)
            if further < best.get(new, float("inf")):
                best[new] = further
                came[new] = state
                guess = further + min(abs(gate.x - xs[to_i]) + abs(gate.y - ys[to_j]) for gate in gates)
                heappush(waiting, (guess, next(number), further, new, None))
    return None


_Tolls = dict[tuple[int, int], float]


def _tolls(xs: list[float], ys: list[float], walls: Sequence[Wall]) -> tuple[_Tolls, _Tolls]:
    """What the pieces between crossings cost besides their length, across and down."""
    across: _Tolls = {}
    down: _Tolls = {}
    for (ax, ay), (bx, by), _source, _target in walls:
        if ax == bx:
            at = bisect_left(xs, ax) - 1
            for row in range(bisect_right(ys, min(ay, by)), bisect_left(ys, max(ay, by))):
                across[at, row] = across.get((at, row), 0.0) + _CROSSING
        else:
            at = bisect_left(ys, ay) - 1
            for column in range(bisect_right(xs, min(ax, bx)), bisect_left(xs, max(ax, bx))):
                down[column, at] = down.get((column, at), 0.0) + _CROSSING
    return across, down


def _way_back(
    state: tuple[int, int, int], came: dict[tuple[int, int, int], tuple[int, int, int]], xs: list[float], ys: list[float]
) -> list[Point]:
    way = [(xs[state[0]], ys[state[1]])]
    while state in came:
        state = came[state]
        way.append((xs[state[0]], ys[state[1]]))
    return way[::-1]


def _corners(points: Sequence[Point]) -> list[Point]:
    """The points without those that lie on a straight line between others."""
    found: list[Point] = []
    for point in points:
        if found and point == found[-1]:
            continue
        while len(found) > 1 and (
            found[-2][0] == found[-1][0] == point[0] or found[-2][1] == found[-1][1] == point[1]
        ):
            found.pop()
        found.append(point)
    return found
