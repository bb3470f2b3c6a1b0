"""Where labels of routes stand: on a straight stretch of their line, clear of boxes and other labels; else nowhere."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from stepflow_gui.flow.layout.dimensions import TextWidth, label_size
from stepflow_gui.flow.layout.grid import Grid
from stepflow_gui.flow.layout.shapes import Bend, Box, Route

_FROM_SOURCE = 42.0  # the wish: pixels along the line
_STEP = 11.0
_FAN = 6  # from a step with more edges than this, labels are at the target
_LINES = 2  # of other edges that a label may lie on at most
_ON_LINE = 120.0  # what that costs in pixels along the line
_ARROW = 14.0

_Taken = tuple[Grid[None], Grid[None], Grid[int]]


def with_labels(routes: Sequence[Route], solid: Iterable[Box], width: TextWidth) -> list[Route]:
    """The routes with their labels placed, in their order; loops keep theirs. `solid` are the boxes and other signs."""
    boxes: Grid[None] = Grid()
    for box in solid:
        boxes.add(box.grown(2), None)
    labels: Grid[None] = Grid()
    lines: Grid[int] = Grid()
    for number, route in enumerate(routes):
        if route.kind == "loop" and route.label_box is not None:
            labels.add(route.label_box, None)
        for a, b in pairwise(route.bends):
            lines.add(Box(min(a.x, b.x), min(a.y, b.y), max(abs(a.x - b.x), 0.5), max(abs(a.y - b.y), 0.5)), number)
    fan = Counter(route.source for route in routes if route.kind != "loop")
    placed = []
    for number, route in enumerate(routes):
        if route.kind != "loop" and route.lines:
            place = _best(
                number, route, fan[route.source] > _FAN, label_size(route.lines, width), (boxes, labels, lines)
            )
            if place is not None:
                labels.add(place, None)
            placed.append(route._replace(label_box=place))
        else:
            placed.append(route)
    return placed


def _best(number: int, route: Route, at_target: bool, size: tuple[float, float], taken: _Taken) -> Box | None:
    boxes, labels, lines = taken
    best: Box | None = None
    least = float("inf")
    for distance, x, y in _centres(route.bends, size, at_target):
        cost = abs(distance - _FROM_SOURCE)
        if cost >= least:
            continue
        box = Box(x - size[0] / 2, y - size[1] / 2, *size)
        if boxes.any_near(box.grown(1)) or labels.any_near(box.grown(1)):
            continue
        crossed = _others_below(box.grown(1), number, lines)
        if crossed > _LINES:
            continue
        cost += _ON_LINE * crossed
        if cost < least:
            best, least = box, cost
    return best


def _centres(bends: Sequence[Bend], size: tuple[float, float], at_target: bool) -> Iterator[tuple[float, float, float]]:
    """Along the straight stretches the points around which the label would stay on them: the distance, x, y."""
    walk = list(pairwise(bends[::-1] if at_target else bends))
    walked = 0.0
    for number, (a, b) in enumerate(walk):
        length = abs(a.x - b.x) + abs(a.y - b.y)
        if a.x == b.x or a.y == b.y:
            half = size[0] / 2 if a.y == b.y else size[1] / 2
            arrow = _ARROW if number == (0 if at_target else len(walk) - 1) else 0.0
            first, last = half + (arrow if at_target else 0.0), length - half - (0.0 if at_target else arrow)
            at = first
            while at <= last and length:
                share = at / length
                yield walked + at, a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share
                at += _STEP
        walked += length


def _others_below(area: Box, number: int, lines: Grid[int]) -> int:
    found: set[int] = set()
    for _, other in lines.near(area):
        if other != number:
            found.add(other)
            if len(found) > _LINES:
                break
    return len(found)
