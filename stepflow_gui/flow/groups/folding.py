"""The boxes that are shown while groups are: derived from those of the unfolded graph, which stay as they are."""

from bisect import bisect
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from stepflow_gui.flow.groups.grouping import StepGroup
from stepflow_gui.flow.layout.grid import Grid
from stepflow_gui.flow.layout.shapes import Box, NodeId

CARD = (480.0, 232.0)  # a folded group
HEADER, PAD = 64.0, 20.0  # of the field of one that isn't
_ROOM = (1036.0, 736.0)  # the shape that the cards together come near to
_BELOW, _BESIDE = 60.0, 132.0  # between units: room for the words of edges and entries
_HOLE = 84.0  # what is left of a gap that other groups' steps leave in a field
_CLEAR = 40.0  # around a card that takes the place of its steps
_LOOKED_AT = 24  # steps above an end

Boxes = Mapping[NodeId, Box]


class Folded(NamedTuple):
    """What is shown: boxes (those of folded groups by `NodeId("group", key)`) and the fields of unfolded groups."""

    boxes: dict[NodeId, Box]
    fields: dict[str, Box]  # by the group's key
    card_of: dict[NodeId, NodeId]  # by the nodes that are hidden


def fold(boxes: Boxes, groups: Sequence[StepGroup], folds: Collection[str]) -> Folded:
    """The picture of boxes in groups, of which those with a key in `folds` are folded. Linear in boxes.

    Where every step is in a group, these stand in columns, each folded or as a field, in the order in which their
    steps stand; which column a group is in doesn't depend on the folds. Else only the folded ones take another shape,
    where their steps are, and what is beside them moves on.
    """
    own = nodes_of(boxes, groups)
    card_of = {node: NodeId("group", key) for key, nodes in own.items() if key in folds for node in nodes}
    return _in_columns(boxes, own, card_of) if has_columns(boxes, own) else _in_place(boxes, own, card_of)


def nodes_of(boxes: Boxes, groups: Sequence[StepGroup]) -> dict[str, list[NodeId]]:
    """The nodes of each group that has any, by its key."""
    own = {
        group.key: [NodeId("step", step) for step in group.steps if NodeId("step", step) in boxes] for group in groups
    }
    return {key: nodes for key, nodes in own.items() if nodes}


def has_columns(boxes: Boxes, own: Mapping[str, Sequence[NodeId]]) -> bool:
    """Whether every step is in a group, so the groups stand in columns."""
    return sum(node.kind == "step" for node in boxes) == sum(map(len, own.values()))


def _in_columns(boxes: Boxes, own: Mapping[str, list[NodeId]], card_of: dict[NodeId, NodeId]) -> Folded:
    shown: dict[NodeId, Box] = {}
    fields: dict[str, Box] = {}
    grouped = {node for nodes in own.values() for node in nodes}
    loose = _beside_groups(boxes, own, [node for node in boxes if node not in grouped])
    x = 0.0
    for column in columns_of(middles_of(boxes, own)):
        y = width = 0.0
        for key in column:
            nodes = own[key]
            if nodes[0] in card_of:
                area = Box(x, y, *CARD)
                shown[card_of[nodes[0]]] = area
            else:
                laid = _closed_up({node: boxes[node] for node in nodes})
                inside = around(laid.values())
                shown.update(
                    (node, box.shifted(x + PAD - inside.x, y + HEADER - inside.y)) for node, box in laid.items()
                )
                area = Box(x, y, inside.width + 2 * PAD, inside.height + HEADER + PAD)
                fields[key] = area
            y += area.height + _BELOW
            width = max(width, area.width)
            across = x
            for node in loose.get(key, ()):
                shown[node] = boxes[node]._replace(x=across, y=y)
                across += boxes[node].width + _CLEAR
                width = max(width, across - _CLEAR - x)
            if loose.get(key):
                y += max(boxes[node].height for node in loose[key]) + _BELOW
        x += width + _BESIDE
    return Folded(_in_order(boxes, shown, card_of), fields, card_of)


def _beside_groups(boxes: Boxes, own: Mapping[str, list[NodeId]], loose: Sequence[NodeId]) -> dict[str, list[NodeId]]:
    """Ends and missing steps by the group of which a step is near above them."""
    steps = sorted((boxes[node].bottom, boxes[node].middle, key) for key, nodes in own.items() for node in nodes)
    found: dict[str, list[NodeId]] = {}
    for node in loose:
        box = boxes[node]
        at = bisect(steps, (box.y, box.middle))
        near = steps[max(at - _LOOKED_AT, 0) : at] or steps[:_LOOKED_AT]
        _far, key = min((abs(middle - box.middle) + box.y - bottom, key) for bottom, middle, key in near)
        found.setdefault(key, []).append(node)
    return found


