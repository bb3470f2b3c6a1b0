"""The order of the cells in each layer, with few crossings: median sweeps and swaps of neighbours."""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.flow.layout.layers import Layers

Rows = list[list[int]]

_TRIES = 6
_MORE = 1  # crossings more than in the best order that others may have
_SMALL = 500  # cells up to which several starts and swaps of neighbours are tried
_LARGE = 6_000  # cells from which few sweeps are made


def order(layers: Layers) -> None:
    """Bring `layers.rows` into an order with few crossings. The same for the same flow, in any process."""
    best = layers.rows
    fewest = _cost(layers, best)
    for count, rows in _tries(layers, best) if fewest else ():
        if count < fewest:
            best, fewest = rows, count
        if not fewest:
            break
    layers.rows = best


def orders(layers: Layers, first: Rows) -> list[Rows]:
    """The order that was found, then others with hardly more crossings, each followed by its mirror image."""
    found = [(_cost(layers, layers.rows), layers.rows), *sorted(_tries(layers, first), key=lambda one: one[0])]
    most = found[0][0] + _MORE
    near = [rows for count, rows in found if count <= most]
    return [list(map(list, rows)) for rows in dict.fromkeys(_as_key(rows, step) for rows in near for step in (1, -1))]


def _as_key(rows: Rows, step: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row[::step]) for row in rows)


def _tries(layers: Layers, first: Rows) -> Iterator[tuple[int, Rows]]:
    """Orders made better from several starts, each with its crossings."""
    cells = len(layers.rank)
    for attempt in range(_TRIES if cells <= _SMALL else 1):
        rows = [list(row) for row in first]
        if attempt == 1:
            rows = [row[::-1] for row in rows]
        elif attempt > 1:
            rows = [sorted(row, key=_scattered(attempt)) for row in rows]
        yield _improved(layers, rows, 24 if cells <= _SMALL else 8 if cells <= _LARGE else 4)


def crossings(layers: Layers, rows: Rows) -> int:
    """How many pairs of segments between neighbouring layers cross."""
    place = _places(layers, rows)
    total = 0
    for row in rows:
        seen: list[int] = []
        for cell in row:
            ends = sorted(place[lower] for lower in layers.down[cell])
            total += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def _cost(layers: Layers, rows: Rows) -> int:
    """The crossings, with those that upward edges make with others of the same step, whose side they leave."""
    place = _places(layers, rows)
    return (
        crossings(layers, rows)
        + sum(_around(cells, layers.up[node], place) for node, cells in layers.leaving.items())
        + sum(_around(cells, layers.down[node], place) for node, cells in layers.arriving.items())
    )


def _around(upward: set[int], neighbours: list[int], place: list[int]) -> int:
    """How many edges of a node the upward ones must cross to get to the better side of it."""
    others = [place[cell] for cell in neighbours if cell not in upward]
    return sum(
        min(sum(other < place[cell] for other in others), sum(other > place[cell] for other in others))
        for cell in upward
    )


def _improved(layers: Layers, rows: Rows, sweeps: int) -> tuple[int, Rows]:
    best, fewest, idle = [list(row) for row in rows], _cost(layers, rows), 0
    place = _places(layers, rows)
    for sweep in range(sweeps):
        if not fewest or idle == 4:
            break
        downward = sweep % 2 == 0
        _sweep(layers, rows, place, downward=downward, right_first=sweep % 4 > 1)
        if len(place) <= _LARGE:
            _swap_neighbours(layers, rows, place)
        count = _cost(layers, rows)
        idle += 1
        if count < fewest:
            best, fewest, idle = [list(row) for row in rows], count, 0
    return fewest, best


def _scattered(attempt: int) -> Callable[[int], int]:
    return lambda cell: cell * attempt * 7919 % 1009


def _places(layers: Layers, rows: Rows) -> list[int]:
    place = [0] * len(layers.rank)
    for row in rows:
        for index, cell in enumerate(row):
            place[cell] = index
    return place


