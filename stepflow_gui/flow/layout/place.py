"""A layout after a change: what has a place stays, and only the routes concerned are drawn again."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from stepflow_gui.flow.layout.arcs import MergedEdge, arcs_after, entry_keys
from stepflow_gui.flow.layout.dimensions import TextWidth, entry_mark, label_between
from stepflow_gui.flow.layout.free import Obstacles, RouteEnd, free_route, points_down
from stepflow_gui.flow.layout.labels import LABEL_REACH, place_among
from stepflow_gui.flow.layout.new_nodes import place_boxes
from stepflow_gui.flow.layout.shapes import Box, Layout, NodeId, NodeSize, Route
from stepflow_gui.flow.layout.whole import loop_route, route_of
from stepflow_gui.flow.model import Flow

Boxes = Mapping[NodeId, Box]

_LEAVE_APART = 28.0
_ENTER_APART = 20.0
_CORNER = 16.0
_BULGE = 80.0  # how far a line may swing beside the rectangle around its bends
_AROUND = 600.0  # how far beside the straight path obstacles are considered


def place_all(
    flow: Flow,
    sizes: Mapping[str, NodeSize],
    before: Layout,
    positions: Mapping[str, tuple[float, float]],
    width: TextWidth,
) -> Layout:
    """See `place_new` of the package."""
    nodes, arcs = arcs_after(flow, before)
    boxes = place_boxes(nodes, arcs, sizes, before, positions)
    changed = {node: box for node, box in boxes.items() if before.boxes.get(node) != box}
    old = {(route.source, route.target): (route, area) for route, area in zip(before.routes, before.areas, strict=True)}
    in_the_way = Obstacles(changed)
    view = _around_all(list(changed.values()), _BULGE) if changed else None
    routes: list[Route] = []
    missing: list[int] = []
    for number, arc in enumerate(arcs):
        route, area = old.get((arc.source, arc.target), (None, None))
        if route and route.moves == arc.moves and arc.source not in changed and arc.target not in changed:
            routes.append(route._replace(moves=arc.moves))
            near = view and area and route.kind != "loop" and area.overlaps(view)
            if near and in_the_way.hit(route.bends, (arc.source, arc.target)):
                missing.append(number)
        elif arc.source == arc.target:
            routes.append(loop_route(arc, boxes[arc.source], width))
        elif route and _stayed(route, before.boxes, boxes, changed):
            carried = _carried(route, arc, before.boxes, boxes)
            routes.append(carried)
            blocked = changed and in_the_way.hit(carried.bends, (arc.source, arc.target))
            if blocked or carried.label != route.label:
                missing.append(number)
        else:
            routes.append(route or _unled(arc))
            missing.append(number)
    marks = [entry_mark(tuple(keys), node, boxes[node], width) for node, keys in entry_keys(flow).items()]
    laid = Layout(boxes, routes, marks)
    return laid.rerouted(boxes, _new_routes(laid, missing, before.boxes, arcs, width), marks)


def move(layout: Layout, to: Mapping[NodeId, tuple[float, float]], width: TextWidth) -> Layout:
    """See `moved` of the package."""
    boxes = dict(layout.boxes)
    for node, (x, y) in to.items():
        if node in boxes:
            boxes[node] = boxes[node]._replace(x=x, y=y)
    arcs = [MergedEdge(route.source, route.target, route.moves) for route in layout.routes]
    concerned = [number for number, arc in enumerate(arcs) if arc.source in to or arc.target in to]
    changed_routes: dict[int, Route] = {}
    missing = []
    for number in concerned:
        arc, route = arcs[number], layout.routes[number]
        if arc.source == arc.target:
            changed_routes[number] = loop_route(arc, boxes[arc.source], width)
        elif arc.source in to and arc.target in to and _stayed(route, layout.boxes, boxes, to):
            changed_routes[number] = _carried(route, arc, layout.boxes, boxes)
        else:
            missing.append(number)
    marks = [
        entry_mark(mark.keys, mark.target, boxes[mark.target], width) if mark.target in to else mark
        for mark in layout.entries
    ]
    between = layout.rerouted(boxes, changed_routes, marks)
    return between.rerouted(boxes, _new_routes(between, missing, layout.boxes, arcs, width), marks)


def settle(layout: Layout, nodes: Collection[NodeId], width: TextWidth) -> Layout:
    """See `settled` of the package."""
    in_the_way = Obstacles({node: layout.boxes[node] for node in nodes if node in layout.boxes})
    blocked = [
        number
        for number, route in enumerate(layout.routes)
        if route.kind != "loop" and in_the_way.hit(route.bends, (route.source, route.target))
    ]
    arcs = [MergedEdge(route.source, route.target, route.moves) for route in layout.routes]
    return layout.rerouted(layout.boxes, _new_routes(layout, blocked, layout.boxes, arcs, width), layout.entries)


def _unled(arc: MergedEdge) -> Route:
    """A route that is still to be led."""
    nowhere = Box(0, 0, 0, 0)
    return Route(arc.source, arc.target, arc.moves, arc.target.kind, False, (), "", nowhere)


def _stayed(route: Route, before: Boxes, after: Boxes, changed: Mapping[NodeId, object]) -> bool:
    """Whether both boxes of a route stayed, or moved alike."""
    if route.source not in changed and route.target not in changed:
        return True
    if route.source not in before or route.target not in before:
        return False
    return _shift(route.source, before, after) == _shift(route.target, before, after) and all(
        before[node][2:] == after[node][2:] for node in (route.source, route.target)
    )


def _carried(route: Route, arc: MergedEdge, before: Boxes, after: Boxes) -> Route:
    route = route._replace(moves=arc.moves, label=label_between(*arc))
    dx, dy = _shift(route.source, before, after)
    return route.shifted(dx, dy) if dx or dy else route


def _shift(node: NodeId, before: Boxes, after: Boxes) -> tuple[float, float]:
    return (after[node].x - before[node].x, after[node].y - before[node].y)


def _new_routes(
    layout: Layout, missing: Sequence[int], before: Boxes, arcs: Sequence[MergedEdge], width: TextWidth
) -> dict[int, Route]:
    """The missing routes with their labels. Those of `layout` with the same number show their earlier paths."""
    if not missing:
        return {}
    boxes = layout.boxes
    ends = {node for number in missing for node in (arcs[number].source, arcs[number].target)}
    around = _around_all([boxes[node] for node in ends], _AROUND)
    obstacles = Obstacles({node: box for node, box in boxes.items() if box.overlaps(around)})
    skipped = set(missing)
    staying = [(number, route) for number, route in enumerate(layout.routes) if number not in skipped and route.bends]
    touched = _Touched(ends, (route for _, route in staying))
    carried_over = [
        _carried_route(arcs[number], layout.routes[number], before, boxes, (obstacles, touched), width)
        for number in missing
    ]
    near = [
        _around_all([Box(route.bends[0].x, route.bends[0].y, 0, 0), boxes[route.source]], LABEL_REACH)
        for route in carried_over
    ]
    view = _around_all(near, 0)
    others = [route for number, route in staying if layout.areas[number].overlaps(view)]
    solid = [box for box in boxes.values() if box.overlaps(view)]
    return dict(zip(missing, place_among(carried_over, others, solid, width), strict=True))


def _around_all(boxes: Sequence[Box], by: float) -> Box:
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Box(left, top, right - left, bottom - top).grown(by)


class _Touched:
    """Where routes touch the bottoms and tops of boxes, so that others touch them elsewhere."""

    def __init__(self, nodes: set[NodeId], routes: Iterable[Route]) -> None:
        self._taken: dict[tuple[NodeId, int], list[float]] = {}
        for route in routes:
            if route.source in nodes:
                self._taken.setdefault((route.source, 0), []).append(route.bends[0].x)
            if route.target in nodes:
                self._taken.setdefault((route.target, 1), []).append(route.bends[-1].x)

    def free(self, node: NodeId, which: int, box: Box, toward: float) -> float:
        """How far from the middle there is room, nearest first, on the side that the other end is at."""
        taken = self._taken.setdefault((node, which), [])
        apart = _ENTER_APART if which else _LEAVE_APART
        direction = 1 if toward > box.middle else -1
        for place in range(int(max(box.width / 2 - _CORNER, 0) // apart) + 1):
            for aside in (direction * place * apart, -direction * place * apart):
                if all(abs(box.middle + aside - x) > apart / 2 for x in taken):
                    taken.append(box.middle + aside)
                    return aside
        return 0.0


def _carried_route(
    arc: MergedEdge, old: Route, before: Boxes, boxes: Boxes, around: tuple[Obstacles, _Touched], width: TextWidth
) -> Route:
    obstacles, touched = around
    source, target = boxes[arc.source], boxes[arc.target]
    asides = _asides(old, before)
    if asides is None and points_down(source, target):
        asides = (
            touched.free(arc.source, 0, source, target.middle),
            touched.free(arc.target, 1, target, source.middle),
        )
    leave, enter = asides or (0.0, 0.0)
    bends = free_route(RouteEnd(arc.source, source, leave), RouteEnd(arc.target, target, enter), obstacles)
    return route_of(arc, bends, back=not points_down(source, target), width=width)


def _asides(old: Route, before: Boxes) -> tuple[float, float] | None:
    """How far from the middle a downward route touched its boxes."""
    if not old.bends or not old.bends[0].dy or not old.bends[-1].dy:
        return None
    if old.source not in before or old.target not in before:
        return None
    return (old.bends[0].x - before[old.source].middle, old.bends[-1].x - before[old.target].middle)
