"""Texts merged line by line: stretches that one side changed are taken, those that both changed are conflicts."""

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import NamedTuple

from stepflow_gui.text.edit import common_ends

Found = tuple[str, str | None, str | None, str | None]
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|$)")


class _Stretch(NamedTuple):
    """Lines of the base, and of each side in their place: start and end."""

    base: tuple[int, int]
    ours: tuple[int, int]
    theirs: tuple[int, int]


def merge_lines(base: str, ours: str, theirs: str, choices: Mapping[str, str]) -> tuple[str, list[Found]]:
    """Their changes made in our text, and the conflicts: `line 12` of ours, and what base, ours and theirs have there.

    A conflict keeps our lines where `choices` doesn't say `theirs` for it.
    """
    old, mine, other = _lines(base), _lines(ours), _lines(theirs)
    merged: list[str] = []
    conflicts: list[Found] = []
    for stretch in _stretches(old, mine, other):
        here, left, right = old[slice(*stretch.base)], mine[slice(*stretch.ours)], other[slice(*stretch.theirs)]
        if left in (here, right):
            merged += right
        elif right == here:
            merged += left
        else:
            place = f"line {stretch.ours[0] + 1}"
            conflicts.append((place, _text(here), _text(left), _text(right)))
            merged += right if choices.get(place) == "theirs" else left
    return "".join(merged), conflicts


def _text(lines: list[str]) -> str | None:
    return "".join(lines) or None


def _lines(text: str) -> list[str]:
    return [line for line in _LINE.findall(text) if line]


def _stretches(base: list[str], ours: list[str], theirs: list[str]) -> Iterator[_Stretch]:
    """The whole of the three, cut where all have the same line."""
    left, right = _partners(base, ours), _partners(base, theirs)
    at = (0, 0, 0)
    for line, (mine, other) in enumerate(zip(left, right, strict=True)):
        if mine is None or other is None:
            continue
        anchor = (line, mine, other)
        if anchor != at:
            yield _Stretch(*zip(at, anchor, strict=True))
        yield _Stretch(*((start, start + 1) for start in anchor))
        at = (anchor[0] + 1, anchor[1] + 1, anchor[2] + 1)
    end = (len(base), len(ours), len(theirs))
    if at != end:
        yield _Stretch(*zip(at, end, strict=True))


def _partners(base: list[str], side: list[str]) -> list[int | None]:
    """For each line of the base the line of a side that it became. What both begin and end with is never searched."""
    head, tail = common_ends(base, side)
    partners: list[int | None] = [*range(head), *[None] * (len(base) - head)]
    shift = len(side) - len(base)
    for line in range(len(base) - tail, len(base)):
        partners[line] = line + shift
    matcher = SequenceMatcher(None, base[head : len(base) - tail], side[head : len(side) - tail])
    for match in matcher.get_matching_blocks():
        for at in range(match.size):
            partners[head + match.a + at] = head + match.b + at
    return partners
