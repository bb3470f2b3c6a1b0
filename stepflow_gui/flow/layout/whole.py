"""The boxes of a whole flow laid out: its sub-flows packed side by side, section steps apart."""

from collections.abc import Mapping, Sequence

from stepflow_gui.flow.layout.arcs import MergedEdge, entry_keys
from stepflow_gui.flow.layout.columns import LOOKED_AT, Boxes, Crossed, area_of, arranged, rated, zoom_of
from stepflow_gui.flow.layout.dimensions import (
    LOOP_REACH,
    TextWidth,
    entry_label,
    entry_reach,
    full_label,
    label_lines,
    label_size,
    size_of,
)
from stepflow_gui.flow.layout.graph import FlowGraph, SubFlow, flow_graph
from stepflow_gui.flow.layout.grid import Grid
from stepflow_gui.flow.layout.layered import Reach, lay_part, levels_of, ordered
from stepflow_gui.flow.layout.pack import beside, shelved
from stepflow_gui.flow.layout.shapes import Box, Direction, NodeId, NodeSize
from stepflow_gui.flow.model import Flow
from stepflow_gui.flow.stages import AFTER, stage_of, stages_of

_SECTIONS_APART = 24.0
_READABLE = 0.45  # the zoom at which a flow in stages may be seen at once
_SHELVES = 3  # at most, on which its sub-flows stand
_BESIDE_BANDS = 150.0  # pixels that a band has beside its boxes


def boxes_of(
    flow: Flow,
    sizes: Mapping[str, NodeSize],
    width: TextWidth,
    crossed: Crossed,
    *,
    loops: bool,
    direction: Direction = "auto",
) -> dict[NodeId, Box]:
    """The boxes of all nodes in a new layout. A flow in stages goes from top to bottom, whatever is wanted.

    `crossed` counts the crossings of edges between boxes, see `columns`.
    """
    graph = flow_graph(flow)
    size = {node: size_of(node, sizes) for node in graph.nodes}
    reach = _reach(graph, entry_keys(flow), width, loops=loops)
    stages = stages_of(flow)
    apart = [_sections(graph.sections, size)] if graph.sections else []

    def crossed_below_ports(boxes: Boxes) -> int:
        return crossed(_finished(graph, boxes, sizes))

    if stages:
        boxes = _staged(_Stages(graph.parts, stages), size, reach, apart, crossed_below_ports)
    else:
        parts = [ordered(part) for part in graph.parts]
        boxes = arranged(parts, size, reach, apart, direction, crossed_below_ports)
    return _finished(graph, boxes, sizes)


def _staged(
    stages: "_Stages", size: Mapping[NodeId, NodeSize], reach: Reach, apart: Sequence[Boxes], crossed: Crossed
) -> Boxes:
    """The boxes in bands of stages. Sub-flows that are too wide side by side stand on shelves, all in each band."""
    edges = sum(len(part.arcs) for part in stages.parts)
    shelves = [0] * len(stages.parts)
    best: tuple[float, Boxes] = (0.0, {})
    for count in range(1, _SHELVES + 1):
        wider = stages.rank(shelves)
        levels = levels_of(stages.parts, size, reach, wider)
        pieces = [lay_part(ordered(part), size, reach, levels, across=False) for part in stages.parts]
        boxes = _side_by_side(pieces, shelves, apart, reach)
        around = area_of(boxes, reach)
        zoom = zoom_of(around._replace(width=around.width + 2 * _BESIDE_BANDS))
        if count == 1 and (zoom >= _READABLE or edges > LOOKED_AT):
            return boxes
        rating = rated(zoom, crossed(boxes), edges)
        if rating > best[0]:
            best = (rating, boxes)
        shelves = shelved([area_of(piece, reach).width for piece in pieces], count + 1)
    return best[1]


def _finished(graph: FlowGraph, boxes: Boxes, sizes: Mapping[str, NodeSize]) -> Boxes:
    return {node: boxes[node] for node in graph.nodes} | _below_ports(graph, boxes, sizes)


