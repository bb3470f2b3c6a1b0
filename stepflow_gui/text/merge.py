"""Three texts made one: what a file held, what the person made of it, and what another program wrote meanwhile.

The person's changes are made again on the other program's text. JSON is merged value by value, so two steps added side
by side are no conflict and a file formatted anew stays so; other texts, and broken ones, are merged line by line.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from stepflow_gui.text.json_merge import merge_json
from stepflow_gui.text.json_tree import read_json
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


class Merged(NamedTuple):
    """The text that holds both, and where it had to choose. Without a choice a conflict keeps the person's side."""

    text: str
    conflicts: list[Conflict]


NO_CHOICES: Mapping[str, Side] = {}


def merge(
    base: Source, ours: Source, theirs: Source, *, json: bool, choices: Mapping[str, Side] = NO_CHOICES
) -> Merged:
    """Merge the person's text and another program's. `choices` says which side is wanted at the conflicts it names."""
    if ours.text in (base.text, theirs.text):
        return Merged(theirs.text, [])
    if theirs.text == base.text:
        return Merged(ours.text, [])
    if json:
        was, mine, other = read_json(base), read_json(ours), read_json(theirs)
        if all(tree.valid and not tree.duplicates() for tree in (was, mine, other)):
            text, found = merge_json(was, mine, other, choices)
            return Merged(text, [Conflict(*each) for each in found])
    text, found = merge_lines(base.text, ours.text, theirs.text, choices)
    return Merged(text, [Conflict(*each) for each in found])
