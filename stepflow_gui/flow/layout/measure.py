"""How good a layout is: figures that tests hold and that a person can compare."""

from collections.abc import Sequence
from itertools import pairwise

from stepflow_gui.flow.layout.grid import Grid
from stepflow_gui.flow.layout.shapes import Box, Layout, NodeId, Route
from stepflow_gui.flow.layout.splines import Point, polyline

Segment = tuple[Point, Point]

_PIECES = 3  # straight ones in place of a round corner


def crossings(layout: Layout) -> int:
    """How many pairs of drawn edges cross; loops and pairs that share a node don't count."""
    lines: Grid[tuple[int, Segment]] = Grid()
    found: set[tuple[int, int]] = set()
    for number, route in enumerate(layout.routes):
        if route.kind == "loop":
            continue
        for segment in pairwise(polyline(route.bends, _PIECES)):
            area = _area(segment)
            for _, (other, there) in lines.near(area):
                if not _share(route, layout.routes[other]) and _cross(segment, there):
                    found.add((other, number))
        for segment in pairwise(polyline(route.bends, _PIECES)):
            lines.add(_area(segment), (number, segment))
    return len(found)


def boxes_crossed(layout: Layout) -> int:
    """How many times an edge is drawn over the box of a node that it neither leaves nor enters."""
    boxes: Grid[NodeId] = Grid()
    for node, box in layout.boxes.items():
        boxes.add(box, node)
    found: set[tuple[int, NodeId]] = set()
    for number, route in enumerate(layout.routes):
        for segment in pairwise(polyline(route.bends, _PIECES)):
            for box, node in boxes.near(_area(segment)):
                if node not in (route.source, route.target) and _enters(segment, box):
                    found.add((number, node))
    return len(found)


def boxes_overlapping(layout: Layout) -> int:
    """How many pairs of boxes overlap."""
    return _overlaps(list(layout.boxes.values()))


def labels_overlapping(layout: Layout) -> int:
    """How many pairs of labels overlap, and labels with boxes."""
    labels = [route.label_box for route in layout.routes if route.label_box is not None] + [
        mark.box for mark in layout.entries
    ]
    return _overlaps([*labels, *layout.boxes.values()]) - boxes_overlapping(layout)


def _overlaps(areas: Sequence[Box]) -> int:
    grid: Grid[int] = Grid()
    found: set[tuple[int, int]] = set()
    for number, area in enumerate(areas):
        found.update((other, number) for _, other in grid.near(area))
        grid.add(area, number)
    return len(found)


def _area(segment: Segment) -> Box:
    (ax, ay), (bx, by) = segment
    return Box(min(ax, bx) - 0.01, min(ay, by) - 0.01, abs(ax - bx) + 0.02, abs(ay - by) + 0.02)


def _share(a: Route, b: Route) -> bool:
    return bool({a.source, a.target} & {b.source, b.target})


def _cross(a: Segment, b: Segment) -> bool:
    return _side(a, b[0]) * _side(a, b[1]) < 0 and _side(b, a[0]) * _side(b, a[1]) < 0


def _side(line: Segment, point: Point) -> float:
    (ax, ay), (bx, by) = line
    return (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)


def _enters(segment: Segment, box: Box) -> bool:
    inner = box.grown(-0.5)
    corners = [(x, y) for x in (inner.x, inner.right) for y in (inner.y, inner.bottom)]
    sides = [_side(segment, corner) for corner in corners]
    return min(sides) < 0 < max(sides) and inner.overlaps(_area(segment))
