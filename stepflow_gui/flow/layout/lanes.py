"""Lanes side by side for edges that take the same channel. The second step of a route.

Of each path only stretches that hang on no port are moved, and no further than the boxes leave room.
"""

from collections.abc import Sequence
from functools import cmp_to_key

from stepflow_gui.flow.layout.grid import Grid
from stepflow_gui.flow.layout.paths import CORNER, ENTER, Obstacles
from stepflow_gui.flow.layout.shapes import Box
from stepflow_gui.flow.layout.streets import Point

APART = 6.0
_ARROWS_APART = 10.0
_REACH = 90.0  # how far a stretch is moved at most
_SAME = 8.0  # stretches nearer than this take their order from where they come from and go to
_SIDE = 8.0  # of a target's side that is left free at either end


class Stretch:
    """A straight piece of a path. Across is the axis on which it can be moved, along the other one."""

    __slots__ = ("across", "along", "first", "last", "least", "most", "route", "target", "turns")

    def __init__(self, route: int, at: int, path: Sequence[Point], target: int, axis: int) -> None:
        a, b = path[at][1 - axis], path[at + 1][1 - axis]
        before = path[at - 1][axis] - path[at][axis] if at else 0.0
        after = path[at + 2][axis] - path[at][axis] if at + 2 < len(path) else 0.0
        self.route = route
        self.first = at  # the corner at which it begins
        self.last = at + 2 == len(path)
        self.target = target  # a number for the target that it goes into, else -1
        self.across = self.least = self.most = path[at][axis]
        self.along = (min(a, b), max(a, b))
        self.turns = ((a, before), (b, after))  # at each end, where, and how far across the path goes from there


def in_lanes(paths: Sequence[list[Point]], targets: Sequence[Box], obstacles: Obstacles) -> list[list[Point]]:
    """The paths with first their horizontal, then their vertical stretches in lanes. `targets` are what they enter."""
    moved = [list(path) for path in paths]
    numbers: dict[Box, int] = {}
    for axis in (1, 0):
        stretches: list[Stretch] = []
        for route, (path, target) in enumerate(zip(moved, targets, strict=True)):
            for at in range(len(path) - 1):
                if path[at][axis] == path[at + 1][axis]:
                    last = at + 2 == len(path)
                    number = numbers.setdefault(target, len(numbers)) if last else -1
                    stretch = Stretch(route, at, path, number, axis)
                    if at:
                        _bound(stretch, path, target, obstacles, axis)
                    stretches.append(stretch)
        _spread(stretches)
        for stretch in stretches:
            path, at = moved[stretch.route], stretch.first
            for corner in (at, at + 1):
                x, y = path[corner]
                path[corner] = (stretch.across, y) if axis == 0 else (x, stretch.across)
    return moved


def _bound(stretch: Stretch, path: Sequence[Point], target: Box, obstacles: Obstacles, axis: int) -> None:
    """Set how far it may be moved."""
    here, (begin, end) = stretch.across, stretch.along
    least, most = here - _REACH, here + _REACH
    if stretch.last:
        low, high = (target.x, target.right) if axis == 0 else (target.y, target.bottom)
        free = min(CORNER if axis == 0 else _SIDE, (high - low) / 2)
        least, most = max(least, low + free), min(most, high - free)
    elif axis == 1 and stretch.first + 3 == len(path) and path[-1][1] == target.y:
        most = min(most, max(here, target.y - ENTER))
    area = Box(least, begin, most - least, end - begin) if axis == 0 else Box(begin, least, end - begin, most - least)
    for box, _node in obstacles.around(area):
        low, high = (box.x, box.right) if axis == 0 else (box.y, box.bottom)
        start, stop = (box.y, box.bottom) if axis == 0 else (box.x, box.right)
        if stop <= begin + 0.1 or start >= end - 0.1 or low < here - 0.2 < here + 0.2 < high:
            continue
        if high <= here + 0.2:
            least = max(least, min(high, here))
        elif low >= here - 0.2:
            most = min(most, max(low, here))
    if axis == 1 and stretch.first == 1:  # below the port that it comes from
        least = max(least, min(here, path[0][1] + 8))
    stretch.least, stretch.most = min(least, here), max(most, here)


def _spread(stretches: list[Stretch]) -> None:
    """Move stretches apart that would lie on each other."""
    ordered = sorted(stretches, key=cmp_to_key(_before))
    place = {id(stretch): number for number, stretch in enumerate(ordered)}
    near: Grid[Stretch] = Grid()
    for stretch in ordered:
        near.add(_area(stretch, 0.0), stretch)
    earlier: list[list[tuple[Stretch, float]]] = []
    later: list[list[tuple[Stretch, float]]] = []
    for number, stretch in enumerate(ordered):
        found = {
            place[id(other)]: other
            for _box, other in near.near(_area(stretch, _REACH))
            if other.route != stretch.route and not (other.first == stretch.first == 0)
        }
        earlier.append([(found[at], _apart(stretch, found[at])) for at in sorted(found) if at < number])
        later.append([(found[at], _apart(stretch, found[at])) for at in sorted(found) if at > number])
    for stretch, others in zip(ordered, earlier, strict=True):
        least = max((other.across + apart for other, apart in others), default=stretch.least)
        stretch.across = min(max(stretch.across, least), stretch.most)
    for stretch, others in zip(reversed(ordered), reversed(later), strict=True):
        most = min((other.across - apart for other, apart in others), default=stretch.most)
        stretch.across = max(min(stretch.across, most), stretch.least)


def _apart(one: Stretch, other: Stretch) -> float:
    return _ARROWS_APART if one.target == other.target >= 0 else APART


def _area(stretch: Stretch, reach: float) -> Box:
    begin, end = stretch.along
    return Box(begin - 2, stretch.across - reach - 0.1, end - begin + 4, 2 * reach + 0.2)


def _before(one: Stretch, other: Stretch) -> int:
    nearer = (one.across > other.across) - (one.across < other.across)
    if abs(one.across - other.across) > _SAME:
        return nearer
    crossings = _crossed(one, other) - _crossed(other, one)
    return crossings or _nested(one, other) or nearer or one.route - other.route or one.first - other.first


def _crossed(one: Stretch, other: Stretch) -> int:
    """How often they cross if `one` comes first on the axis across."""
    return sum(other.along[0] < at < other.along[1] and far > 0 for at, far in one.turns) + sum(
        one.along[0] < at < one.along[1] and far < 0 for at, far in other.turns
    )


def _nested(one: Stretch, other: Stretch) -> int:
    """Where both end in one channel: what turns up before what turns down, of those that turn alike the longer outside.

    Below 0 if `one` comes first.
    """
    total = 0
    for at, far in one.turns:
        for there, far_there in other.turns:
            if abs(at - there) < _SAME and far and far_there:
                alike = (far > 0) == (far_there > 0)
                total += (far < far_there) - (far > far_there) if alike else 1 if far > 0 else -1
    return total
