"""A tree taken along from one text to the next, where only the inside of one value differs.

Reading 1,000 steps again takes some 40 ms, this one. The tree changes, so it is only for who alone holds it.
"""

from bisect import bisect_left
from typing import NamedTuple

from stepflow_gui.text.json.spans import decoder
from stepflow_gui.text.json.tree import JsonTree, Node
from stepflow_gui.text.source import Source

_PIECE = 2048  # characters that are compared at once


class ChangedSpan(NamedTuple):
    """What differs between two texts: its place in the earlier one, and its length in the later one."""

    start: int
    end: int
    length: int


def stretch_between(before: str, after: str) -> ChangedSpan:
    """The shortest stretch outside which both texts are the same; of several the last one."""
    most = min(len(before), len(after))
    start = 0
    while start < most and before[start : start + _PIECE] == after[start : start + _PIECE]:
        start += _PIECE
    while start < most and before[start] == after[start]:
        start += 1
    start = min(start, most)
    tail, left = 0, most - start
    before_end, after_end = len(before), len(after)
    while tail + _PIECE <= left and (
        before[before_end - tail - _PIECE : before_end - tail] == after[after_end - tail - _PIECE : after_end - tail]
    ):
        tail += _PIECE
    while tail < left and before[before_end - tail - 1] == after[after_end - tail - 1]:
        tail += 1
    return ChangedSpan(start, before_end - tail, after_end - start - tail)


def carry_on(tree: JsonTree, source: Source, changed: ChangedSpan, holder: str) -> set[str] | None:
    """Take the tree on to the text `source`, which differs from its own inside one member of the object `holder`.

    `holder` is a key of the root. Gives the keys of its members that have new nodes: of the others all that was made
    before holds, moved. None, with nothing done, if it isn't certain that this equals what reading would give.
    """
    outer = tree.root.member(holder) if tree.sound and tree.root else None
    if tree.root is None or outer is None or not isinstance(outer.value.value, dict):
        return None
    members = outer.value.members()
    at = bisect_left(members, changed.start, key=lambda member: member.value.start) - 1
    if at < 0:
        return None
    key, node = members[at].key, members[at].value
    if changed.end >= node.end or not isinstance(node.value, dict):
        return None
    shift = changed.length - (changed.end - changed.start)
    decode, clashes = decoder()
    try:
        value, end = decode(source.text, node.start)
    except (ValueError, RecursionError):
        return None
    if clashes or end != node.end + shift or not isinstance(value, dict):
        return None
    outer.value.value[key] = value
    fresh = Node(value, node.start, end, source.text, node.depth, unique=True)
    changed_keys = outer.value.carry_members(key, fresh, shift, source.text)
    tree.root.carry_members(holder, outer.value, shift, source.text)
    tree.source = source
    return changed_keys | {key}
