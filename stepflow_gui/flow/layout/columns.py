"""A flow in a direction and cut into columns, so that it can be read in a window at once."""

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
_A_CROSSING = 3.0  # … and a crossing an edge
_TRIED = 5  # that are routed to count their crossings
_LOOKED_AT = 80  # edges; of more the size decides
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

    `crossed` is asked about the few that could be the best.
    """
    edges = sum(len(part.part.arcs) for part in parts)
    candidates: list[_Candidate] = []
    for across in (False, True) if direction == "auto" else (direction == "right",):
        for candidate in _candidates(parts, sizes, reach, apart, across=across):
            candidates.append(candidate)
            if candidate.zoom == 1:  # more columns can only be worse
                break
        if candidates[0].zoom == 1:
            return _turned_round(candidates[0], None, crossed) if edges <= _LOOKED_AT else candidates[0].boxes
    candidates.sort(key=lambda candidate: -candidate.rating)  # of those alike the earlier
    if edges > _LOOKED_AT:
        steps = sum(len(part.part.nodes) for part in parts)
        return next(one.boxes for one in candidates if edges < _DENSE * steps or one.columns == 1)
    best, fewest, highest = candidates[0], 0, 0.0
    for candidate in candidates[:_TRIED]:
        if candidate.rating <= highest:
            break
        count = crossed(candidate.boxes)
        rating = candidate.rating * max(1 - _A_CROSSING * count / max(edges, 1), 0.01)
        if rating > highest:
            best, fewest, highest = candidate, count, rating
    return _turned_round(best, fewest, crossed)


def _turned_round(candidate: _Candidate, count: int | None, crossed: Crossed) -> Boxes:
    """The boxes, or their mirror image where fewer edges cross in it: their ports begin at the left in both."""
    boxes = candidate.boxes
    count = crossed(boxes) if count is None else count
    if not count or candidate.across:
        return boxes
    left, right = min(box.x for box in boxes.values()), max(box.right for box in boxes.values())
    mirrored = {node: box._replace(x=left + right - box.right) for node, box in boxes.items()}
    return mirrored if crossed(mirrored) < count else boxes


def _candidates(
    parts: Sequence[OrderedPart],
    sizes: Mapping[NodeId, NodeSize],
    reach: Reach,
    apart: Sequence[Boxes],
    *,
    across: bool,
) -> Iterator[_Candidate]:
    levels = levels_of([part.part for part in parts], sizes, reach, across=across)
    laid = [lay_part(part, sizes, reach, levels, across=across) for part in parts]
    tallest = max((max(box.bottom for box in boxes.values()) for boxes in laid), default=0.0)
    seen: set[tuple[int, ...]] = set()
    for columns in range(1, _MOST + 1):
        counts = tuple(
            min(-(-int(max(box.bottom for box in boxes.values())) // max(int(tallest / columns), 1)), columns)
            for boxes in laid
        )
        if counts in seen:
            continue
        checkpoint()
        seen.add(counts)
        pieces = [
            _cut(part, boxes, {} if across else reach, levels, count)
            for part, boxes, count in zip(parts, laid, counts, strict=True)
        ]
        if across:
            pieces = [{node: Box(*_turned(box)) for node, box in piece.items()} for piece in pieces]
        checkpoint()
        pieces += apart
        areas = [area_of(piece, reach) for piece in pieces]
        boxes: Boxes = {}
        for piece, (dx, dy) in zip(pieces, packed(areas, _ROOM[0] / _ROOM[1]), strict=True):
            boxes.update((node, box.shifted(dx, dy)) for node, box in piece.items())
        around = area_of(boxes, reach)
        zoom = min(1.0, _ROOM[0] / max(around.width, 1), _ROOM[1] / max(around.height, 1))
        yield _Candidate(boxes, max(counts, default=1), zoom, across)


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


def area_of(boxes: Mapping[NodeId, Box], reach: Reach) -> Box:
    """Around boxes and what is beside them."""
    left = min((box.x - reach_of(reach, node)[0] for node, box in boxes.items()), default=0.0)
    right = max((box.right + reach_of(reach, node)[1] for node, box in boxes.items()), default=0.0)
    top = min((box.y for box in boxes.values()), default=0.0)
    bottom = max((box.bottom for box in boxes.values()), default=0.0)
    return Box(left, top, right - left, bottom - top)
