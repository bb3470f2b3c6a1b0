"""The figures of the layout: distances, and what is beside a step: its loop, its entry mark, its ghost's size."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil

from stepflow_gui.flow.layout.captions import elided, text_width, visible
from stepflow_gui.flow.layout.shapes import Bend, Box, EntryMark, NodeId, NodeSize
from stepflow_gui.flow.model import Move
from stepflow_gui.messages import _

TextWidth = Callable[[str], float]

STEP_SIZE = NodeSize(216, 74)
END_SIZE = NodeSize(28, 28)
LABEL_HEIGHT = 18.0
LABEL_PADDING = 5.0
_LABEL_LIMIT = 30  # characters

LOOP_REACH = 34.0  # how far a loop stands out on the right
LANE_FIRST = 16.0  # of edges that leave or enter at a side
LANE_NEXT = 10.0
_ARROW_ROOM = 30.0  # between an entry's dot and the step
_DOT = 7.0  # radius


def size_of(node: NodeId, sizes: Mapping[str, NodeSize]) -> NodeSize:
    """The size of any node's box."""
    if node.kind == "end":
        return NodeSize(text_width(node.word, 11, bold=True) + 28, END_SIZE.height) if node.word else END_SIZE
    if node.kind == "ghost":
        name = elided(visible(node.name), 280, 11, mono=True)
        return NodeSize(max(120.0, text_width(name, 11, mono=True) + 28), 40)
    return sizes.get(node.name, STEP_SIZE)


def label_of(moves: Sequence[Move]) -> str:
    """The label of an edge: its intents, with the value or limit that a transition depends on; long ones shortened."""
    parts: dict[str, list[str]] = {}
    for move in moves:
        intent = move.intent
        if move.limit is not None:
            intent = _("{intent} (max {count})").format(intent=intent, count=move.limit)
        if len(moves) > 1:
            intent = _marked(intent, move)
        parts.setdefault(intent, [])
        if move.case is not None:
            parts[intent].append(move.case)
    texts = [f"{intent}: {' | '.join(cases)}" if cases else intent for intent, cases in parts.items()]
    text = _shortened(visible(", ".join(texts)))
    return _marked(text, moves[0]) if len(moves) == 1 else text


def label_between(source: NodeId, target: NodeId, moves: Sequence[Move]) -> str:
    """The label of the edge of an arc: if the user is asked, the loop shows it; else the intents, if there are any."""
    if source == target:
        return label_of(moves)
    gone = [move for move in moves if not move.asks]
    return label_of(gone or [move.without_asking() for move in moves])


def _marked(text: str, move: Move) -> str:
    """A text with what else must be for the move to count; never cut off with the text."""
    if move.asks:
        text = _("{intent} (asks the user)").format(intent=text)
    return _("{intent} (interactive only)").format(intent=text) if move.interactive else text


def _shortened(text: str) -> str:
    half = _LABEL_LIMIT // 2
    return text if len(text) <= _LABEL_LIMIT else f"{text[:half]}…{text[-half:]}"


def chip(middle: float, center: float, label: str, width: TextWidth) -> Box:
    """The box of a label around a point."""
    across = ceil(width(label)) + 2 * LABEL_PADDING
    return Box(middle - across / 2, center - LABEL_HEIGHT / 2, across, LABEL_HEIGHT)


def loop(box: Box, label: str, width: TextWidth) -> tuple[tuple[Bend, ...], Box]:
    """A loop at the right side of a step and the place of its label."""
    top, bottom = box.y + box.height * 0.3, box.y + box.height * 0.66
    middle = (top + bottom) / 2
    bends = (
        Bend(box.right, top, 1, 0),
        Bend(box.right + LOOP_REACH, middle, 0, 1),
        Bend(box.right, bottom, -1, 0),
    )
    across = ceil(width(label)) + 2 * LABEL_PADDING
    return bends, Box(box.right + LOOP_REACH + 2, middle - LABEL_HEIGHT / 2, across, LABEL_HEIGHT)


def entry_label(keys: Sequence[str | None]) -> str:
    """The label of an entry: the verdict types that start there."""
    return _shortened(visible(", ".join(_("entry") if key is None else key for key in keys)))


def entry_reach(label: str, width: TextWidth) -> float:
    """How far an entry mark stands out on the left of its step."""
    return _ARROW_ROOM + 2 * _DOT + LABEL_PADDING + ceil(width(label))


def entry_mark(keys: tuple[str | None, ...], target: NodeId, box: Box, width: TextWidth) -> EntryMark:
    """The mark at the left of an entry step."""
    label = entry_label(keys)
    y = box.y + box.height / 2
    dot = box.x - _ARROW_ROOM
    across = ceil(width(label))
    text = Box(dot - _DOT - LABEL_PADDING - across, y - LABEL_HEIGHT / 2, across, LABEL_HEIGHT)
    return EntryMark(keys, target, label, text, (dot, y), (Bend(dot + _DOT, y, 1, 0), Bend(box.x, y, 1, 0)))
