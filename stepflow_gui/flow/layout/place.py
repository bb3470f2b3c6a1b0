"""A flow drawn with its boxes at given places: what has none yet gets one, routes and signs follow from the boxes."""

from collections.abc import Mapping, Sequence

from stepflow_gui.flow.layout.arcs import MergedEdge, arcs_of, entry_keys
from stepflow_gui.flow.layout.dimensions import TextWidth, entry_mark
from stepflow_gui.flow.layout.new_nodes import place_boxes
from stepflow_gui.flow.layout.router import routes_of
from stepflow_gui.flow.layout.shapes import Box, Corners, Layout, NodeId, NodeSize
from stepflow_gui.flow.model import Flow


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