def middles_of(boxes: Boxes, own: Mapping[str, Sequence[NodeId]]) -> dict[str, tuple[float, float]]:
    """The box of each group in the unfolded graph, by its key."""
    return {key: _middle(boxes[node] for node in nodes) for key, nodes in own.items()}


def columns_of(middles: Mapping[str, tuple[float, float]]) -> list[list[str]]:
    """The groups in as many columns as suit a window, cut where they stand, each read from top to bottom."""
    count = len(middles)
    if not count:
        return []

    def across(columns: int) -> float:
        rows = -(-count // columns)
        return max(columns * (CARD[0] + _BESIDE) / _ROOM[0], rows * (CARD[1] + _BELOW) / _ROOM[1])

    columns = min(range(1, min(count, 200) + 1), key=across)
    rows = -(-count // columns)
    spread = [
        max(middle[axis] for middle in middles.values()) - min(middle[axis] for middle in middles.values())
        for axis in (0, 1)
    ]
    if spread[0] < spread[1]:  # a tall flow goes on at the top of the next column
        order = sorted(middles, key=lambda key: (middles[key][1], middles[key][0]))
        return [order[at : at + rows] for at in range(0, count, rows)]
    order = sorted(middles, key=lambda key: middles[key])
    return [
        sorted(order[at : at + rows], key=lambda key: (middles[key][1], middles[key][0]))
        for at in range(0, count, rows)
    ]


def _closed_up(boxes: Boxes) -> dict[NodeId, Box]:
    """Boxes with the empty rows and columns among them narrowed."""
    rows = _narrowed([(box.y, box.bottom) for box in boxes.values()])
    columns = _narrowed([(box.x, box.right) for box in boxes.values()])
    return {node: box._replace(x=columns[box.x], y=rows[box.y]) for node, box in boxes.items()}


def _narrowed(pieces: Iterable[tuple[float, float]]) -> dict[float, float]:
    """Where each piece begins once the gaps that no piece covers are `_HOLE` at most."""
    found: dict[float, float] = {}
    reached, saved = None, 0.0
    for begin, end in sorted(pieces):
        if reached is not None and begin - reached > _HOLE:
            saved += begin - reached - _HOLE
        reached = end if reached is None else max(reached, end)
        found[begin] = begin - saved
    return found


def _in_place(boxes: Boxes, own: Mapping[str, list[NodeId]], card_of: dict[NodeId, NodeId]) -> Folded:
    """Cards where their steps are, from left to right; what stands right of a card's middle moves aside with it."""
    cards: dict[NodeId, Box] = {}
    for key, nodes in own.items():
        if nodes[0] in card_of:
            x, y = _middle([around(boxes[node] for node in nodes)])
            cards[NodeId("group", key)] = Box(x - CARD[0] / 2, y - CARD[1] / 2, *CARD)
    items = [
        *((box, node) for node, box in boxes.items() if node not in card_of),
        *((box, node) for node, box in cards.items()),
    ]
    items.sort(key=lambda item: item[0].middle)
    waiting: Grid[NodeId] = Grid()
    for box, node in items:
        if node not in cards:
            waiting.add(box, node)
    placed: Grid[NodeId] = Grid()
    shown: dict[NodeId, Box] = {}
    shift = 0.0
    for box, node in items:
        here = box.shifted(shift, 0)
        if node in cards:
            for _again in range(8):
                left = [other.right for other, _node in placed.near(here.grown(_CLEAR - 0.1))]
                if not left:
                    break
                here = here._replace(x=max(left) + _CLEAR)
            before = here.grown(_CLEAR - 0.1)
            right = [other.x + shift for other, _node in waiting.near(before.shifted(-shift, 0))]
            shift += max(here.right + _CLEAR - min(right), 0.0) if right else 0.0
        else:
            waiting.remove(box, node)
        placed.add(here, node)
        shown[node] = here
    fields = {}
    for key, nodes in own.items():
        if nodes[0] not in card_of:
            area = around(shown[node] for node in nodes)
            fields[key] = Box(area.x - PAD, area.y - HEADER, area.width + 2 * PAD, area.height + HEADER + PAD)
    return Folded(_in_order(boxes, shown, card_of), fields, card_of)


def _in_order(boxes: Boxes, shown: Boxes, card_of: Mapping[NodeId, NodeId]) -> dict[NodeId, Box]:
    """The boxes in the order of the file, a card in the place of its first step."""
    order = dict.fromkeys(card_of.get(node, node) for node in boxes)
    return {node: shown[node] for node in order}


def _middle(boxes: Iterable[Box]) -> tuple[float, float]:
    listed = list(boxes)
    return sum(box.middle for box in listed) / len(listed), sum(box.y + box.height / 2 for box in listed) / len(listed)


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box around some."""
    return reduce(Box.around, boxes)
