"""A flow in a direction and cut into columns, so it can be read in a window at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.flow.layout.layered import Levels, OrderedPart, Reach, lay_part, levels_of, reach_of
from stepflow_gui.flow.layout.pack import packed
from stepflow_gui.flow.layout.shapes import Box, Direction, NodeId, NodeSize

_ROOM = (1036.0, 736.0)  # pixels of a canvas in a window of 1440 × 900, without its margins
_MOST = 12  # columns
_A_COLUMN = 0.02  # what one more costs
_A_CROSSING = 8.0  # … and a crossing an edge
_TRIED = 9  # that are routed to count their crossings
_REORDERED = 2  # of those, that are tried in other orders
_ORDERS = 8  # of each
LOOKED_AT = 80  # edges; of more the size decides, not how many cross
_DENSE = 2.5  # edges a step, from which on columns would block their way
BLOCKED = 10_000  # more than all crossings: what it counts if edges lie on steps
_GUTTER = 56.0  # between columns
_LANE = 6.0  # more for each edge that goes from one to another
_LANES = 10

Boxes = dict[NodeId, Box]


Crossed = Callable[[Boxes], int]
"""How many edges between boxes cross each other; `BLOCKED` and more where any lies on a box."""


class _Candidate(NamedTuple):
    boxes: Boxes
    columns: int
    zoom: float
    across: bool

    @property
    def rating(self) -> float:
        """How well it reads, crossings left out."""
        return self.zoom * (1 - _A_COLUMN * (self.columns - 1))


def arranged(
    parts: Sequence[OrderedPart],
    sizes: Mapping[NodeId, NodeSize],
    reach: Reach,
    apart: Sequence[Boxes],
    direction: Direction,
    crossed: Crossed,
) -> Boxes:
    """The boxes of sub-flows, and of pieces that are laid already, in the direction and columns that read best.

    `crossed` is asked about the few that could be the best; where edges cross in one, about it in other orders, too.
    """
    edges = sum(len(part.part.arcs) for part in parts)
    plans = _Plans(parts, sizes, reach, apart)
    candidates: list[_Candidate] = []
    for across in (False, True) if direction == "auto" else (direction == "right",):
        for candidate in plans.candidates(across=across):
            candidates.append(candidate)
            if candidate.zoom == 1:  # more columns can only be worse
                break
        if candidates[0].zoom == 1 and edges > LOOKED_AT:
            return candidates[0].boxes
    candidates.sort(key=lambda candidate: -candidate.rating)  # of those alike the earlier
    if edges > LOOKED_AT:
        steps = sum(len(part.part.nodes) for part in parts)
        return next(one.boxes for one in candidates if edges < _DENSE * steps or one.columns == 1)
    return _best(plans, candidates[:_TRIED], crossed, max(edges, 1)).boxes


def _best(plans: "_Plans", candidates: Sequence[_Candidate], crossed: Crossed, edges: int) -> _Candidate:
    """The candidate that reads best with its crossings, or one of the best two in another order or mirrored."""
    ratings: list[tuple[float, _Candidate]] = []

    def rate(candidate: _Candidate) -> int:
        count = crossed(candidate.boxes)
        ratings.append((rated(candidate.rating, count, edges), candidate))
        return count

    for candidate in candidates:
        if candidate.rating <= _highest(ratings) or not rate(candidate):
            break
    for rating, candidate in sorted(ratings, key=lambda one: -one[0])[:_REORDERED]:
        for number in range(1, plans.orders) if rating < candidate.rating else ():
            other = plans.candidate(candidate.columns, across=candidate.across, order=number)
            if other.rating > _highest(ratings) and not rate(other):
                break
    rating, best = max(ratings, key=lambda one: one[0])
    if rating < best.rating and not best.across:
        rate(best._replace(boxes=_mirrored(best.boxes)))
    return max(ratings, key=lambda one: one[0])[1]


def _highest(ratings: Sequence[tuple[float, _Candidate]]) -> float:
    return max((rating for rating, _candidate in ratings), default=0.0)


def _mirrored(boxes: Boxes) -> Boxes:
    """The mirror image, in which ports begin at the left of their boxes anyway."""
    left, right = min(box.x for box in boxes.values()), max(box.right for box in boxes.values())
    return {node: box._replace(x=left + right - box.right) for node, box in boxes.items()}


class _Plans:
    """The boxes of sub-flows in each direction, number of columns and order."""

    def __init__(
        self, parts: Sequence[OrderedPart], sizes: Mapping[NodeId, NodeSize], reach: Reach, apart: Sequence[Boxes]
    ) -> None:
        self._parts = parts
        self._sizes = sizes
        self._reach = reach
        self._apart = apart
        self._orders: list[list[OrderedPart]] = []
        self._laid: dict[tuple[bool, int], tuple[Sequence[OrderedPart], Levels, list[Boxes]]] = {}

    @property
    def orders(self) -> int:
        """In how many orders they can be laid."""
        self._orders = self._orders or [part.others() for part in self._parts]
        return min(max(map(len, self._orders), default=1), _ORDERS)

    def candidates(self, *, across: bool) -> Iterator[_Candidate]:
        """In the best order whole, then cut into more and more columns."""
        seen: set[tuple[int, ...]] = set()
        for columns in range(1, _MOST + 1):
            counts = self._counts(columns, across=across)
            if counts not in seen:
                checkpoint()
                seen.add(counts)
                yield self.candidate(columns, across=across)

    def candidate(self, columns: int, *, across: bool, order: int = 0) -> _Candidate:
        """In so many columns and the order of that number."""
        parts, levels, laid = self._lay(order, across=across)
        counts = self._counts(columns, across=across)
        reach = self._reach
        pieces = [
            _cut(part, boxes, {} if across else reach, levels, count)
            for part, boxes, count in zip(parts, laid, counts, strict=True)
        ]
        if across:
            pieces = [{node: Box(*_turned(box)) for node, box in piece.items()} for piece in pieces]
        checkpoint()
        pieces += self._apart
        areas = [area_of(piece, reach) for piece in pieces]
        boxes: Boxes = {}
        for piece, (dx, dy) in zip(pieces, packed(areas, _ROOM[0] / _ROOM[1]), strict=True):
            boxes.update((node, box.shifted(dx, dy)) for node, box in piece.items())
        around = area_of(boxes, reach)
        return _Candidate(boxes, columns, zoom_of(around), across)

    def _counts(self, columns: int, *, across: bool) -> tuple[int, ...]:
        """How many columns each sub-flow has where the tallest has so many."""
        tall = [int(max(box.bottom for box in boxes.values())) for boxes in self._lay(0, across=across)[2]]
        return tuple(min(-(-height // max(int(max(tall) / columns), 1)), columns) for height in tall)

    def _lay(self, order: int, *, across: bool) -> tuple[Sequence[OrderedPart], Levels, list[Boxes]]:
        found = self._laid.get((across, order))
        if found is None:
            parts = [orders[order % len(orders)] for orders in self._orders] if order else self._parts
            levels = levels_of([part.part for part in parts], self._sizes, self._reach, across=across)
            laid = [lay_part(part, self._sizes, self._reach, levels, across=across) for part in parts]
            found = self._laid[across, order] = (parts, levels, laid)
        return found


def _turned(box: Box) -> tuple[float, float, float, float]:
    return box.y, box.x, box.height, box.width


def _cut(part: OrderedPart, boxes: Boxes, reach: Reach, levels: Levels, count: int) -> Boxes:
    """The boxes in so many columns, cut between layers: down, then on at the top of the next."""
    if count < 2:
        return boxes
    rank = part.part.rank
    depth = max(rank.values()) + 1
    bottom = max(box.bottom for box in boxes.values())
    column_of = [min(int(levels[layer] / (bottom / count)), count - 1) for layer in range(depth)]
    firsts = [0] + [layer for layer, (one, other) in enumerate(pairwise(column_of), 1) if one != other]
    columns = {layer: sum(first <= layer for first in firsts) - 1 for layer in range(depth)}
    lanes = [0] * len(firsts)
    for arc in part.part.arcs:
        ends = sorted((columns[rank[arc.source]], columns[rank[arc.target]]))
        for column in range(*ends):
            lanes[column] += 1
    found: Boxes = {}
    x = 0.0
    for number, first in enumerate(firsts):
        here = {node: box for node, box in boxes.items() if columns[rank[node]] == number}
        left = min(box.x - reach_of(reach, node)[0] for node, box in here.items())
        right = max(box.right + reach_of(reach, node)[1] for node, box in here.items())
        found.update((node, box.shifted(x - left, -levels[first])) for node, box in here.items())
        x += round(right - left + _GUTTER + _LANE * min(lanes[number], _LANES))
    return {node: found[node] for node in boxes}


def rated(rating: float, crossings: int, edges: int) -> float:
    """How well a picture reads in which so many of its edges cross."""
    return rating / (1 + _A_CROSSING * crossings / max(edges, 1))


def zoom_of(around: Box) -> float:
    """The zoom, at most 1, at which an area is seen at once."""
    return min(1.0, _ROOM[0] / max(around.width, 1), _ROOM[1] / max(around.height, 1))


def area_of(boxes: Mapping[NodeId, Box], reach: Reach) -> Box:
    """Around boxes and what is beside them."""
    left = min((box.x - reach_of(reach, node)[0] for node, box in boxes.items()), default=0.0)
    right = max((box.right + reach_of(reach, node)[1] for node, box in boxes.items()), default=0.0)
    top = min((box.y for box in boxes.values()), default=0.0)
    bottom = max((box.bottom for box in boxes.values()), default=0.0)
    return Box(left, top, right - left, bottom - top)
