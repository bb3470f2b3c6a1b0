"""One sub-flow laid out from top to bottom: boxes in layers, routes through the channels between them."""

from collections.abc import Mapping, Sequence

from stepflow_gui.flow.layout.coordinates import x_of_cells
from stepflow_gui.flow.layout.figures import LABEL_PADDING, LANE_FIRST, LANE_NEXT, TextWidth, label_of
from stepflow_gui.flow.layout.graph import Part
from stepflow_gui.flow.layout.layers import Chain, Layers
from stepflow_gui.flow.layout.order import order
from stepflow_gui.flow.layout.shapes import Bend, Box, NodeId, NodeSize

_CHANNEL = 60.0  # between two layers, for one row of labels: plus a row
_ROW = 24.0
_LEAVE_APART = 56.0  # so that short labels fit side by side
_ENTER_APART = 20.0
_PORT_MARGIN = 22.0  # of the first port from the box's corner


class Layered:
    """The result: boxes by node and bends by number of the part's arc (those too long to lay are missing)."""

    __slots__ = ("bends", "boxes")

    def __init__(self, boxes: dict[NodeId, Box], bends: dict[int, tuple[Bend, ...]]) -> None:
        self.boxes = boxes
        self.bends = bends


class _Sides:
    """Which side the upward edges leave and enter at, and their lane there (0 is next to the box)."""

    __slots__ = ("arriving", "leaving")

    def __init__(self) -> None:
        self.leaving: dict[int, tuple[int, int]] = {}  # by arc: side (-1 left, 1 right), lane
        self.arriving: dict[int, tuple[int, int]] = {}


def lay_part(
    part: Part,
    sizes: Mapping[NodeId, NodeSize],
    reach: Mapping[NodeId, tuple[float, float]],
    width: TextWidth,
) -> Layered:
    """Lay out a sub-flow. `reach` is what a node needs beside its box on the left and on the right."""
    layers = Layers(part)
    order(layers)
    left, right = _extents(layers, sizes, reach)
    sides = _Sides()
    if any(chain.back for chain in layers.chains):
        sides = _sides(layers, x_of_cells(layers, left, right))
        _widen(layers, sides, sizes, left, right)
    x = x_of_cells(layers, left, right)
    tops, bottoms = _heights(layers, part, sizes, width)
    boxes = {}
    for cell, node in enumerate(layers.nodes):
        size = sizes[node]
        boxes[node] = Box(x[cell] - size.width / 2, tops[layers.rank[cell]], size.width, size.height)
    return Layered(boxes, _Tracks(layers, part, sizes, x, (tops, bottoms), sides).bends(boxes))


def _extents(
    layers: Layers, sizes: Mapping[NodeId, NodeSize], reach: Mapping[NodeId, tuple[float, float]]
) -> tuple[list[float], list[float]]:
    left, right = [0.0] * len(layers.rank), [0.0] * len(layers.rank)
    for cell, node in enumerate(layers.nodes):
        beside = reach.get(node, (0.0, 0.0))
        left[cell] = sizes[node].width / 2 + beside[0]
        right[cell] = sizes[node].width / 2 + beside[1]
    return left, right


def _sides(layers: Layers, x: list[float]) -> _Sides:
    """For each end of an upward edge the side with fewer edges to cross; the left one when in doubt."""
    sides = _Sides()
    wishes: dict[tuple[int, int, bool], list[tuple[float, int]]] = {}
    for chain in layers.chains:
        if not chain.back:
            continue
        upper, lower = chain.cells[0], chain.cells[-1]
        after, before = chain.cells[1], chain.cells[-2]
        others = [x[cell] for cell in layers.up[lower] if cell != before]
        side = _side(x[before], x[lower], others)
        wishes.setdefault((lower, side, True), []).append((side * x[before], chain.arc))
        others = [x[cell] for cell in layers.down[upper] if cell != after]
        side = _side(x[after], x[upper], others)
        wishes.setdefault((upper, side, False), []).append((side * x[after], chain.arc))
    for (_cell, side, leaving), arcs in wishes.items():
        into = sides.leaving if leaving else sides.arriving
        for lane, (_x, arc) in enumerate(sorted(arcs)):
            into[arc] = (side, lane)
    return sides