def _below_ports(graph: FlowGraph, boxes: Mapping[NodeId, Box], sizes: Mapping[str, NodeSize]) -> dict[NodeId, Box]:
    """The ends and ghosts that only one edge from above goes to, straight below the port that it comes from."""
    coming: dict[NodeId, list[MergedEdge]] = {}
    for arc in graph.arcs:
        if arc.target.kind != "step":
            coming.setdefault(arc.target, []).append(arc)
    others: Grid[NodeId] = Grid()
    for node, box in boxes.items():
        others.add(box.grown(_SECTIONS_APART), node)
    found: dict[NodeId, Box] = {}
    for node, arcs in coming.items():
        source, box = arcs[0].source, boxes[node]
        port = sizes[source.name].port(arcs[0].moves[0].intent) if source.name in sizes else None
        if len(arcs) == 1 and port is not None and boxes[source].bottom < box.y:
            there = box._replace(x=round(boxes[source].x + port - box.width / 2))
            if all(other == node for _box, other in others.near(there)):
                found[node] = there
    return found


def _side_by_side(pieces: Sequence[Boxes], shelves: Sequence[int], apart: Sequence[Boxes], reach: Reach) -> Boxes:
    """The boxes of pieces, those of each shelf in a row, above others."""
    together = [*pieces, *apart]
    boxes: Boxes = {}
    shifts = beside([area_of(piece, reach) for piece in together], shelves)
    for piece, (dx, dy) in zip(together, shifts, strict=True):
        boxes.update((node, box.shifted(dx, dy)) for node, box in piece.items())
    return boxes


def _reach(
    graph: FlowGraph, entries: Mapping[NodeId, list[str | None]], width: TextWidth, *, loops: bool
) -> dict[NodeId, tuple[float, float]]:
    """What nodes need beside their box: entry marks on the left, loops on the right."""
    left = {node: entry_reach(entry_label(keys), width) for node, keys in entries.items()}
    right = {
        arc.source: LOOP_REACH + 2 + label_size(label_lines(full_label(*arc[:3]), width), width)[0]
        for arc in graph.arcs
        if loops and arc.source == arc.target
    }
    return {node: (left.get(node, 0.0), right.get(node, 0.0)) for node in {**left, **right}}


def _sections(sections: list[NodeId], size: Mapping[NodeId, NodeSize]) -> dict[NodeId, Box]:
    """The section steps, in columns of their own."""
    rows = max(round((len(sections) * 1.5) ** 0.5), 2)
    boxes: dict[NodeId, Box] = {}
    x = y = across = 0.0
    for number, node in enumerate(sections):
        here = size[node]
        if number and number % rows == 0:
            x, y, across = x + across + _SECTIONS_APART, 0.0, 0.0
        boxes[node] = Box(x, y, here.width, here.height)
        y += here.height + _SECTIONS_APART
        across = max(across, here.width)
    return boxes


class _Stages:
    """The layers of sub-flows whose steps are in stages: those of a stage come below all of the one before."""

    def __init__(self, parts: Sequence[SubFlow], stages: Mapping[str, int]) -> None:
        self.parts = parts
        self._stages = stages
        self._within = [_within(part, stages) for part in parts]

    def rank(self, shelves: Sequence[int]) -> list[int]:
        """Give the nodes new layers: in each stage those of the first shelf come before those of the next.

        The result are the last layers of the stages.
        """
        deepest: dict[tuple[int, int], int] = {}  # by stage and shelf
        for part, local, shelf in zip(self.parts, self._within, shelves, strict=True):
            for node in part.nodes:
                place = (stage_of(node, self._stages), shelf)
                deepest[place] = max(deepest.get(place, 0), local[node] + 1)
        first: dict[tuple[int, int], int] = {}
        below: dict[int, int] = {}  # the layers down to the end of each stage
        depth = 0
        for place, layers in sorted(deepest.items()):
            first[place] = depth
            depth += layers
            below[place[0]] = depth
        for part, local, shelf in zip(self.parts, self._within, shelves, strict=True):
            part.rank = {node: first[stage_of(node, self._stages), shelf] + local[node] for node in part.nodes}
        return [depth - 1 for stage, depth in below.items() if stage < AFTER]


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