def _sweep(layers: Layers, rows: Rows, place: list[int], *, downward: bool, right_first: bool) -> None:
    """Order each row by the medians of its neighbours in the row before; cells without any keep their place."""
    beside = layers.up if downward else layers.down
    for row in rows[1:] if downward else rows[-2::-1]:
        checkpoint()
        median = {cell: _median(sorted(place[other] for other in beside[cell])) for cell in row if beside[cell]}
        movable = [cell for cell in row if cell in median]
        if right_first:
            movable.reverse()
        movable.sort(key=median.__getitem__)
        queue = iter(movable)
        row[:] = [next(queue) if cell in median else cell for cell in row]
        for index, cell in enumerate(row):
            place[cell] = index


def _median(places: list[int]) -> float:
    half, odd = divmod(len(places), 2)
    if odd:
        return places[half]
    if len(places) == 2:
        return (places[0] + places[1]) / 2
    left, right = places[half - 1] - places[0], places[-1] - places[half]
    if left + right == 0:
        return (places[half - 1] + places[half]) / 2
    return (places[half - 1] * right + places[half] * left) / (left + right)


def _swap_neighbours(layers: Layers, rows: Rows, place: list[int]) -> None:
    up, down = layers.up, layers.down
    shares = [_shared(layers, cell) for cell in range(len(place))]
    changed = [0] * len(place)  # when a cell, or one beside it in the rows next to its own, changed its place last
    seen: dict[tuple[int, int], int] = {}  # when two neighbours were last left as they are
    now = 0
    for _ in range(8):
        better = False
        for row in rows:
            checkpoint()
            for index in range(len(row) - 1):
                left, right = row[index], row[index + 1]
                both = not shares[left].isdisjoint(shares[right])
                since = seen.get((left, right), -1)
                if not both and changed[left] <= since and changed[right] <= since:
                    continue
                gain = _gain(up[left], up[right], place) + _gain(down[left], down[right], place)
                if both:
                    gain += _around_both(layers, place, left, right)
                    place[left], place[right] = index + 1, index
                    gain -= _around_both(layers, place, left, right)
                now += 1
                if gain > 0:
                    place[left], place[right] = index + 1, index
                    row[index], row[index + 1] = right, left
                    better = True
                    for cell in (left, right):
                        changed[cell] = now
                        for other in up[cell]:
                            changed[other] = now
                        for other in down[cell]:
                            changed[other] = now
                else:
                    place[left], place[right] = index, index + 1
                    seen[left, right] = now
        if not better:
            return


def _shared(layers: Layers, cell: int) -> frozenset[int]:
    """The nodes beside a cell whose other edges count as well when it changes its place (see `_around_both`)."""
    found = [node for node in layers.up[cell] if node in layers.arriving]
    found += [node for node in layers.down[cell] if node in layers.leaving]
    return frozenset(found)


def _gain(lefts: list[int], rights: list[int], place: list[int]) -> int:
    """How many crossings fewer there are when two neighbours change places, towards one side."""
    if len(lefts) == 1 == len(rights):
        one, other = place[lefts[0]], place[rights[0]]
        return (one > other) - (one < other)
    gain = 0
    for cell in lefts:
        one = place[cell]
        for beside in rights:
            other = place[beside]
            if one > other:
                gain += 1
            elif one < other:
                gain -= 1
    return gain


def _around_both(layers: Layers, place: list[int], left: int, right: int) -> int:
    """The result of `_around` for the nodes that are targets of two neighbours."""
    total = 0
    for node in layers.up[left]:
        if node in layers.arriving and node in layers.up[right]:
            total += _around(layers.arriving[node], layers.down[node], place)
    for node in layers.down[left]:
        if node in layers.leaving and node in layers.down[right]:
            total += _around(layers.leaving[node], layers.up[node], place)
    return total
