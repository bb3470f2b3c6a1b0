"""Three texts made one: what a file held, what the person made of it, and what another program wrote meanwhile.

The person's changes are made again on the other program's text. JSON is merged value by value, so two steps added side
by side are not conflict and a file formatted again stays so; where lines give the same, they are taken, so that changes
of the formatting are kept as well. Other texts, and broken ones, are merged line by line.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from stepflow_gui.text.json.merge import merge_json
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonTree
from stepflow_gui.text.json.values import same_values
from stepflow_gui.text.line_matching import LineMatcher
from stepflow_gui.text.source import Source

Side = Literal["ours", "theirs"]


class Conflict(NamedTuple):
    """A place that both changed, each to something else.

    `place` is a JSON Pointer, or `line 12` of the person's text; a choice is made by it. The texts are what each side
    has there, as JSON where the file is; None where it has nothing.
    """

    place: str
    base: str | None
    ours: str | None
    theirs: str | None

    @property
    def pointer(self) -> str | None:
        """The place in a JSON file; None in others."""
        return self.place if self.place.startswith("/") or not self.place else None


class MergedText(NamedTuple):
    """The text that holds both, and where it had to choose. Without a choice a conflict keeps the person's side."""

    text: str
    conflicts: list[Conflict]


NO_CHOICES: Mapping[str, Side] = {}


def merge(
    base: Source, ours: Source, theirs: Source, *, json: bool, choices: Mapping[str, Side] = NO_CHOICES
) -> MergedText:
    """Merge the person's text and another program's. `choices` names the side to use for the conflicts it lists."""
    if ours.text in (base.text, theirs.text):
        return MergedText(theirs.text, [])
    if theirs.text == base.text:
        return MergedText(ours.text, [])
    if json:
        was, mine, other = read_json(base), read_json(ours), read_json(theirs)
        if all(_is_sound(tree) for tree in (was, mine, other)):
            text, found = merge_json(was, mine, other, choices)
            if not found:
                text = _by_lines(base, ours, theirs, text) or text
            return MergedText(text, [Conflict(*each) for each in found])
    text, found = _merge_lines(base.text, ours.text, theirs.text, choices)
    return MergedText(text, [Conflict(*each) for each in found])


def _by_lines(base: Source, ours: Source, theirs: Source, by_values: str) -> str | None:
    """The merge by lines, if its values are those of the merge by values: it keeps both sides' formatting."""
    text, conflicts = _merge_lines(base.text, ours.text, theirs.text, NO_CHOICES)
    if conflicts:
        return None
    tree, wanted = read_json(Source(text)), read_json(Source(by_values))
    same = tree.root is not None and wanted.root is not None and same_values(tree.root.value, wanted.root.value)
    return text if same and _is_sound(tree) else None


def _is_sound(tree: JsonTree) -> bool:
    return tree.valid and not tree.duplicates()


_LineConflict = tuple[str, str | None, str | None, str | None]
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|$)")


class _Stretch(NamedTuple):
    """Lines of the base, and of each side in their place: start and end."""

    base: tuple[int, int]
    ours: tuple[int, int]
    theirs: tuple[int, int]


def _merge_lines(base: str, ours: str, theirs: str, choices: Mapping[str, str]) -> tuple[str, list[_LineConflict]]:
    """Their changes made in our text, and the conflicts: `line 12` of ours, and what base, ours and theirs have there.

    A conflict keeps our lines unless `choices` has `theirs` for it.
    """
    old, mine, other = _lines(base), _lines(ours), _lines(theirs)
    merged: list[str] = []
    conflicts: list[_LineConflict] = []
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
    """For each line of the base the line of a side that it became."""
    partners: list[int | None] = [None] * len(base)
    for match in LineMatcher(base, side).get_matching_blocks():
        partners[match.a : match.a + match.size] = range(match.b, match.b + match.size)
    return partners
