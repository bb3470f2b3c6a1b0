"""The x of each cell: four alignments after Brandes and Köpf (2002) with sizes, straight spines, and their average."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.flow.layout.layers import Layers

_BESIDE_NODES = 36.0
_BESIDE_DUMMY = 22.0
_DUMMIES = 18.0


def x_of_cells(layers: Layers, left: Sequence[float], right: Sequence[float]) -> list[float]:
    """The x of every cell's anchor. `left` and `right` are how far a cell reaches from its anchor to both sides."""
    straight = _straight_segments(layers)
    results = []
    for upward in (False, True):
        for mirrored in (False, True):
            checkpoint()
            rows = [row[::-1] if mirrored else row for row in layers.rows]
            beside = layers.down if upward else layers.up
            order = rows[::-1] if upward else rows
            root = _align(order, beside, _partners(straight, upward=upward), len(layers.rank))
            here, there = (right, left) if mirrored else (left, right)
            found = _compact(layers, rows, root, here, there)
            results.append([-x for x in found] if mirrored else found)
    return _averaged(results, left, right)


def _straight_segments(layers: Layers) -> list[tuple[int, int]]:
    """Segments (upper, lower) that must be straight, spines before stretches of long edges; no two cross."""
    place = [0] * len(layers.rank)
    for row in layers.rows:
        for index, cell in enumerate(row):
            place[cell] = index
    found: list[tuple[int, int]] = []
    for row in layers.rows:
        checkpoint()
        wanted = [(upper, layers.spine[upper]) for upper in row if upper in layers.spine]
        wanted += [
            (upper, lower)
            for upper in row
            if layers.is_dummy(upper)
            for lower in layers.down[upper]
            if layers.is_dummy(lower)
        ]
        kept: list[tuple[int, int]] = []  # (place of upper, place of lower), both rising
        for upper, lower in wanted:
            a, b = place[upper], place[lower]
            at = bisect_left(kept, (a, -1))
            if (at and kept[at - 1][1] >= b) or (at < len(kept) and kept[at][1] <= b):
                continue
            kept.insert(at, (a, b))
            found.append((upper, lower))
    return found


def _partners(straight: list[tuple[int, int]], *, upward: bool) -> dict[int, int]:
    """For each cell of a straight segment the one it has to be under (over, when aligning upwards)."""
    return dict(straight) if upward else {lower: upper for upper, lower in straight}


def _align(order: list[list[int]], beside: list[list[int]], partner: dict[int, int], cells: int) -> list[int]:
    """Gather the cells into blocks that share one x; gives each cell the first of its block."""
    root = list(range(cells))
    place = [0] * cells
    reserved = {other: cell for cell, other in partner.items()}
    for before, row in pairwise(order):
        checkpoint()
        for index, cell in enumerate(before):
            place[cell] = index
        fixed = [place[partner[cell]] if cell in partner else -1 for cell in row]
        # The first place that a straight segment further right needs bounds what the cells before it may take.
        bound = len(before)
        bounds = [0] * len(row)
        for index in range(len(row) - 1, -1, -1):
            bounds[index] = bound
            if fixed[index] >= 0:
                bound = fixed[index]
        last = -1
        for index, cell in enumerate(row):
            if cell in partner:
                candidates = [partner[cell]]
            else:
                near = sorted(beside[cell], key=place.__getitem__)
                half = len(near) // 2
                candidates = near[half : half + 1] if len(near) % 2 else near[max(half - 1, 0) : half + 1]
            for other in candidates:
                free = last < place[other] < bounds[index] and reserved.get(other, cell) == cell
                if free and root[cell] == cell:
                    root[cell] = root[other]
                    last = place[other]
            if fixed[index] >= 0:
                last = max(last, fixed[index])
    return root


def _compact(
    layers: Layers, rows: list[list[int]], root: list[int], left: Sequence[float], right: Sequence[float]
) -> list[float]:
    """Push the blocks to the left as far as they go, then together again from the right."""
    after: dict[int, list[tuple[int, float]]] = {block: [] for row in rows for block in (root[cell] for cell in row)}
    arrivals = dict.fromkeys(after, 0)
    for row in rows:
        checkpoint()
        for a, b in pairwise(row):
            after[root[a]].append((root[b], right[a] + _gap(layers, a, b) + left[b]))
            arrivals[root[b]] += 1
    x = dict.fromkeys(after, 0.0)
    order = [block for block, count in arrivals.items() if not count]
    for block in order:
        checkpoint()
        for other, distance in after[block]:
            x[other] = max(x[other], x[block] + distance)
            arrivals[other] -= 1
            if not arrivals[other]:
                order.append(other)
    for block in reversed(order):
        if after[block]:
            x[block] = max(x[block], min(x[other] - distance for other, distance in after[block]))
    return [x[root[cell]] for cell in range(len(root))]


def _gap(layers: Layers, a: int, b: int) -> float:
    dummies = layers.is_dummy(a) + layers.is_dummy(b)
    return (_BESIDE_NODES, _BESIDE_DUMMY, _DUMMIES)[dummies]


def _averaged(results: list[list[float]], left: Sequence[float], right: Sequence[float]) -> list[float]:
    spans = []
    for result in results:
        first = min((x - reach for x, reach in zip(result, left, strict=True)), default=0.0)
        last = max((x + reach for x, reach in zip(result, right, strict=True)), default=0.0)
        spans.append((last - first, first, last))
    _, first, last = min(spans)
    for index, (result, (_, here_first, here_last)) in enumerate(zip(results, spans, strict=True)):
        shift = last - here_last if index % 2 else first - here_first
        results[index] = [x + shift for x in result]
    averaged = []
    for four in zip(*results, strict=True):
        middle = sorted(four)
        averaged.append((middle[1] + middle[2]) / 2)
    return averaged
