"""Where the labels of routes stand: on their line near its source, clear of boxes, other labels and other lines."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from stepflow_gui.flow.layout.dimensions import TextWidth, chip
from stepflow_gui.flow.layout.grid import Grid
from stepflow_gui.flow.layout.shapes import Box, NodeId, Route
from stepflow_gui.flow.layout.splines import Point, polyline

_FROM_SOURCE = 42.0  # the wish: pixels along the line
_STEP = 11.0
LABEL_REACH = 240.0  # pixels from the source within which a label stands
_FAN = 6  # from a step with more edges than this, labels are at the target
_ON_BOX = 400.0
_ON_LABEL = 200.0
_ON_LINE = 70.0
_ENOUGH_LINES = 4
_PIECE = 48.0


def place_labels(routes: Sequence[Route], boxes: Mapping[NodeId, Box], width: TextWidth) -> list[Route]:
    """The routes with their labels placed; loops keep theirs."""
    return place_among(routes, [], boxes.values(), width)


def place_among(
    routes: Sequence[Route], others: Iterable[Route], boxes: Iterable[Box], width: TextWidth
) -> list[Route]:
    """The routes with their labels placed, `others` staying as they are."""
    solid: Grid[None] = Grid()
    for box in boxes:
        solid.add(box.grown(2), None)
    labels: Grid[None] = Grid()
    lines: Grid[int] = Grid()
    paths: list[list[Point]] = []
    for number, route in enumerate(routes):
        paths.append(polyline(route.bends))
        _draw(lines, paths[-1], number)
        if route.kind == "loop":
            labels.add(route.label_box, None)
    for route in others:
        _draw(lines, polyline(route.bends), -1)
        labels.add(route.label_box, None)
    placed = []
    fan = Counter(route.source for route in routes)
    for number, route in enumerate(routes):
        if route.kind != "loop" and route.label:
            path = paths[number] if fan[route.source] <= _FAN else paths[number][::-1]
            box = _best(number, path, chip(0, 0, route.label, width), (solid, labels, lines))
            labels.add(box, None)
            placed.append(route._replace(label_box=box))
        else:
            placed.append(route)
    return placed


def _draw(lines: Grid[int], path: Sequence[Point], number: int) -> None:
    for (ax, ay), (bx, by) in pairwise(path):
        pieces = int(min(abs(ax - bx), abs(ay - by)) // _PIECE) + 1  # a slanted line fills little of a large box
        dx, dy = (bx - ax) / pieces, (by - ay) / pieces
        for piece in range(pieces):
            x, y = ax + dx * piece, ay + dy * piece
            lines.add(Box(min(x, x + dx), min(y, y + dy), max(abs(dx), 0.5), max(abs(dy), 0.5)), number)


def _best(
    number: int, path: Sequence[Point], label: Box, taken: tuple[Grid[None], Grid[None], Grid[int]]
) -> Box:  # fmt: skip
    solid, labels, lines = taken
    best, least = label, float("inf")
    for distance, (x, y) in _along(path):
        cost = abs(distance - _FROM_SOURCE) * 0.5
        if cost >= least:
            continue
        box = label.shifted(x, y)
        roomy = box.grown(1)
        cost += _ON_BOX * solid.any_near(roomy) + _ON_LABEL * labels.any_near(roomy)
        if cost >= least:
            continue
        cost += _ON_LINE * _others_below(roomy, number, lines)
        if cost < least:
            best, least = box, cost
    return best


def _others_below(area: Box, number: int, lines: Grid[int]) -> int:
    found: set[int] = set()
    for _, other in lines.near(area):
        if other != number:
            found.add(other)
            if len(found) == _ENOUGH_LINES:
                break
    return len(found)


def _along(path: Sequence[Point]) -> list[tuple[float, Point]]:
    """Points every few pixels from the start on, to a good half of the path at most."""
    lengths = [abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(path)]
    limit = min(sum(lengths) * 0.62, LABEL_REACH)
    points = []
    walked, wanted = 0.0, min(_STEP * 1.5, limit / 2)
    for (ax, ay), (bx, by), length in zip(path, path[1:], lengths, strict=False):
        while length and wanted <= min(walked + length, limit):
            share = (wanted - walked) / length
            points.append((wanted, (ax + (bx - ax) * share, ay + (by - ay) * share)))
            wanted += _STEP
        walked += length
    points.sort(key=lambda point: abs(point[0] - _FROM_SOURCE))
    return points or [(0.0, path[len(path) // 2])]
