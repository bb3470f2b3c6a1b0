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
    """The edits from first to last. Raises ValueError where two overlap."""
    inorder = sorted(edits, key=lambda edit: (edit.start, edit.end))
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
    """The edits that lead from the edited text back to `text`."""
    shift = 0
    back: list[TextEdit] = []
    for edit in ordered(edits):
        start = edit.start + shift
        back.append(TextEdit(start, start + len(edit.text), text[edit.start : edit.end]))
        shift += len(edit.text) - (edit.end - edit.start)
    return back


def difference(before: str, after: str) -> Sequence[TextEdit]:
    """One edit that leads from one text to the other, as short as its two ends allow; none where they are the same."""
    if before == after:
        return ()
    limit = min(len(before), len(after))
    start = 0
    while start < limit and before[start] == after[start]:
        start += 1
    tail = 0
    while tail < limit - start and before[len(before) - 1 - tail] == after[len(after) - 1 - tail]:
        tail += 1
    return (TextEdit(start, len(before) - tail, after[start : len(after) - tail]),)