def _side(toward: float, own: float, others: Sequence[float]) -> int:
    to_cross_left = sum(other < toward for other in others)
    to_cross_right = sum(other > toward for other in others)
    if to_cross_left != to_cross_right:
        return -1 if to_cross_left < to_cross_right else 1
    return 1 if toward > own + 1 else -1


def _widen(
    layers: Layers, sides: _Sides, sizes: Mapping[NodeId, NodeSize], left: list[float], right: list[float]
) -> None:
    for chain in layers.chains:
        if not chain.back:
            continue
        for cell, (side, lane) in (
            (chain.cells[-1], sides.leaving[chain.arc]),
            (chain.cells[0], sides.arriving[chain.arc]),
        ):
            into = left if side < 0 else right
            needed = sizes[layers.nodes[cell]].width / 2 + LANE_FIRST + LANE_NEXT * lane
            into[cell] = max(into[cell], needed)


def _heights(
    layers: Layers, part: Part, sizes: Mapping[NodeId, NodeSize], width: TextWidth
) -> tuple[list[float], list[float]]:
    """The top and the bottom of each layer; a channel grows where a step has more labels than fit side by side."""
    height = [0.0] * len(layers.rows)
    rows = [1] * len(layers.rows)
    for cell, node in enumerate(layers.nodes):
        height[layers.rank[cell]] = max(height[layers.rank[cell]], sizes[node].height)
    labels: dict[int, list[float]] = {}
    for chain in layers.chains:
        start = chain.cells[0]
        labels.setdefault(start, []).append(width(label_of(part.arcs[chain.arc].moves)) + 2 * LABEL_PADDING)
    for cell, widths in labels.items():
        rank = layers.rank[cell]
        rows[rank] = max(rows[rank], min(len(widths), 3))
    tops, bottoms, y = [], [], 0.0
    for rank, tall in enumerate(height):
        tops.append(y)
        bottoms.append(y + tall)
        y += tall + _CHANNEL + _ROW * rows[rank]
    return tops, bottoms


