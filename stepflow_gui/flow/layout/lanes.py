"""Lanes side by side for edges that take the same channel. The second step of a route.

Of each path only stretches that hang on no port are moved, and no further than the boxes leave room.
"""

from collections.abc import Mapping, Sequence
from functools import cmp_to_key

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.flow.layout.edge_state import EdgeState, Path, Stretch
from stepflow_gui.flow.layout.grid import Areas, Grid
from stepflow_gui.flow.layout.paths import CORNER, ENTER, Obstacles
from stepflow_gui.flow.layout.shapes import Box
from stepflow_gui.flow.layout.streets import Point

APART = 6.0
_ARROWS_APART = 10.0
_REACH = 90.0  # how far a stretch is moved at most
_SAME = 8.0  # stretches nearer than this take their order from where they come from and go to
_BESIDE = 5.0  # stretches whose places come twice as near can lie on each other
_CELL, _LONG_CELL = 256.0, 4096.0  # of the grid: stretches are thin and long, and each pair is to be met seldom twice
_SIDE = 8.0  # of a target's side that is left free at either end


class Lanes:
    """The stretches of all paths across one axis, in lanes."""

    def __init__(self, axis: int) -> None:
        self.axis = axis
        self._near: Grid[Stretch] = Grid(_CELL, _LONG_CELL) if axis == 0 else Grid(_LONG_CELL, _CELL)

    def update(self, paths: Mapping[EdgeState, Path], obstacles: Obstacles) -> set[EdgeState]:
        """Take the paths of these edges for what they are now; of edges that aren't any more the path is empty.

        The result are the edges of which a stretch may lie elsewhere than before.
        """
        seeds: dict[Stretch, None] = {}
        touched: set[EdgeState] = set()
        for edge, path in paths.items():
            checkpoint()
            before, now = edge.stretches[self.axis], self._stretches(edge, path, obstacles)
            if len(before) == len(now) and all(map(Stretch.same, before, now)):
                continue
            for stretch in before:
                self._near.remove(stretch.area, stretch)
                for other in stretch.beside:
                    other.beside.discard(stretch)
                    seeds[other] = None
                seeds.pop(stretch, None)
            edge.stretches[self.axis] = now
            touched.add(edge)
            for stretch in now:
                for _box, other in self._near.near(stretch.area):
                    if other.edge is not edge and not (other.first == stretch.first == 0):
                        other.beside.add(stretch)
                        stretch.beside.add(other)
                self._near.add(stretch.area, stretch)
                seeds[stretch] = None
        done: set[Stretch] = set()
        for seed in seeds:
            if seed not in done:
                checkpoint()
                together = _together(seed)
                done.update(together)
                if len(together) > 1:
                    _spread(together)
                else:
                    seed.across = seed.home
                touched.update(stretch.edge for stretch in together)
        return touched

    def moved(self, edge: EdgeState, path: Path) -> Path:
        """The path with its stretches in their lanes."""
        moved = list(path)
        for stretch in edge.stretches[self.axis]:
            for corner in (stretch.first, stretch.first + 1):
                x, y = moved[corner]
                moved[corner] = (stretch.across, y) if self.axis == 0 else (x, stretch.across)
        return moved

    def _stretches(self, edge: EdgeState, path: Path, obstacles: Obstacles) -> list[Stretch]:
        axis = self.axis
        obstacles.asked = edge.reach[axis] = Areas()
        found = []
        for at in range(len(path) - 1):
            if path[at][axis] == path[at + 1][axis]:
                assert edge.ends is not None
                stretch = Stretch(edge, at, path, edge.ends[1], axis)
                if at:
                    _bound(stretch, path, edge.ends[1], obstacles, axis)
                begin, end = stretch.along[0] - 2, stretch.along[1] + 2
                least, most = stretch.least - _BESIDE, stretch.most + _BESIDE
                across = (least, begin, most - least, end - begin)
                stretch.area = Box(*across) if axis == 0 else Box(begin, least, end - begin, most - least)
                found.append(stretch)
        return found


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
    for box in obstacles.around(area):
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


def _together(seed: Stretch) -> list[Stretch]:
    """All that depend on each other with a stretch, in the order of the file."""
    found = {seed}
    waiting = [seed]
    while waiting:
        new = waiting.pop().beside - found
        found |= new
        waiting += new
    return sorted(found, key=_in_file)


def _in_file(stretch: Stretch) -> tuple[int, int]:
    return stretch.edge.number, stretch.first


def _spread(stretches: list[Stretch]) -> None:
    """Move stretches apart that would lie on each other; those of a bundle that lie alike stay together."""
    lanes: dict[object, list[Stretch]] = {}
    for stretch in stretches:
        stretch.across = stretch.home
        lanes.setdefault((stretch.bundle, stretch.home) if stretch.bundle is not None else stretch, []).append(stretch)
    first_of = {stretch: lane[0] for lane in lanes.values() for stretch in lane}
    ordered = sorted((lane[0] for lane in lanes.values()), key=cmp_to_key(_before))
    place = {stretch: number for number, stretch in enumerate(ordered)}
    beside = {
        lane[0]: {first_of[other] for stretch in lane for other in stretch.beside} - {lane[0]}
        for lane in lanes.values()
    }
    room = {
        lane[0]: (max(stretch.least for stretch in lane), min(stretch.most for stretch in lane))
        for lane in lanes.values()
    }
    for number, stretch in enumerate(ordered):
        least, most = room[stretch]
        before = [other.across + _apart(stretch, other) for other in beside[stretch] if place[other] < number]
        stretch.across = min(max(stretch.across, max(before, default=least)), most)
    for number, stretch in reversed(list(enumerate(ordered))):
        least, most = room[stretch]
        after = [other.across - _apart(stretch, other) for other in beside[stretch] if place[other] > number]
        stretch.across = max(min(stretch.across, min(after, default=most)), least)
    for stretch, first in first_of.items():
        stretch.across = first.across


def _apart(one: Stretch, other: Stretch) -> float:
    return _ARROWS_APART if one.target is not None and one.target == other.target else APART


def _before(one: Stretch, other: Stretch) -> int:
    nearer = (one.across > other.across) - (one.across < other.across)
    if abs(one.across - other.across) > _SAME:
        return nearer
    crossings = _crossed(one, other) - _crossed(other, one)
    return crossings or _nested(one, other) or nearer or one.edge.number - other.edge.number or one.first - other.first


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
