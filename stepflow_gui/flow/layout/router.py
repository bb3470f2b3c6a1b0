"""The routes of a flow: a pure function of its merged edges and of the boxes.

In three steps, each on what the one before it gave: the way of each edge around the boxes (`paths`), lanes where
several take one channel (`lanes`), then the labels in the order of the file (`labels`).
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from stepflow_gui.flow.layout.arcs import MergedEdge, arcs_of, entry_keys
from stepflow_gui.flow.layout.dimensions import TextWidth, entry_mark, full_label, label_lines, loop
from stepflow_gui.flow.layout.labels import with_labels
from stepflow_gui.flow.layout.lanes import in_lanes
from stepflow_gui.flow.layout.new_nodes import place_boxes
from stepflow_gui.flow.layout.paths import CORNER, Obstacles, Walls, path_between
from stepflow_gui.flow.layout.shapes import Bend, Box, Corners, EntryMark, Layout, NodeId, NodeSize, Route
from stepflow_gui.flow.layout.streets import Point
from stepflow_gui.flow.model import Flow

_SIGN = 10.0  # that lines keep from the words of an entry
_MANY = 500  # edges; of more it takes long, and crossings can’t be told apart any more
_ROUND = 10.0  # the radius of a corner
_APART = 24.0  # between edges that leave a box without ports


def routes_of(
    arcs: Sequence[MergedEdge],
    boxes: Mapping[NodeId, Box],
    sizes: Mapping[str, NodeSize],
    marks: Sequence[EntryMark],
    width: TextWidth,
) -> list[Route]:
    """The routes of all edges, in their order. `sizes` have the ports of the steps; `marks` are kept clear of."""
    loops = {number: _loop_route(arc, boxes[arc.source], width) for number, arc in enumerate(arcs) if _is_loop(arc)}
    signs = [_sign(mark, boxes[mark.target]) for mark in marks] + [route.area for route in loops.values()]
    obstacles = Obstacles(dict(boxes), signs)
    led = [(number, arc) for number, arc in enumerate(arcs) if number not in loops]
    ports = _ports(led, boxes, sizes)
    ends = [(boxes[arc.source], boxes[arc.target], ports[number]) for number, arc in led]
    paths = in_lanes(_paths(ends, obstacles), [target for _source, target, _port in ends], obstacles)
    found = dict(loops)
    for (number, arc), path in zip(led, paths, strict=True):
        found[number] = _route(arc, path, boxes, width)
    routes = [found[number] for number in range(len(arcs))]
    solid = [*boxes.values(), *(mark.box for mark in marks)]
    return with_labels(routes, solid, width)


def _paths(ends: Sequence[tuple[Box, Box, float]], obstacles: Obstacles) -> list[list[Point]]:
    """The ways of all edges: each by itself, then those that cross others once more, so that they cross fewer."""
    walls = Walls()
    paths = [path_between(source, target, port, obstacles, walls) for source, target, port in ends]
    if len(ends) > _MANY:
        return paths
    for path, (_source, target, _port) in zip(paths, ends, strict=True):
        walls.add(path, target)
    for number, (source, target, port) in enumerate(ends):
        if walls.cross(paths[number], target):
            walls.remove(paths[number], target)
            paths[number] = path_between(source, target, port, obstacles, walls)
            walls.add(paths[number], target)
    return paths


def _is_loop(arc: MergedEdge) -> bool:
    return arc.source == arc.target


def _sign(mark: EntryMark, box: Box) -> Box:
    """What an entry's sign takes beside its step."""
    return Box(mark.box.x - _SIGN, mark.box.y - 6, box.x - mark.box.x + _SIGN, mark.box.height + 12)


