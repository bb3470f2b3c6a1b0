"""The boxes of one sub-flow from top to bottom: in layers, with channels for the routes between them."""

from collections.abc import Collection, Mapping, Sequence

from stepflow_gui.flow.layout.coordinates import x_of_cells
from stepflow_gui.flow.layout.dimensions import full_label
from stepflow_gui.flow.layout.graph import SubFlow
from stepflow_gui.flow.layout.layers import Layers
from stepflow_gui.flow.layout.order import order
from stepflow_gui.flow.layout.shapes import Box, NodeId, NodeSize

_CHANNEL = 60.0  # between two layers, without labels
_ROW = 24.0  # for each row of labels in it
_ROWS = 3
_WIDER = 28.0  # what a channel between stages has more

Levels = tuple[list[float], list[float]]
"""The top and the bottom of each layer."""


def lay_part(
    part: SubFlow,
    sizes: Mapping[NodeId, NodeSize],
    reach: Mapping[NodeId, tuple[float, float]],
    levels: Levels | None = None,
) -> dict[NodeId, Box]:
    """The boxes of a sub-flow. `reach` is what a node needs beside its box on the left and on the right.

    `levels` are those that it shares with others.
    """
    layers = Layers(part)
    order(layers)
    size = [sizes[node] for node in layers.nodes]
    left, right = _extents(layers, size, reach)
    x = [float(round(at)) for at in x_of_cells(layers, left, right)]  # whole numbers, so that moving by them is exact
    tops, _bottoms = levels or levels_of([part], sizes)
    return {
        node: Box(x[cell] - size[cell].width / 2, tops[layers.rank[cell]], size[cell].width, size[cell].height)
        for cell, node in enumerate(layers.nodes)
    }


def _extents(
    layers: Layers, size: Sequence[NodeSize], reach: Mapping[NodeId, tuple[float, float]]
) -> tuple[list[float], list[float]]:
    left, right = [0.0] * len(layers.rank), [0.0] * len(layers.rank)
    for cell, node in enumerate(layers.nodes):
        beside = reach.get(node, (0.0, 0.0))
        left[cell] = size[cell].width / 2 + beside[0]
        right[cell] = size[cell].width / 2 + beside[1]
    return left, right


def levels_of(parts: Sequence[SubFlow], sizes: Mapping[NodeId, NodeSize], wider: Collection[int] = ()) -> Levels:
    """The levels of sub-flows; a channel grows where steps have several labels to show in it, and below `wider`."""
    count = max((rank for part in parts for rank in part.rank.values()), default=-1) + 1
    height = [0.0] * count
    rows = [1] * count
    for part in parts:
        labels = dict.fromkeys(part.nodes, 0)
        for arc, back in zip(part.arcs, part.back, strict=True):
            labels[arc.target if back else arc.source] += bool(full_label(*arc))
        for node, rank in part.rank.items():
            height[rank] = max(height[rank], sizes[node].height)
            rows[rank] = max(rows[rank], min(labels[node], _ROWS))
    tops, bottoms, y = [], [], 0.0
    for rank, tall in enumerate(height):
        tops.append(y)
        bottoms.append(y + tall)
        y += tall + _CHANNEL + _ROW * rows[rank] + (_WIDER if rank in wider else 0.0)
    return tops, bottoms
