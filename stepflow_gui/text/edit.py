"""Text edits: replacing stretches of a text, and the edits that undo them."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


class TextEdit(NamedTuple):
    """Replace the text between two offsets (code points) by another."""

    start: int
    end: int
    text: str


def ordered(edits: Iterable[TextEdit]) -> list[TextEdit]:
    """The edits from first to last. Raises ValueError where two overlap, or one ends before it starts."""
    inorder = sorted(edits, key=lambda edit: (edit.start, edit.end))
    if any(edit.end < edit.start for edit in inorder):
        raise ValueError("a text edit ends before it starts")
    for before, after in pairwise(inorder):
        if after.start < before.end:
            raise ValueError("text edits overlap")
    return inorder


def apply(text: str, edits: Iterable[TextEdit]) -> str:
    """The text after all edits, whose offsets all count in the text as it was before any."""
    parts: list[str] = []
    at = 0
    for edit in ordered(edits):
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join([*parts, text[at:]])


def inverse(text: str, edits: Iterable[TextEdit]) -> list[TextEdit]:
    """The edits that turn the edited text back into `text`."""
    shift = 0
    back: list[TextEdit] = []
    for edit in ordered(edits):
        start = edit.start + shift
        back.append(TextEdit(start, start + len(edit.text), text[edit.start : edit.end]))
        shift += len(edit.text) - (edit.end - edit.start)
    return back


def moved(offset: int, edits: Sequence[TextEdit]) -> int:
    """Where an offset is after edits, given from first to last; inside a stretch that was replaced, its beginning."""
    by = 0
    for start, end, text in edits:
        if end <= offset:
            by += len(text) - (end - start)
        elif start < offset:
            return start + by
    return offset + by


def difference(before: str, after: str) -> Sequence[TextEdit]:
    """One edit that turns one text into the other, as short as its two ends allow; none if they are the same."""
    if before == after:
        return ()
    start, tail = common_ends(before, after)
    return (TextEdit(start, len(before) - tail, after[start : len(after) - tail]),)


def common_ends(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """How many characters, or lines, two texts begin and end with alike; none is counted twice."""
    start = _common(before, after)
    return start, _common_tail(before, after, min(len(before), len(after)) - start)


def _common(before: Sequence[str], after: Sequence[str]) -> int:
    """How much two texts begin with alike. Halving keeps the comparing in C."""
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        if before[low:middle] == after[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_tail(before: Sequence[str], after: Sequence[str], limit: int) -> int:
    """How much two texts end with alike, up to a limit."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if before[len(before) - middle : len(before) - low] == after[len(after) - middle : len(after) - low]:
            low = middle
        else:
            high = middle - 1
    return low