class _Tracks:
    """Turns the chains of cells into bends."""

    def __init__(
        self,
        layers: Layers,
        part: Part,
        sizes: Mapping[NodeId, NodeSize],
        x: list[float],
        heights: tuple[list[float], list[float]],
        sides: _Sides,
    ) -> None:
        self.layers = layers
        self.part = part
        self.sizes = sizes
        self.x = x
        self.tops, self.bottoms = heights
        self.sides = sides
        self.leave_x: dict[int, float] = {}
        self.enter_x: dict[int, float] = {}

    def bends(self, boxes: Mapping[NodeId, Box]) -> dict[int, tuple[Bend, ...]]:
        """The bends of each arc."""
        self._spread()
        found = {}
        for chain in self.layers.chains:
            upper = boxes[self.layers.nodes[chain.cells[0]]]
            lower = boxes[self.layers.nodes[chain.cells[-1]]]
            found[chain.arc] = self._upward(chain, upper, lower) if chain.back else self._downward(chain, upper, lower)
        return found

    def _spread(self) -> None:
        """Where the downward edges leave a box's bottom and enter its top: side by side, in the order of their ways."""
        below: dict[int, list[tuple[float, int, bool]]] = {}
        above: dict[int, list[tuple[float, int, bool]]] = {}
        for chain in self.layers.chains:
            if chain.back:
                continue
            upper, lower = chain.cells[0], chain.cells[-1]
            after, before = chain.cells[1], chain.cells[-2]
            below.setdefault(upper, []).append((self.x[after], chain.arc, self.layers.is_dummy(after)))
            above.setdefault(lower, []).append((self.x[before], chain.arc, self.layers.is_dummy(before)))
        for cell, ends in below.items():
            ports = self.sizes[self.layers.nodes[cell]].ports
            found = self._ports(cell, sorted(ends), _LEAVE_APART)
            for arc, x in found.items():
                intent = self.part.arcs[arc].moves[0].intent
                left = self.x[cell] - self.sizes[self.layers.nodes[cell]].width / 2
                self.leave_x[arc] = left + ports[intent] if intent in ports else x
        for cell, ends in above.items():
            self.enter_x.update(self._ports(cell, sorted(ends), _ENTER_APART))

    def _ports(self, cell: int, ends: list[tuple[float, int, bool]], apart: float) -> dict[int, float]:
        """Ports at one side of a box: straight on where the edge comes straight, the others around it in order."""
        own = self.x[cell]
        size = self.sizes[self.layers.nodes[cell]]
        room = max(size.width / 2 - _PORT_MARGIN, 0.0)
        apart = min(apart, 2 * room / max(len(ends) - 1, 1))
        middle = next((index for index, (x, _, _) in enumerate(ends) if abs(x - own) < 1), None)
        center = (len(ends) - 1) / 2 if middle is None else middle
        places = []
        for index, (x, _arc, dummy) in enumerate(ends):
            wish = x if dummy and abs(x - own) <= room else own + (index - center) * apart
            places.append(min(max(wish, own - room), own + room))
        for index in range(1, len(places)):  # keep the order and the distance
            places[index] = max(places[index], places[index - 1] + min(apart, 12))
        over = max(places[-1] - own - room, 0.0)
        return {arc: x - over for (_, arc, _), x in zip(ends, places, strict=True)}

    def _downward(self, chain: Chain, upper: Box, lower: Box) -> tuple[Bend, ...]:
        first, last = self.layers.rank[chain.cells[0]], self.layers.rank[chain.cells[-1]]
        start, end = self.leave_x[chain.arc], self.enter_x[chain.arc]
        bends = [Bend(start, upper.bottom, 0, 1)]
        if upper.bottom < self.bottoms[first] - 1:
            bends.append(Bend(start, self.bottoms[first], 0, 1))
        for cell in chain.cells[1:-1]:
            rank = self.layers.rank[cell]
            bends.append(Bend(self.x[cell], self.tops[rank], 0, 1))
            bends.append(Bend(self.x[cell], self.bottoms[rank], 0, 1))
        if lower.y > self.tops[last] + 1:
            bends.append(Bend(end, self.tops[last], 0, 1))
        bends.append(Bend(end, lower.y, 0, 1))
        return tuple(bends)

    def _upward(self, chain: Chain, upper: Box, lower: Box) -> tuple[Bend, ...]:
        first, last = self.layers.rank[chain.cells[0]], self.layers.rank[chain.cells[-1]]
        side, lane = self.sides.leaving[chain.arc]
        border = lower.x if side < 0 else lower.right
        outward = LANE_FIRST + LANE_NEXT * lane
        leaving = border + side * outward
        y = lower.y + 12 + 8 * lane
        bends = [Bend(border, y, side, 0)]
        side_there, lane_there = self.sides.arriving[chain.arc]
        border_there = upper.x if side_there < 0 else upper.right
        arriving = border_there + side_there * (LANE_FIRST + LANE_NEXT * lane_there)
        if len(chain.cells) == 2 and side == side_there and abs(leaving - arriving) < 40:
            leaving = arriving = min(leaving, arriving) if side < 0 else max(leaving, arriving)
        bends.append(Bend(leaving, min(y - LANE_FIRST, self.tops[last]), 0, -1))
        for cell in reversed(chain.cells[1:-1]):
            rank = self.layers.rank[cell]
            bends.append(Bend(self.x[cell], self.bottoms[rank], 0, -1))
            bends.append(Bend(self.x[cell], self.tops[rank], 0, -1))
        y_there = upper.bottom - 12 - 8 * lane_there
        bends.append(Bend(arriving, max(self.bottoms[first], y_there + LANE_FIRST), 0, -1))
        bends.append(Bend(border_there, y_there, -side_there, 0))
        return tuple(bends)
