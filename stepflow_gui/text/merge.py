"""Three texts made one: what a file held, what the person made of it, and what another program wrote meanwhile.

The person's changes are made again on the other program's text. JSON is merged value by value, so two steps added side
by side are no conflict and a file formatted anew stays so; where lines give the same, they are taken, so that changes
of the way it is written stay as well. Other texts, and broken ones, are merged line by line.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from stepflow_gui.text.json.merge import merge_json
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonTree
from stepflow_gui.text.json.values import same_values
from stepflow_gui.text.line_merge import merge_lines
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
    """Merge the person's text and another program's. `choices` says which side is wanted at the conflicts it names."""
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
    text, found = merge_lines(base.text, ours.text, theirs.text, choices)
    return MergedText(text, [Conflict(*each) for each in found])


def _by_lines(base: Source, ours: Source, theirs: Source, by_values: str) -> str | None:
    """The merge by lines, where it says the same as the one by values: then both sides' ways of writing stay."""
    text, conflicts = merge_lines(base.text, ours.text, theirs.text, NO_CHOICES)
    if conflicts:
        return None
    tree, wanted = read_json(Source(text)), read_json(Source(by_values))
    same = tree.root is not None and wanted.root is not None and same_values(tree.root.value, wanted.root.value)
    return text if same and _is_sound(tree) else None


def _is_sound(tree: JsonTree) -> bool:
    return tree.valid and not tree.duplicates()
