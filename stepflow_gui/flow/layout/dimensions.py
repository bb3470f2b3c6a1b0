"""The figures of the layout: distances, and what is beside a step: its loop, its entry mark, its ghost's size."""

from collections import Counter
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
LINE_HEIGHT = 14.0  # that each line after the first adds
LABEL_LINES = 3  # more are counted
_WORD = 20  # characters of the longest word of prose; ids, paths and expressions have longer ones
LABEL_WIDTH = 220.0  # pixels of one line
_LIMIT = 30  # characters

LOOP_REACH = 34.0  # how far a loop stands out on the right
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


def label_of(move: Move) -> str:
    """A move in a line of text: the intent, the value or limit that it depends on, shortened if need be, its mark."""
    return _marked(_shortened(_text_of(move)), move)


def move_lines(moves: Sequence[Move]) -> list[str]:
    """The moves of an edge, a line each."""
    lines = dict.fromkeys(_marked(_text_of(move), move) for move in moves)
    return [line for line in lines if line]


def _text_of(move: Move) -> str:
    text = move.intent
    if move.limit is not None:
        text = _("{intent} (max {count})").format(intent=text, count=move.limit)
    return visible(text if move.case is None else f"{text}: {move.case}")


def full_label(source: NodeId, target: NodeId, moves: Sequence[Move]) -> list[str]:
    """The lines of an arc's edge: if the user is asked, the loop shows it; else the intents, if there are any.

    At a folded group each intent is counted.
    """
    if "group" in {source.kind, target.kind}:
        counts = Counter(visible(move.intent) for move in moves)
        return [f"{intent} ×{count}".lstrip() for intent, count in counts.items()]
    if source == target:
        return move_lines(moves)
    gone = [move for move in moves if not move.asks]
    return move_lines(gone or [move.without_asking() for move in moves])


def label_lines(full: Sequence[str], width: TextWidth) -> tuple[str, ...]:
    """The lines as they are drawn: three at most, then how many more there are, each shortened by itself."""
    lines = [_fitted(line, width) for line in full[:LABEL_LINES]]
    if len(full) > LABEL_LINES:
        lines.append(_("+{count} more").format(count=len(full) - LABEL_LINES))
    return tuple(lines)


def _fitted(line: str, width: TextWidth) -> str:
    """A line that is too wide without its end where it is prose, without its middle where it is an id or a path."""
    if width(line) <= LABEL_WIDTH:
        return line
    words = line.split()
    prose = max(map(len, words), default=0) <= _WORD or any(character > "\u2e7f" for character in line)
    least, most = 0, len(line)
    while least < most:
        kept = (least + most + 1) // 2
        if width(_without(line, kept, prose=prose)) <= LABEL_WIDTH:
            least = kept
        else:
            most = kept - 1
    return _without(line, least, prose=prose)


def _without(line: str, kept: int, *, prose: bool) -> str:
    """The line with this many characters and a sign for those left out."""
    head = kept if prose else kept - kept // 2
    tail = line[len(line) - (kept - head) :] if kept > head else ""
    return f"{line[:head].rstrip()}…{tail}"


def _marked(text: str, move: Move) -> str:
    """A text with what else must be for the move to count."""
    if move.asks:
        text = _("{intent} (asks the user)").format(intent=text)
    return _("{intent} (interactive only)").format(intent=text) if move.interactive else text


def label_size(lines: Sequence[str], width: TextWidth) -> tuple[float, float]:
    """The width and height of a label's chip."""
    across = max((ceil(width(line)) for line in lines), default=0)
    return across + 2 * LABEL_PADDING, LABEL_HEIGHT + LINE_HEIGHT * (len(lines) - 1)


def loop(box: Box, lines: Sequence[str], width: TextWidth) -> tuple[tuple[Bend, ...], Box]:
    """A loop at the right side of a step and the place of its label."""
    top, bottom = box.y + box.height * 0.3, box.y + box.height * 0.66
    middle = (top + bottom) / 2
    bends = (
        Bend(box.right, top, 1, 0),
        Bend(box.right + LOOP_REACH, middle, 0, 1),
        Bend(box.right, bottom, -1, 0),
    )
    across, down = label_size(lines, width)
    return bends, Box(box.right + LOOP_REACH + 2, middle - down / 2, across, down)


def _shortened(text: str) -> str:
    half = _LIMIT // 2
    return text if len(text) <= _LIMIT else f"{text[:half]}…{text[-half:]}"


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
