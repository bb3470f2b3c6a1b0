"""A layout after a change: what has a place stays, new steps find one, and only the routes concerned are drawn anew."""

from collections.abc import Collection, Mapping

from stepflow_gui.flow.layout.figures import TextWidth, entry_mark, size_of
from stepflow_gui.flow.layout.free import Obstacles, free_route
from stepflow_gui.flow.layout.graph import Arc, FlowGraph, flow_graph
from stepflow_gui.flow.layout.grid import Grid
from stepflow_gui.flow.layout.labels import place_among
from stepflow_gui.flow.layout.shapes import Box, Layout, NodeId, NodeSize, Route
from stepflow_gui.flow.layout.whole import entry_keys, in_order, loop_route, route_of
from stepflow_gui.flow.model import Flow

_BELOW = 86.0
_BESIDE = 96.0
_APART = 24.0


def place_all(
    flow: Flow,
    sizes: Mapping[str, NodeSize],
    before: Layout,
    positions: Mapping[str, tuple[float, float]],
    width: TextWidth,
) -> Layout:
    """See `place_new` of the package."""
    graph = flow_graph(flow)
    boxes = _placed(graph, sizes, before, positions)
    kept, anew = [], []
    old = {(route.source, route.target): route for route in before.routes}
    obstacles = Obstacles(boxes)
    for arc in graph.arcs:
        route = old.get((arc.source, arc.target))
        same = route and _carried(route, arc, before.boxes, boxes, obstacles, width)
        if same:
            kept.append(same)
        else:
            anew.append(_drawn(arc, boxes, obstacles, width))
    routes = kept + place_among(anew, kept, boxes.values(), width)
    marks = [entry_mark(tuple(keys), node, boxes[node], width) for node, keys in entry_keys(flow).items()]
    return Layout(boxes, in_order(graph, routes), marks)


def move(layout: Layout, to: Mapping[NodeId, tuple[float, float]], width: TextWidth) -> Layout:
    """See `moved` of the package."""
    boxes = dict(layout.boxes)
    for node, (x, y) in to.items():
        if node in boxes:
            boxes[node] = boxes[node]._replace(x=x, y=y)
    obstacles = Obstacles(boxes)
    kept, anew = [], []
    for route in layout.routes:
        if route.source not in to and route.target not in to:
            kept.append(route)
            continue
        arc = Arc(route.source, route.target, route.moves)
        same = _carried(route, arc, layout.boxes, boxes, obstacles, width)
        if same:
            kept.append(same)
        else:
            anew.append(_drawn(arc, boxes, obstacles, width))
    placed = {(route.source, route.target): route for route in kept + place_among(anew, kept, boxes.values(), width)}
    marks = [
        entry_mark(mark.keys, mark.target, boxes[mark.target], width) if mark.target in to else mark
        for mark in layout.entries
    ]
    return Layout(boxes, [placed[route.source, route.target] for route in layout.routes], marks)


def _carried(
    route: Route,
    arc: Arc,
    before: Mapping[NodeId, Box],
    after: Mapping[NodeId, Box],
    obstacles: Obstacles,
    width: TextWidth,
) -> Route | None:
    """The route as it was, where both its ends stayed or moved alike and nothing stands in its way; else None."""
    source, target = after[arc.source], after[arc.target]
    source_before, target_before = before.get(arc.source), before.get(arc.target)
    if source_before is None or target_before is None:
        return None
    if route.kind == "loop":
        return loop_route(arc, source, width)
    dx, dy = source.x - source_before.x, source.y - source_before.y
    if (source, target) != (source_before.shifted(dx, dy), target_before.shifted(dx, dy)):
        return None
    drawn = route_of(arc, route.bends, back=route.back, width=width)
    if drawn.label != route.label:
        return None
    carried = route._replace(moves=arc.moves).shifted(dx, dy)
    return None if obstacles.hit(carried.bends, (arc.source, arc.target)) else carried


def _drawn(arc: Arc, boxes: Mapping[NodeId, Box], obstacles: Obstacles, width: TextWidth) -> Route:
    source, target = boxes[arc.source], boxes[arc.target]
    if arc.source == arc.target:
        return loop_route(arc, source, width)
    bends = free_route((arc.source, source), (arc.target, target), obstacles)
    return route_of(arc, bends, back=target.y < source.bottom, width=width)


def _placed(
    graph: FlowGraph,
    sizes: Mapping[str, NodeSize],
    before: Layout,
    positions: Mapping[str, tuple[float, float]],
) -> dict[NodeId, Box]:
    boxes: dict[NodeId, Box] = {}
    for node in graph.nodes:
        size = size_of(node, sizes)
        old = before.boxes.get(node)
        corner = positions.get(node.name) if node.kind == "step" else None
        if corner is not None:
            boxes[node] = Box(*corner, size.width, size.height)
        elif old is not None:
            boxes[node] = Box(old.x, old.y, size.width, size.height)
    taken: Grid[None] = Grid()
    for box in [*boxes.values(), *(route.label_box for route in before.routes)]:
        taken.add(box, None)
    floor = max((box.bottom for box in boxes.values()), default=0.0)
    left = min((box.x for box in boxes.values()), default=0.0)
    near: dict[NodeId, list[tuple[NodeId, bool]]] = {}
    for arc in graph.arcs:
        if arc.source != arc.target:
            near.setdefault(arc.target, []).append((arc.source, True))
            near.setdefault(arc.source, []).append((arc.target, False))
    missing = [node for node in graph.nodes if node not in boxes]
    while missing:
        node = next((one for one in missing if any(other in boxes for other, _ in near.get(one, ()))), missing[0])
        missing.remove(node)
        size = size_of(node, sizes)
        wish = _wish(size, boxes, near.get(node, ())) or Box(left, floor + _BELOW, size.width, size.height)
        boxes[node] = _nearest_free(wish, taken)
        taken.add(boxes[node], None)
    return {node: boxes[node] for node in graph.nodes}


def _wish(
    size: NodeSize, boxes: Mapping[NodeId, Box], near: Collection[tuple[NodeId, bool]]
) -> Box | None:  # fmt: skip
    """Below what leads here, else above what this leads to."""
    for other, leads_here in sorted(near, key=lambda one: not one[1]):
        box = boxes.get(other)
        if box:
            y = box.bottom + _BELOW if leads_here else box.y - _BELOW - size.height
            return Box(box.middle - size.width / 2, y, size.width, size.height)
    return None


def _nearest_free(wish: Box, taken: Grid[None]) -> Box:
    """The wish, or the free place nearest to it: to the right, to the left, further down."""
    for down in range(40):
        for aside in range(12):
            for way in (1, -1) if aside else (1,):
                box = wish.shifted(way * aside * (wish.width + _BESIDE) / 2, down * (wish.height + _BELOW) / 2)
                if not taken.any_near(box.grown(_APART)):
                    return box
    return wish
