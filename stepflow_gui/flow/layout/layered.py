"""The boxes of one sub-flow in layers, with channels for the routes between them: from top to bottom or left to right.

All is worked out from top to bottom; from left to right it is the same with both axes exchanged.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from stepflow_gui.flow.layout.coordinates import x_of_cells
from stepflow_gui.flow.layout.dimensions import full_label
from stepflow_gui.flow.layout.graph import SubFlow
from stepflow_gui.flow.layout.layers import Layers
from stepflow_gui.flow.layout.order import Rows, order, orders
from stepflow_gui.flow.layout.shapes import Box, NodeId, NodeSize

_CHANNEL = 40.0  # between two layers, without labels
_ACROSS = 68.0  # … of which edges run down to the side of the next box
_LANE = 6.0  # for each edge that doesn't go straight on
_LANES = 8
_ROW = 24.0  # for each row of labels in it
_ROWS = 3
_WORD = 14  # characters of a label that can be read on its pill
_WIDER = 28.0  # what a channel between stages has more
_ANCHOR = 40.0  # where the first port is: what stands straight below what, if boxes have ports
_BELOW = 18.0  # room for the edges that leave a box, where they run beside the boxes of its layer

Reach = Mapping[NodeId, tuple[float, float]]
"""What a node needs beside its box on the left and on the right."""
Levels = list[float]
"""The top of each layer."""


class OrderedPart(NamedTuple):
    """A sub-flow with its nodes in an order of few crossings."""

    part: SubFlow
    layers: Layers
    first: Rows  # the order that the search for better ones began with

    def others(self) -> list["OrderedPart"]:
        """The same in this and in other orders of few crossings."""
        return [self._replace(layers=self.layers.with_rows(rows)) for rows in orders(self.layers, self.first)]


def ordered(part: SubFlow) -> OrderedPart:
    """The sub-flow in layers with few crossings."""
    layers = Layers(part)
    first = layers.rows
    order(layers)
    return OrderedPart(part, layers, first)


def sized(size: NodeSize, *, across: bool) -> NodeSize:
    """The size in a layout from top to bottom; `across`: that is turned afterwards."""
    return NodeSize(size.height, size.width, size.ports) if across else size


def lay_part(
    ordered_part: OrderedPart, sizes: Mapping[NodeId, NodeSize], reach: Reach, levels: Levels, *, across: bool
) -> dict[NodeId, Box]:
    """The boxes of a sub-flow, from top to bottom."""
    layers = ordered_part.layers
    size = [sized(sizes[node], across=across) for node in layers.nodes]
    beside = {arc.source: (0.0, _BELOW) for arc in ordered_part.part.arcs} if across else reach
    left, right = _extents(layers, size, beside)
    x = [float(round(at)) for at in x_of_cells(layers, left, right)]  # whole numbers, so that moving by them is exact
    return {
        node: Box(x[cell] - _anchor(size[cell]), levels[layers.rank[cell]], size[cell].width, size[cell].height)
        for cell, node in enumerate(layers.nodes)
    }


def _anchor(size: NodeSize) -> float:
    return min(_ANCHOR, size.width / 2) if size.ports else size.width / 2


def _extents(layers: Layers, size: Sequence[NodeSize], reach: Reach) -> tuple[list[float], list[float]]:
    left, right = [0.0] * len(layers.rank), [0.0] * len(layers.rank)
    for cell, node in enumerate(layers.nodes):
        beside = reach.get(node, (0.0, 0.0))
        left[cell] = _anchor(size[cell]) + beside[0]
        right[cell] = size[cell].width - _anchor(size[cell]) + beside[1]
    return left, right


def levels_of(
    parts: Sequence[SubFlow],
    sizes: Mapping[NodeId, NodeSize],
    reach: Reach,
    wider: Collection[int] = (),
    *,
    across: bool = False,
) -> Levels:
    """The levels of sub-flows: a channel grows with the edges and labels to show in it, and below `wider`."""
    count = max((rank for part in parts for rank in part.rank.values()), default=-1) + 1
    height, before, after = [0.0] * count, [0.0] * count, [0.0] * count
    rows, leaving, arriving = [0] * count, [0] * (count + 1), [0] * (count + 1)
    for part in parts:
        labels = dict.fromkeys(part.nodes, 0)
        below, above = dict.fromkeys(part.nodes, 0), dict.fromkeys(part.nodes, 0)
        for arc, back in zip(part.arcs, part.back, strict=True):
            upper, lower = (arc.target, arc.source) if back else (arc.source, arc.target)
            labels[upper] += any(len(line) > _WORD for line in full_label(*arc[:3]))
            below[upper] += 1
            above[lower] += 1
        for node, rank in part.rank.items():
            height[rank] = max(height[rank], sized(sizes[node], across=across).height)
            rows[rank] = max(rows[rank], min(labels[node], _ROWS))
            leaving[rank] += max(below[node] - 1, 0)
            arriving[rank] += max(above[node] - 1, 0)
            if across:
                before[rank], after[rank] = (
                    max(before[rank], reach_of(reach, node)[0]),
                    max(after[rank], reach_of(reach, node)[1]),
                )
    tops, y = [], 0.0
    for rank, tall in enumerate(height):
        y += before[rank]
        tops.append(y)
        lanes = min(max(leaving[rank], arriving[rank + 1]), _LANES)
        y += tall + (_ACROSS if across else _CHANNEL + _ROW * rows[rank]) + _LANE * lanes + after[rank]
        y += _WIDER if rank in wider else 0.0
    return tops


def reach_of(reach: Reach, node: NodeId) -> tuple[float, float]:
    """What a node needs beside its box."""
    return reach.get(node, (0.0, 0.0))
