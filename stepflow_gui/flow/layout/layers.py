"""The cells of a sub-flow in layers: its nodes, and a dummy cell wherever a long edge passes a layer."""

from copy import copy
from itertools import pairwise
from typing import NamedTuple

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.flow.layout.graph import SubFlow
from stepflow_gui.flow.layout.shapes import NodeId

_DUMMIES = 12_000  # more would take seconds; the longest edges then do without


class Chain(NamedTuple):
    """The cells of an arc from its upper end to its lower end; `back` if the arc itself goes upwards."""

    arc: int
    cells: tuple[int, ...]
    back: bool


class Layers:
    """Cells as numbers: those below `len(nodes)` are the nodes, the rest dummies."""

    __slots__ = ("arriving", "chains", "down", "far", "leaving", "nodes", "rank", "rows", "spine", "up")

    def __init__(self, part: SubFlow) -> None:
        self.nodes: list[NodeId] = part.nodes
        self.rank: list[int] = [part.rank[node] for node in part.nodes]
        self.chains: list[Chain] = []
        self.far: list[Chain] = []  # too long to be laid through the layers: led around them
        self._chain(part)
        self.up: list[list[int]] = [[] for _ in self.rank]
        self.down: list[list[int]] = [[] for _ in self.rank]
        self.leaving: dict[int, set[int]] = {}  # by node: cells above it on the path of edges that leave upwards
        self.arriving: dict[int, set[int]] = {}  # by node: cells below it on the path of edges that come up to it
        for chain in self.chains:
            for upper, lower in pairwise(chain.cells):
                self.down[upper].append(lower)
                self.up[lower].append(upper)
            if chain.back:
                self.leaving.setdefault(chain.cells[-1], set()).add(chain.cells[-2])
                self.arriving.setdefault(chain.cells[0], set()).add(chain.cells[1])
        self.spine: dict[int, int] = _spine(self)  # the cell that should stand straight below, by the upper cell
        self.rows: list[list[int]] = _first_order(self)

    def with_rows(self, rows: list[list[int]]) -> "Layers":
        """The same cells in another order."""
        other = copy(self)
        other.rows = rows
        return other

    def is_dummy(self, cell: int) -> bool:
        """Whether the cell is only a place that an edge passes."""
        return cell >= len(self.nodes)

    def _chain(self, part: SubFlow) -> None:
        number = {node: index for index, node in enumerate(part.nodes)}
        spans = []
        for index, (arc, back) in enumerate(zip(part.arcs, part.back, strict=True)):
            start, end = (arc.target, arc.source) if back else (arc.source, arc.target)
            spans.append((part.rank[end] - part.rank[start], index, number[start], number[end], back))
        left = _DUMMIES
        kept = []
        for span, index, upper, lower, back in sorted(spans):
            left -= span - 1
            if left < 0:
                self.far.append(Chain(index, (upper, lower), back))
            else:
                kept.append((index, upper, lower, span, back))
        for index, upper, lower, span, back in sorted(kept):
            first = len(self.rank)
            top = self.rank[upper]
            self.rank.extend(range(top + 1, top + span))
            self.chains.append(Chain(index, (upper, *range(first, first + span - 1), lower), back))


def _spine(layers: Layers) -> dict[int, int]:
    """Paths to be drawn as straight lines, the longest from the first entry before all: lower cell by upper cell."""
    below: list[list[int]] = [[] for _ in layers.nodes]
    for chain in layers.chains:
        if len(chain.cells) == 2 and not chain.back:
            below[chain.cells[0]].append(chain.cells[1])
    order = sorted(range(len(layers.nodes)), key=lambda cell: (layers.rank[cell], cell))
    depth = [0] * len(layers.nodes)
    for cell in reversed(order):
        depth[cell] = max((depth[lower] + 1 for lower in below[cell]), default=0)
    spine: dict[int, int] = {}
    taken: set[int] = set()
    for start in order:
        checkpoint()
        cell = start
        while cell not in spine:
            free = [lower for lower in below[cell] if lower not in taken]
            if not free:
                break
            lower = max(free, key=depth.__getitem__)
            spine[cell] = lower
            taken.add(lower)
            cell = lower
    return spine


def _first_order(layers: Layers) -> list[list[int]]:
    """Rows in the order in which a search from the top meets the cells: trees come without a crossing."""
    rows: list[list[int]] = [[] for _ in range(max(layers.rank, default=-1) + 1)]
    seen = [False] * len(layers.rank)
    for root in sorted(range(len(layers.rank)), key=lambda cell: (layers.rank[cell], cell)):
        checkpoint()
        waiting = [root]
        while waiting:
            cell = waiting.pop()
            if seen[cell]:
                continue
            seen[cell] = True
            rows[layers.rank[cell]].append(cell)
            waiting.extend(other for other in reversed(layers.down[cell]) if not seen[other])
    return rows
