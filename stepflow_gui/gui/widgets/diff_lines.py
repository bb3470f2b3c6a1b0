"""What a change does to a text, line by line, with a few lines around it. Knows no Qt."""

from difflib import SequenceMatcher
from typing import Literal, NamedTuple

CONTEXT = 2  # lines
_MOST = 4_000  # changed lines that are compared closely; more are shown as one block out and one in

Kind = Literal["same", "added", "removed", "gap"]
SIGNS: dict[Kind, str] = {"same": "  ", "added": "+ ", "removed": "− ", "gap": ""}


class DiffLine(NamedTuple):
    """A line of a comparison; a gap replaces what is the same and left out."""

    kind: Kind
    text: str


def diff_lines(before: str, after: str, context: int = CONTEXT) -> list[DiffLine]:
    """The lines that differ, and up to `context` lines before and after each stretch of them."""
    old, new = before.splitlines(), after.splitlines()
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    first, old_end, new_end = max(0, head - context), len(old) - tail, len(new) - tail
    shown = [DiffLine("same", text) for text in old[first:head]]
    middle_old, middle_new = old[head:old_end], new[head:new_end]
    if len(middle_old) + len(middle_new) > _MOST:
        shown += [DiffLine("removed", text) for text in middle_old]
        shown += [DiffLine("added", text) for text in middle_new]
    else:
        shown += _middle(middle_old, middle_new, context)
    return [*shown, *(DiffLine("same", text) for text in old[old_end : old_end + context])]


def dedented(lines: list[DiffLine]) -> list[DiffLine]:
    """The lines without the blanks that all of them begin with."""
    inked = [line.text for line in lines if line.kind != "gap" and line.text.strip()]
    width = min((len(text) - len(text.lstrip(" ")) for text in inked), default=0)
    return [line if line.kind == "gap" else line._replace(text=line.text[width:]) for line in lines]


def _middle(old: list[str], new: list[str], context: int) -> list[DiffLine]:
    shown: list[DiffLine] = []
    for tag, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            shown += [DiffLine("removed", text) for text in old[start:end]]
            shown += [DiffLine("added", text) for text in new[new_start:new_end]]
        elif end - start > 2 * context + 1:
            shown += [DiffLine("same", text) for text in old[start : start + context]]
            shown.append(DiffLine("gap", "⋯"))
            shown += [DiffLine("same", text) for text in old[end - context : end]]
        else:
            shown += [DiffLine("same", text) for text in old[start:end]]
    return shown