def _ports(
    arcs: Sequence[tuple[int, MergedEdge]], boxes: Mapping[NodeId, Box], sizes: Mapping[str, NodeSize]
) -> dict[int, float]:
    """Where each edge leaves: below the intent of its first move, else beside the others by where they go."""
    ports: dict[int, float] = {}
    loose: dict[NodeId, list[tuple[float, int]]] = {}
    for number, arc in arcs:
        box = boxes[arc.source]
        port = sizes[arc.source.name].port(arc.moves[0].intent) if arc.source.name in sizes else None
        if port is None:
            loose.setdefault(arc.source, []).append((boxes[arc.target].middle, number))
        else:
            ports[number] = box.x + port
    for node, ends in loose.items():
        box = boxes[node]
        apart = min(_APART, (box.width - 2 * CORNER) / max(len(ends) - 1, 1))
        for place, (_middle, number) in enumerate(sorted(ends)):
            ports[number] = box.middle + (place - (len(ends) - 1) / 2) * apart
    return ports


def _route(arc: MergedEdge, path: Sequence[Point], boxes: Mapping[NodeId, Box], width: TextWidth) -> Route:
    back = boxes[arc.target].y < boxes[arc.source].y
    full = full_label(*arc)
    return Route(
        *(arc.source, arc.target, arc.moves, arc.target.kind, back, _bends(path)),
        *("\n".join(full), label_lines(full, width), None),
    )  # fmt: skip


def _loop_route(arc: MergedEdge, box: Box, width: TextWidth) -> Route:
    full = full_label(*arc)
    lines = label_lines(full, width)
    bends, label_box = loop(box, lines, width)
    return Route(arc.source, arc.target, arc.moves, "loop", False, bends, "\n".join(full), lines, label_box)


def _bends(path: Sequence[Point]) -> tuple[Bend, ...]:
    """The bends of a path with round corners."""
    headings = [_heading(a, b) for a, b in pairwise(path)]
    bends = [Bend(*path[0], *headings[0])]
    for at in range(1, len(path) - 1):
        x, y = path[at]
        (in_x, in_y), (out_x, out_y) = headings[at - 1], headings[at]
        before, after = _length(path[at - 1], path[at]), _length(path[at], path[at + 1])
        radius = min(_ROUND, before / 2, after / 2)
        bends.append(Bend(x - in_x * radius, y - in_y * radius, in_x, in_y))
        bends.append(Bend(x + out_x * radius, y + out_y * radius, out_x, out_y))
    bends.append(Bend(*path[-1], *headings[-1]))
    return tuple(dict.fromkeys(bends))


def _heading(a: Point, b: Point) -> tuple[int, int]:
    if a[0] == b[0]:
        return (0, 1 if b[1] >= a[1] else -1)
    return (1 if b[0] > a[0] else -1, 0)


def _length(a: Point, b: Point) -> float:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def place_all(flow: Flow, sizes: Mapping[str, NodeSize], corners: Corners, width: TextWidth, *, loops: bool) -> Layout:
    """See `draw` of the package."""
    nodes, arcs = arcs_of(flow, [node for node in corners if node.kind == "end"])
    return _drawn(flow, sizes, place_boxes(nodes, arcs, sizes, corners), arcs if loops else _without_loops(arcs), width)


def draw_boxes(
    flow: Flow, sizes: Mapping[str, NodeSize], boxes: dict[NodeId, Box], width: TextWidth, *, loops: bool
) -> Layout:
    """The layout of a flow all of whose boxes are known."""
    _nodes, arcs = arcs_of(flow, [node for node in boxes if node.kind == "end"])
    return _drawn(flow, sizes, boxes, arcs if loops else _without_loops(arcs), width)


def _without_loops(arcs: Sequence[MergedEdge]) -> list[MergedEdge]:
    return [arc for arc in arcs if arc.source != arc.target]


def _drawn(
    flow: Flow,
    sizes: Mapping[str, NodeSize],
    boxes: dict[NodeId, Box],
    arcs: Sequence[MergedEdge],
    width: TextWidth,
) -> Layout:
    marks = [entry_mark(tuple(keys), node, boxes[node], width) for node, keys in entry_keys(flow).items()]
    return Layout(boxes, routes_of(arcs, boxes, sizes, marks, width), marks)
