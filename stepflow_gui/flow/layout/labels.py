"""Where labels of routes stand: on a straight stretch of their line, clear of boxes and other labels; else nowhere."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.flow.layout.dimensions import TextWidth, label_size
from stepflow_gui.flow.layout.edge_state import EdgeState
from stepflow_gui.flow.layout.grid import Areas, Grid
from stepflow_gui.flow.layout.paths import Key
from stepflow_gui.flow.layout.shapes import Bend, Box, Route

_FROM_SOURCE = 42.0  # the wish: pixels along the line
_STEP = 11.0
_LINES = 2  # of other edges that a label may lie on at most
_ON_LINE = 120.0  # what that costs in pixels along the line
_ARROW = 14.0
_CLEAR = 4.0  # from the box that the line leaves


class LabelPlaces:
    """The labels of all edges, each placed clear of those that come before it in the file."""

    def __init__(self) -> None:
        self._boxes: Grid[None] = Grid()
        self._solid: dict[Key, Box] = {}
        self._labels: Grid[EdgeState] = Grid()
        self._lines: Grid[EdgeState] = Grid()

    def update(
        self,
        edges: Sequence[EdgeState],
        changed: Iterable[EdgeState],
        gone: Iterable[EdgeState],
        solid: Mapping[Key, Box],
        width: TextWidth,
    ) -> None:
        """Place the labels of edges whose line is another, or of which one is near something that changed.

        `solid` are all boxes and other signs that labels keep clear of.
        """
        touched = self._set_solid(solid)
        for edge in gone:
            self._set_lines(edge, [], touched)
            self._set_label(edge, None, touched)
        due: set[EdgeState] = set()
        for edge in changed:
            checkpoint()
            route = edge.unlabelled
            assert route is not None
            self._set_lines(edge, [_thin(a, b) for a, b in pairwise(route.bends)], touched)
            if route.kind == "loop":
                self._set_label(edge, route.label_box, touched)
                edge.route = route
            elif not route.lines:
                self._set_label(edge, None, touched)
                edge.label_asked, edge.route = None, route
            else:
                due.add(edge)
        for edge in edges:
            if edge in due or (edge.label_asked is not None and touched.meet(edge.label_asked)):
                checkpoint()
                route = edge.unlabelled
                assert route is not None
                place = self._best(edge, route, label_size(route.lines, width))
                self._set_label(edge, place, touched)
                if edge in due or edge.route is None or edge.route.label_box != place:
                    edge.route = route._replace(label_box=place)

    def _set_solid(self, solid: Mapping[Key, Box]) -> Areas:
        touched = Areas()
        before, self._solid = self._solid, dict(solid)
        for key, box in before.items():
            if solid.get(key) != box:
                self._boxes.remove(box.grown(2), None)
                touched.add(box.grown(2))
        for key, box in solid.items():
            if before.get(key) != box:
                self._boxes.add(box.grown(2), None)
                touched.add(box.grown(2))
        return touched

    def _set_lines(self, edge: EdgeState, lines: list[Box], touched: Areas) -> None:
        if lines == edge.lines:
            return
        before, now = set(edge.lines), set(lines)
        for line in before - now:
            self._lines.remove(line, edge)
            touched.add(line)
        edge.lines = lines
        for line in now - before:
            self._lines.add(line, edge)
            touched.add(line)

    def _set_label(self, edge: EdgeState, place: Box | None, touched: Areas) -> None:
        before = edge.label_box
        if before == place:
            return
        if before is not None:
            self._labels.remove(before, edge)
            touched.add(before)
        if place is not None:
            self._labels.add(place, edge)
            touched.add(place)
        edge.label_box = place

    def _best(self, edge: EdgeState, route: Route, size: tuple[float, float]) -> Box | None:
        best: Box | None = None
        least = float("inf")
        tried: dict[int, Box] = {}  # by the stretch
        for stretch, distance, x, y in _centres(route.bends, size, edge.at_target):
            cost = abs(distance - _FROM_SOURCE)
            if cost >= least:
                if distance > _FROM_SOURCE:
                    break  # those to come are farther
                continue
            box = Box(x - size[0] / 2, y - size[1] / 2, *size)
            tried[stretch] = tried[stretch].around(box) if stretch in tried else box
            if self._boxes.any_near(box.grown(1)) or self._lies_on_label(box.grown(1), edge.number):
                continue
            crossed = self._others_below(box.grown(1), edge)
            if crossed > _LINES:
                continue
            cost += _ON_LINE * crossed
            if cost < least:
                best, least = box, cost
        edge.label_asked = Areas()
        for box in tried.values():
            edge.label_asked.add(box.grown(1))
        return best

    def _lies_on_label(self, area: Box, number: int) -> bool:
        """Whether a label of an earlier edge, or of a loop, is there."""
        return any(other.number < number or other.ends is None for _box, other in self._labels.near(area))

    def _others_below(self, area: Box, edge: EdgeState) -> int:
        found: set[EdgeState] = set()
        for _box, other in self._lines.near(area):
            if other is not edge and (edge.bundle is None or other.bundle != edge.bundle):
                found.add(other)
                if len(found) > _LINES:
                    break
        return len(found)


def _thin(a: Bend, b: Bend) -> Box:
    return Box(min(a.x, b.x), min(a.y, b.y), max(abs(a.x - b.x), 0.5), max(abs(a.y - b.y), 0.5))


def _centres(
    bends: Sequence[Bend], size: tuple[float, float], at_target: bool
) -> Iterator[tuple[int, float, float, float]]:
    """Along straight stretches the points around which the label stays on them: the stretch, the distance, x, y."""
    walk = list(pairwise(bends[::-1] if at_target else bends))
    walked = 0.0
    for number, (a, b) in enumerate(walk):
        length = abs(a.x - b.x) + abs(a.y - b.y)
        if a.x == b.x or a.y == b.y:
            half = size[0] / 2 if a.y == b.y else size[1] / 2
            arrow = _ARROW if number == (0 if at_target else len(walk) - 1) else 0.0
            first, last = half + (arrow if at_target else _CLEAR), length - half - (_CLEAR if at_target else arrow)
            at = first
            while at <= last and length:
                share = at / length
                yield number, walked + at, a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share
                at += _STEP
        walked += length
