"""What is known of an edge from one routing to the next, and the lines of all edges for those that would cross them."""

from collections.abc import Sequence
from itertools import pairwise

from stepflow_gui.flow.layout.arcs import MergedEdge
from stepflow_gui.flow.layout.grid import Areas, Grid
from stepflow_gui.flow.layout.shapes import Box, NodeId, Route
from stepflow_gui.flow.layout.streets import Point, Wall

Path = list[Point]
Ends = tuple[Box, Box, float, float | None]
"""The boxes that an edge leaves and enters, the x of its port, and of a bundled one the x at which it enters."""
Bundle = tuple[NodeId, str, int]
"""What bundled edges have in common, a target and an intent, and how many they are."""

_FIRST, _FINAL, _BOTH = range(3)  # whether a stretch belongs to the first path, to the one that crosses less, to both


class EdgeState:
    """One edge: what each step of its route came to, and in which areas that step looked."""

    __slots__ = (
        "arc",
        "at_target",
        "bundle",
        "ends",
        "first",
        "first_asked",
        "first_sides",
        "is_labelled",
        "label_asked",
        "label_box",
        "lines",
        "moved",
        "number",
        "path",
        "path_asked",
        "path_sides",
        "reach",
        "route",
        "stretches",
        "unlabelled",
    )

    def __init__(self, arc: MergedEdge) -> None:
        self.arc = arc
        self.number = 0  # in the order of the file
        self.ends: Ends | None = None  # of none for loops
        self.first: Path = []  # the path around the boxes by itself
        self.first_asked = Areas()
        self.first_sides = False
        self.path: Path = []  # the path that crosses fewer others
        self.path_asked = Areas()
        self.path_sides = False
        self.stretches: list[list[Stretch]] = [[], []]  # by the axis across
        self.reach = [Areas(), Areas()]
        self.moved: list[Path] = [[], []]  # the path with the stretches of that axis in lanes
        self.unlabelled: Route | None = None
        self.route: Route | None = None
        self.lines: list[Box] = []
        self.label_asked: Areas | None = None  # where its label was tried
        self.label_box: Box | None = None
        self.at_target = False  # whether its label is near its target
        self.bundle: Bundle | None = None
        self.is_labelled = False  # of its bundle it is the one with the label


class Stretch:
    """A straight piece of a path. Across is the axis on which it can be moved, along the other one."""

    __slots__ = (
        "across",
        "along",
        "area",
        "beside",
        "bundle",
        "edge",
        "first",
        "home",
        "last",
        "least",
        "most",
        "target",
        "turns",
    )

    def __init__(self, edge: EdgeState, at: int, path: Sequence[Point], target: Box, axis: int) -> None:
        a, b = path[at][1 - axis], path[at + 1][1 - axis]
        before = path[at - 1][axis] - path[at][axis] if at else 0.0
        after = path[at + 2][axis] - path[at][axis] if at + 2 < len(path) else 0.0
        self.edge = edge
        self.bundle = edge.bundle  # with others of it that lie as this one does, it has one lane
        self.first = at  # the corner at which it begins
        self.last = at + 2 == len(path)
        self.target = target if self.last else None  # what it goes into
        self.across = self.home = self.least = self.most = path[at][axis]
        self.along = (min(a, b), max(a, b))
        self.turns = ((a, before), (b, after))  # at each end, where, and how far across the path goes from there
        self.area = Box(0, 0, 0, 0)  # that it may come to lie in, and a bit more
        self.beside: set[Stretch] = set()  # those that it could lie on

    def same(self, other: "Stretch") -> bool:
        """Whether the two are alike in all that their lanes depend on."""
        return (self.first, self.target, self.home, self.least, self.most, self.along, self.turns, self.bundle) == (
            *(other.first, other.target, other.home, other.least, other.most, other.along, other.turns, other.bundle),
        )


class Walls:
    """The lines of all edges: each as it goes by itself, and as it goes once it crosses fewer others."""

    def __init__(self) -> None:
        self._lines: Grid[tuple[Wall, EdgeState, int]] = Grid()
        self._of: dict[EdgeState, list[tuple[Box, tuple[Wall, EdgeState, int]]]] = {}
        self.asked = Areas()

    def remove(self, edge: EdgeState) -> None:
        """Take the lines of an edge out."""
        for area, entry in self._of.pop(edge, ()):
            self._lines.remove(area, entry)

    def set(self, edge: EdgeState) -> None:
        """Put in the lines that an edge has now."""
        self.remove(edge)
        assert edge.ends is not None
        if edge.first == edge.path:
            paths = [(edge.first, _BOTH)]
        else:
            paths = [(edge.first, _FIRST)] + ([(edge.path, _FINAL)] if edge.path else [])
        entries = [
            (_area(wall), (wall, edge, phase))
            for path, phase in paths
            for a, b in pairwise(path)
            for wall in [Wall(a, b, path[0], edge.ends[1])]
        ]
        for area, entry in entries:
            self._lines.add(area, entry)
        self._of[edge] = entries

    def for_edge(self, edge: EdgeState) -> "_Others":
        """The lines as an edge meets them: earlier ones as they end up, later ones as they are by themselves."""
        return _Others(self, edge)

    def near(self, area: Box, edge: EdgeState) -> list[Wall]:
        """The pieces in an area as an edge meets them."""
        self.asked.add(area)
        assert edge.ends is not None
        source, target, number = edge.first[0], edge.ends[1], edge.number
        found: dict[Wall, None] = {}
        for _box, (wall, other, phase) in self._lines.near(area):
            there = other.number < number if phase == _FINAL else phase == _BOTH or other.number > number
            if there and other is not edge and wall.source != source and wall.target != target:
                found[wall] = None
        return list(found)


class _Others:
    """See `Lines`."""

    def __init__(self, walls: Walls, edge: EdgeState) -> None:
        self._walls = walls
        self._edge = edge

    def across(self, area: Box) -> list[Wall]:
        """The pieces in an area."""
        return self._walls.near(area, self._edge)

    def cross(self, path: Sequence[Point]) -> bool:
        """Whether a path crosses any of them."""
        for (ax, ay), (bx, by) in pairwise(path):
            area = Box(min(ax, bx), min(ay, by), abs(ax - bx), abs(ay - by))
            for (cx, cy), (dx, dy), _source, _target in self.across(area.grown(0.1)):
                over = ay == by and cx == dx and area.x < cx < area.right and min(cy, dy) < ay < max(cy, dy)
                down = ax == bx and cy == dy and area.y < cy < area.bottom and min(cx, dx) < ax < max(cx, dx)
                if over or down:
                    return True
        return False


def _area(wall: Wall) -> Box:
    (ax, ay), (bx, by) = wall.begin, wall.end
    return Box(min(ax, bx), min(ay, by), abs(ax - bx) + 0.1, abs(ay - by) + 0.1)


def touch_path(touched: Areas, path: Sequence[Point]) -> None:
    """The pieces of a path are no longer, or not yet, what they were."""
    for (ax, ay), (bx, by) in pairwise(path):
        touched.add(Box(min(ax, bx), min(ay, by), abs(ax - bx) + 0.1, abs(ay - by) + 0.1))
