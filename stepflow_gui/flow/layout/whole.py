"""A whole flow laid out: its sub-flows packed side by side, section steps apart."""

from collections.abc import Mapping, Sequence

from stepflow_gui.flow.layout.arcs import MergedEdge, entry_keys
from stepflow_gui.flow.layout.dimensions import (
    LABEL_PADDING,
    LOOP_REACH,
    TextWidth,
    chip,
    entry_label,
    entry_mark,
    entry_reach,
    label_between,
    loop,
    size_of,
)
from stepflow_gui.flow.layout.free import Obstacles, RouteEnd, free_route
from stepflow_gui.flow.layout.graph import FlowGraph, SubFlow, flow_graph
from stepflow_gui.flow.layout.labels import place_labels
from stepflow_gui.flow.layout.layered import Levels, lay_part, levels_of
from stepflow_gui.flow.layout.pack import beside, packed
from stepflow_gui.flow.layout.shapes import Bend, Box, EntryMark, Layout, NodeId, NodeSize, Route
from stepflow_gui.flow.model import Flow
from stepflow_gui.flow.stages import AFTER, stage_of, stages_of

_SECTIONS_APART = 24.0


def lay_out_whole(flow: Flow, sizes: Mapping[str, NodeSize], width: TextWidth) -> Layout:
    """Lay out everything again (see the package)."""
    graph = flow_graph(flow)
    size = {node: size_of(node, sizes) for node in graph.nodes}
    entries = entry_keys(flow)
    reach = _reach(graph, entries, width)
    loops = {arc.source: arc for arc in graph.arcs if arc.source == arc.target}
    stages = stages_of(flow)
    levels = levels_of(graph.parts, size, _rank_by_stages(graph.parts, stages)) if stages else None
    pieces = [_piece(part, size, reach, loops, entries, width, levels) for part in graph.parts]
    if graph.sections:
        pieces.append(_sections(graph.sections, size))
    boxes: dict[NodeId, Box] = {}
    routes: list[Route] = []
    marks: list[EntryMark] = []
    corners = [piece.bounds for piece in pieces]
    shifts = beside(corners, len(graph.parts)) if stages else packed(corners)
    for piece, (dx, dy) in zip(pieces, shifts, strict=True):
        boxes.update((node, box.shifted(dx, dy)) for node, box in piece.boxes.items())
        routes.extend(route.shifted(dx, dy) for route in piece.routes)
        marks.extend(mark.shifted(dx, dy) for mark in piece.entries)
    routes += _loose_routes(graph, boxes, {(route.source, route.target) for route in routes}, width)
    marks += [
        entry_mark(tuple(keys), node, boxes[node], width) for node, keys in entries.items() if node in graph.sections
    ]
    ordered = {node: boxes[node] for node in graph.nodes}
    return Layout(ordered, in_order(graph, routes), marks)


def route_of(arc: MergedEdge, bends: tuple[Bend, ...], *, back: bool, width: TextWidth) -> Route:
    """A route that isn't a loop, its label not placed yet."""
    label = label_between(*arc)
    start = bends[0]
    return Route(
        arc.source, arc.target, arc.moves, arc.target.kind, back, bends, label, chip(start.x, start.y, label, width)
    )  # fmt: skip


def loop_route(arc: MergedEdge, box: Box, width: TextWidth) -> Route:
    """The route of a step to itself."""
    label = label_between(*arc)
    bends, label_box = loop(box, label, width)
    return Route(arc.source, arc.target, arc.moves, "loop", False, bends, label, label_box)


def in_order(graph: FlowGraph, routes: list[Route]) -> list[Route]:
    """The routes in the order of the file."""
    by_ends = {(route.source, route.target): route for route in routes}
    return [by_ends[arc.source, arc.target] for arc in graph.arcs]


def _reach(
    graph: FlowGraph, entries: Mapping[NodeId, list[str | None]], width: TextWidth
) -> dict[NodeId, tuple[float, float]]:
    """What nodes need beside their box: entry marks on the left, loops on the right."""
    left = {node: entry_reach(entry_label(keys), width) for node, keys in entries.items()}
    right = {
        arc.source: LOOP_REACH + 2 * LABEL_PADDING + 2 + width(label_between(*arc))
        for arc in graph.arcs
        if arc.source == arc.target
    }
    return {node: (left.get(node, 0.0), right.get(node, 0.0)) for node in {**left, **right}}


