"""One sub-flow laid out from top to bottom: boxes in layers, with channels for the routes between them."""

from collections.abc import Collection, Mapping, Sequence

from stepflow_gui.flow.layout.coordinates import x_of_cells
from stepflow_gui.flow.layout.dimensions import label_between
from stepflow_gui.flow.layout.graph import SubFlow
from stepflow_gui.flow.layout.layers import Chain, Layers
from stepflow_gui.flow.layout.order import order
from stepflow_gui.flow.layout.shapes import Bend, Box, NodeId, NodeSize
from stepflow_gui.flow.layout.sides import Sides, choose_sides, widen
from stepflow_gui.flow.layout.tracks import LanePoints, Tracks

_CHANNEL = 60.0  # between two layers, without labels
_ROW = 24.0  # for each row of labels in it
_ROWS = 3
_WIDER = 28.0  # what a channel between stages has more
_LANES_APART = 7.0  # of the edges led around all layers

Levels = tuple[list[float], list[float]]
"""The top and the bottom of each layer."""


class Layered:
    """The result: boxes by node and bends by number of the part's arc."""

    __slots__ = ("bends", "boxes")

    def __init__(self, boxes: dict[NodeId, Box], bends: dict[int, tuple[Bend, ...]]) -> None:
        self.boxes = boxes
        self.bends = bends


def lay_part(
    part: SubFlow,
    sizes: Mapping[NodeId, NodeSize],
    reach: Mapping[NodeId, tuple[float, float]],
    levels: Levels | None = None,
) -> Layered:
    """Lay out a sub-flow. `reach` is what a node needs beside its box on the left and on the right.

    `levels` are those that it shares with others.
    """
    layers = Layers(part)
    order(layers)
    size = [sizes[node] for node in layers.nodes]
    left, right = _extents(layers, size, reach)
    x = x_of_cells(layers, left, right)
    chains = [*layers.chains, *layers.far]
    sides = Sides()
    if any(chain.back for chain in chains):
        lanes = _lanes(layers, x, left, right)
        upward = {chain.arc: _ends(chain, lanes[chain.arc], x) for chain in chains if chain.back}
        sides = choose_sides(layers, x, size, upward)
        widen(chains, sides, size, left, right)
        x = x_of_cells(layers, left, right)
    x = [float(round(at)) for at in x]  # whole numbers, so that moving by whole numbers is exact
    tops, bottoms = levels or levels_of([part], sizes)
    boxes = {
        node: Box(x[cell] - size[cell].width / 2, tops[layers.rank[cell]], size[cell].width, size[cell].height)
        for cell, node in enumerate(layers.nodes)
    }
    tracks = Tracks(layers, list(boxes.values()), (tops, bottoms), sides)
    return Layered(boxes, tracks.bends(chains, _lanes(layers, x, left, right)))


def _extents(
    layers: Layers, size: Sequence[NodeSize], reach: Mapping[NodeId, tuple[float, float]]
) -> tuple[list[float], list[float]]:
    left, right = [0.0] * len(layers.rank), [0.0] * len(layers.rank)
    for cell, node in enumerate(layers.nodes):
        beside = reach.get(node, (0.0, 0.0))
        left[cell] = size[cell].width / 2 + beside[0]
        right[cell] = size[cell].width / 2 + beside[1]
    return left, right


def _lanes(layers: Layers, x: Sequence[float], left: Sequence[float], right: Sequence[float]) -> dict[int, LanePoints]:
    """By arc the layers it passes and the x where it does, downwards; too long arcs pass outside of all."""
    lanes: dict[int, LanePoints] = {
        chain.arc: [(x[cell], layers.rank[cell]) for cell in chain.cells[1:-1]] for chain in layers.chains
    }
    first = min((at - reach for at, reach in zip(x, left, strict=True)), default=0.0)
    last = max((at + reach for at, reach in zip(x, right, strict=True)), default=0.0)
    for chain in layers.far:
        upper, lower = chain.cells
        if (x[upper] + x[lower]) < (first + last):
            first -= _LANES_APART
            lane = first
        else:
            last += _LANES_APART
            lane = last
        lanes[chain.arc] = [(lane, rank) for rank in range(layers.rank[upper] + 1, layers.rank[lower])]
    return lanes


def _ends(chain: Chain, lane_points: LanePoints, x: Sequence[float]) -> tuple[float, float]:
    """Where an upward edge comes from its source's layer and where it goes to its target's."""
    return (
        lane_points[-1][0] if lane_points else x[chain.cells[0]],
        lane_points[0][0] if lane_points else x[chain.cells[-1]],
    )


def levels_of(parts: Sequence[SubFlow], sizes: Mapping[NodeId, NodeSize], wider: Collection[int] = ()) -> Levels:
    """The levels of sub-flows; a channel grows where steps have several labels to show in it, and below `wider`."""
    count = max((rank for part in parts for rank in part.rank.values()), default=-1) + 1
    height = [0.0] * count
    rows = [1] * count
    for part in parts:
        labels = dict.fromkeys(part.nodes, 0)
        for arc, back in zip(part.arcs, part.back, strict=True):
            labels[arc.target if back else arc.source] += bool(label_between(*arc))
        for node, rank in part.rank.items():
            height[rank] = max(height[rank], sizes[node].height)
            rows[rank] = max(rows[rank], min(labels[node], _ROWS))
    tops, bottoms, y = [], [], 0.0
    for rank, tall in enumerate(height):
        tops.append(y)
        bottoms.append(y + tall)
        y += tall + _CHANNEL + _ROW * rows[rank] + (_WIDER if rank in wider else 0.0)
    return tops, bottoms
