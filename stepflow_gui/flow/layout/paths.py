"""The path of an edge around the boxes: from boxes alone, each edge by itself. The first step of a route."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Protocol

from stepflow_gui.flow.layout.grid import Areas, Grid
from stepflow_gui.flow.layout.shapes import Box, NodeId
from stepflow_gui.flow.layout.streets import DOWN, LEFT, RIGHT, Entrance, Point, Wall, cheapest

MARGIN = 12.0  # that lines keep from boxes
LEAVE = 14.0  # straight down from a port
ENTER = 20.0  # straight into a target, so the arrow has room behind a corner
CORNER = 10.0  # of a target's top that is left free at either end
_FORWARD = 24.0  # a target must be at least so far below its source to be entered from above
_ON_THE_RIGHT = 12.0  # what it costs to come in on the right
_TOP = 24.0  # … or from above, where the target isn't below
_WIDE = 100.0  # from this width on a target may be entered at both ends of its top
_MOST = 28  # boxes that are gone around one by one; where more are in the way, all are gone around


Key = NodeId | tuple[str, NodeId]
"""What an obstacle is: a node, or a sign beside one."""


class Obstacles:
    """The boxes that lines keep clear of, each grown by the margin, and the areas of other signs.

    `asked` collects the areas on which the answers depend.
    """

    __slots__ = ("_boxes", "_keys", "_sides", "asked", "asked_sides")

    def __init__(self) -> None:
        self._boxes: Grid[None] = Grid()
        self._keys: dict[Key, Box] = {}
        self._sides = (0.0, 0.0)
        self.asked = Areas()
        self.asked_sides = False

    def update(self, boxes: Mapping[Key, Box]) -> tuple[Areas, bool]:
        """Take these for all that are there now: where some are others, and whether the outermost sides are."""
        touched = Areas()
        before = self._keys
        for key, box in before.items():
            if boxes.get(key) != box:
                self._boxes.remove(grown := self._grown(key, box), None)
                touched.add(grown)
        for key, box in boxes.items():
            if before.get(key) != box:
                self._boxes.add(grown := self._grown(key, box), None)
                touched.add(grown)
        self._keys = dict(boxes)
        left = min((box[0] for box in boxes.values()), default=0.0) - 2 * MARGIN
        right = max((box[0] + box[2] for box in boxes.values()), default=0.0) + 2 * MARGIN
        before_sides, self._sides = self._sides, (left, right)
        return touched, before_sides != self._sides

    @staticmethod
    def _grown(key: Key, box: Box) -> Box:
        return box.grown(MARGIN) if isinstance(key, NodeId) else box

    @property
    def sides(self) -> tuple[float, float]:
        """Left and right of all."""
        self.asked_sides = True
        return self._sides

    def around(self, area: Box) -> Iterator[Box]:
        """The grown boxes that overlap an area."""
        self.asked.add(area)
        return (box for box, _key in self._boxes.near(area))

    def hit(self, path: Sequence[Point]) -> list[Box]:
        """The grown boxes that a path runs through, in its direction, each once."""
        found: dict[Box, None] = {}
        for (ax, ay), (bx, by) in pairwise(path):
            area = Box(min(ax, bx) - 0.1, min(ay, by) - 0.1, abs(ax - bx) + 0.2, abs(ay - by) + 0.2)
            for box in self.around(area):
                if _enters(area, box):
                    found.setdefault(box)
        return list(found)

    def room(self, x: float, y: float, down: int, wanted: float) -> float:
        """How far a line can go straight from a border before it meets a foreign margin; half of it if that is less."""
        area = Box(x - 0.5, y if down > 0 else y - wanted - MARGIN, 1, wanted + MARGIN)
        least = wanted
        for box in self.around(area):
            edge = box.y - y if down > 0 else y - box.bottom
            if edge > -MARGIN + 0.5:  # nearer than that is the line's own box
                least = min(least, edge)
        return max(least, 4.0)


class Lines(Protocol):
    """The lines of other edges, as one edge meets them."""

    def across(self, area: Box, /) -> list[Wall]:
        """Their pieces in an area, but those of edges that begin or end where this one does."""

    def cross(self, path: Sequence[Point], /) -> bool:
        """Whether a path crosses any of them."""


class NoLines:
    """No other edge."""

    def across(self, _area: Box, /) -> list[Wall]:
        """None."""
        return []

    def cross(self, _path: Sequence[Point], /) -> bool:
        """Never."""
        return False


def is_forward(source: Box, target: Box) -> bool:
    """Whether a target is far enough below to be entered from above."""
    return target.y - source.bottom >= _FORWARD


def path_between(
    source: Box, target: Box, port: float, enter: float | None, obstacles: Obstacles, lines: Lines
) -> list[Point]:
    """The corners of the path from a port at the bottom of a box into another box, from above at `enter` if given."""
    start = (port, source.bottom)
    forward = is_forward(source, target)
    if forward and enter in {None, port} and _enters_straight(port, target):
        straight = [start, (port, target.y)]
        if not _foreign(obstacles.hit(straight), source, target):
            return straight
    leave = obstacles.room(port, source.bottom, 1, LEAVE)
    entrances = list(_entrances(source, target, (port, enter), leave, obstacles, forward=forward))
    begin = (port, source.bottom + leave)
    own = [source.grown(MARGIN - 0.1), target.grown(MARGIN - 0.1)]
    if forward:
        entrance = entrances[0]
        bent = [start, (port, entrance.y), (entrance.x, entrance.y), entrance.border]
        if not _foreign(obstacles.hit(bent), source, target) and not lines.cross(bent):
            return _corners(bent)
    known = dict.fromkeys(own)
    found = cheapest(begin, entrances, own, lines.across)
    while found is not None:
        new = [box for box in _foreign(obstacles.hit(found[0]), source, target) if box not in known]
        if not new:
            return _corners([start, *found[0], found[1].border])
        known.update(dict.fromkeys(new))
        if len(known) > _MOST:
            break
        found = cheapest(begin, entrances, list(known), lines.across) or cheapest(
            begin, entrances, _outside(known, begin, entrances), lines.across
        )
    ways = [
        [begin, (x, begin[1]), (x, entrance.y), (entrance.x, entrance.y)]
        for x in obstacles.sides
        for entrance in entrances
    ]
    paths = [[start, *way, entrance.border] for way, entrance in zip(ways, [*entrances, *entrances], strict=True)]
    return _corners(min(paths, key=lambda path: (len(_foreign(obstacles.hit(path), source, target)), _length(path))))


def _length(path: Sequence[Point]) -> float:
    return sum(abs(ax - bx) + abs(ay - by) for (ax, ay), (bx, by) in pairwise(path))


def _enters_straight(port: float, target: Box) -> bool:
    free = min(CORNER, target.width / 2)
    return target.x + free <= port <= target.right - free


def _entrances(
    source: Box, target: Box, ports: tuple[float, float | None], leave: float, obstacles: Obstacles, *, forward: bool
) -> Iterator[Entrance]:
    free = min(CORNER, target.width / 2)
    port, wanted = ports
    top = min(max(port if wanted is None else wanted, target.x + free), target.right - free)
    enter = obstacles.room(top, target.y, -1, ENTER)
    if forward:
        enter = min(enter, max(target.y - source.bottom - leave, 0.0))
        yield Entrance(top, target.y - enter, (top, target.y), DOWN)
        for x in (
            dict.fromkeys((target.x + free, target.right - free)) if target.width > _WIDE and wanted is None else ()
        ):
            if x != top:
                yield Entrance(x, target.y - enter, (x, target.y), DOWN)
        return
    y = target.y + min(18.0, target.height / 2)
    yield Entrance(target.x - MARGIN - 4, y, (target.x, y), RIGHT)
    yield Entrance(target.right + MARGIN + 4, y, (target.right, y), LEFT, _ON_THE_RIGHT)
    yield Entrance(top, target.y - enter, (top, target.y), DOWN, _TOP)


def _foreign(boxes: Sequence[Box], source: Box, target: Box) -> list[Box]:
    own = (source.grown(MARGIN), target.grown(MARGIN))
    return [box for box in boxes if box not in own]


def _outside(boxes: dict[Box, None], begin: Point, entrances: Sequence[Entrance]) -> list[Box]:
    """The boxes without those that a path would have to begin or end in."""
    points = [begin, *((entrance.x, entrance.y) for entrance in entrances)]
    return [box for box in boxes if not any(_inside(point, box) for point in points)]


def _inside(point: Point, box: Box) -> bool:
    return box.x < point[0] < box.right and box.y < point[1] < box.bottom


def _enters(area: Box, box: Box) -> bool:
    return (
        area.x < box.right - 0.2
        and box.x + 0.2 < area.right
        and area.y < box.bottom - 0.2
        and box.y + 0.2 < area.bottom
    )


def _corners(points: Sequence[Point]) -> list[Point]:
    """The points without those that lie on a straight line between others."""
    found: list[Point] = []
    for point in points:
        if found and point == found[-1]:
            continue
        while len(found) > 1 and (found[-2][0] == found[-1][0] == point[0] or found[-2][1] == found[-1][1] == point[1]):
            found.pop()
        found.append(point)
    return found