def _piece(
    part: SubFlow,
    size: Mapping[NodeId, NodeSize],
    reach: Mapping[NodeId, tuple[float, float]],
    loops: Mapping[NodeId, MergedEdge],
    entries: Mapping[NodeId, list[str | None]],
    width: TextWidth,
    levels: Levels | None,
) -> Layout:
    laid = lay_part(part, size, reach, levels)
    routes = [
        route_of(part.arcs[number], bends, back=part.back[number], width=width) for number, bends in laid.bends.items()
    ]
    routes += [loop_route(loops[node], laid.boxes[node], width) for node in part.nodes if node in loops]
    marks = [
        entry_mark(tuple(keys), node, laid.boxes[node], width) for node, keys in entries.items() if node in laid.boxes
    ]
    return Layout(laid.boxes, place_labels(routes, laid.boxes, width), marks)


def _sections(sections: list[NodeId], size: Mapping[NodeId, NodeSize]) -> Layout:
    """The section steps, in columns of their own."""
    rows = max(round((len(sections) * 1.5) ** 0.5), 2)
    boxes = {}
    x = y = across = 0.0
    for number, node in enumerate(sections):
        here = size[node]
        if number and number % rows == 0:
            x, y, across = x + across + _SECTIONS_APART, 0.0, 0.0
        boxes[node] = Box(x, y, here.width, here.height)
        y += here.height + _SECTIONS_APART
        across = max(across, here.width)
    return Layout(boxes, [], [])


def _loose_routes(
    graph: FlowGraph, boxes: Mapping[NodeId, Box], done: set[tuple[NodeId, NodeId]], width: TextWidth
) -> list[Route]:
    """The routes that no sub-flow has: from and to section steps, and those too long for the layers."""
    missing = [arc for arc in graph.arcs if (arc.source, arc.target) not in done]
    if not missing:
        return []
    obstacles = Obstacles(boxes)
    routes = []
    for arc in missing:
        source, target = boxes[arc.source], boxes[arc.target]
        if arc.source == arc.target:
            routes.append(loop_route(arc, source, width))
        else:
            bends = free_route(RouteEnd(arc.source, source), RouteEnd(arc.target, target), obstacles)
            routes.append(route_of(arc, bends, back=target.y < source.bottom, width=width))
    return place_labels(routes, boxes, width)


def _rank_by_stages(parts: Sequence[SubFlow], stages: Mapping[str, int]) -> list[int]:
    """Give the nodes of all sub-flows new layers. The result are the last layers of the stages."""
    within = [_within(part, stages) for part in parts]
    deepest = [-1] * (AFTER + 1)
    for part, local in zip(parts, within, strict=True):
        for node in part.nodes:
            stage = stage_of(node, stages)
            deepest[stage] = max(deepest[stage], local[node])
    first = [sum(depth + 1 for depth in deepest[:stage]) for stage in range(AFTER + 1)]
    for part, local in zip(parts, within, strict=True):
        part.rank = {node: first[stage_of(node, stages)] + local[node] for node in part.nodes}
    return [below - 1 for below in first[1:] if below]


def _within(part: SubFlow, stages: Mapping[str, int]) -> dict[NodeId, int]:
    """The layer of each node inside its stage; arcs to an earlier stage go back from now on, all others don't."""
    arriving: dict[NodeId, list[NodeId]] = {}
    for number, arc in enumerate(part.arcs):
        source, target = stage_of(arc.source, stages), stage_of(arc.target, stages)
        if source != target:
            part.back[number] = source > target
        else:
            upper, lower = (arc.target, arc.source) if part.back[number] else (arc.source, arc.target)
            arriving.setdefault(lower, []).append(upper)
    local: dict[NodeId, int] = {}
    for node in sorted(part.nodes, key=part.rank.__getitem__):  # sources above a node come before it
        local[node] = max((local[upper] + 1 for upper in arriving.get(node, ())), default=0)
    return local
