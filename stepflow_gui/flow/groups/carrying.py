"""A folded group that is dragged: where its steps stand then in the unfolded graph."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product

from stepflow_gui.flow.groups.folding import Boxes, Folded, around, columns_of, has_columns, middles_of, nodes_of
from stepflow_gui.flow.groups.grouping import StepGroup
from stepflow_gui.flow.layout.shapes import Box, NodeId
from stepflow_gui.flow.layout.spots import APART, Spots

_TRIED = 8  # places for which free spots are looked for
_A_COLUMN = 100  # rows
_PAST = 2.0  # how far past another group it goes, to come before or after it

Shift = tuple[float, float]


def carried(boxes: Boxes, groups: Sequence[StepGroup], folded: Folded, key: str, by: Shift) -> dict[NodeId, Box]:
    """The boxes of a folded group's steps, whose card was dragged by so much: all moved alike, to a free spot.

    Where groups stand in columns, it comes to the place on which it was dropped, or as near to it as there is room for
    its steps, and the others move on.
    """
    own = nodes_of(boxes, groups)
    nodes = own[key]
    inside = set(nodes)
    spots = Spots(box for node, box in boxes.items() if node not in inside)

    def moved(shift: Shift) -> list[Box]:
        return [boxes[node].shifted(*shift) for node in nodes]

    def there(shift: Shift) -> dict[NodeId, Box]:
        wished = moved(shift)
        aside = spots.shift(wished) if spots.covers(wished) else (0.0, 0.0)
        return {node: box.shifted(*aside) for node, box in zip(nodes, wished, strict=True)}

    if not has_columns(boxes, own):
        return there(by)
    middles = middles_of(boxes, own)
    slots = _slots(middles)
    wanted = slots[_dropped_on(folded, middles, key, by)]
    best, least = {node: boxes[node] for node in nodes}, _far(slots[key], wanted)
    if least:
        x, y = middles[key]
        shifts = [
            shift
            for shift in _shifts(boxes, middles, inside, key)
            if _slots({**middles, key: (x + shift[0], y + shift[1])})[key] == wanted
        ]
        shifts.sort(key=lambda shift: (spots.covers(moved(shift)), abs(shift[0]) + abs(shift[1])))
        for shift in shifts[:_TRIED]:
            found = there(shift)
            far = _far(_slots({**middles, **middles_of(found, {key: nodes})})[key], wanted)
            if far < least:
                best, least = found, far
    return best


def _far(slot: tuple[int, int], other: tuple[int, int]) -> int:
    return abs(slot[0] - other[0]) * _A_COLUMN + abs(slot[1] - other[1])


def _slots(middles: Mapping[str, Shift]) -> dict[str, tuple[int, int]]:
    """The column and the row of each group."""
    columns = enumerate(columns_of(middles))
    return {key: (number, row) for number, column in columns for row, key in enumerate(column)}


def _dropped_on(folded: Folded, middles: Mapping[str, Shift], key: str, by: Shift) -> str:
    """The group, maybe itself, that is nearest to where the card of a group was dropped."""
    shown = {other: folded.boxes.get(NodeId("group", other)) or folded.fields[other] for other in middles}
    card = shown[key].shifted(*by)
    return min(shown, key=lambda other: _apart(card, shown[other]))


def _apart(card: Box, other: Box) -> tuple[float, float]:
    """How far the middle of a card is from a box, then from its middle."""
    x, y = card.middle, card.y + card.height / 2
    beside = max(other.x - x, x - other.right, 0.0) + max(other.y - y, y - other.bottom, 0.0)
    return beside, abs(other.middle - x) + abs(other.y + other.height / 2 - y)


def _shifts(boxes: Boxes, middles: Mapping[str, Shift], inside: Collection[NodeId], key: str) -> Iterator[Shift]:
    """Moves that bring a group just past each of the others on both axes, or out of the reach of all on one of them."""
    x, y = middles[key]
    own, every = around(boxes[node] for node in inside), around(boxes.values())
    across = [every.x - own.right - APART, every.right - own.x + APART]
    down = [every.y - own.bottom - APART, every.bottom - own.y + APART]
    for there_x, there_y in (middle for other, middle in middles.items() if other != key):
        near_x, near_y = (
            [round(there - here) + past for past in (-_PAST, _PAST)] for there, here in ((there_x, x), (there_y, y))
        )
        yield from product((*near_x, *across, 0.0), near_y)
        yield from product(near_x, (*down, 0.0))
