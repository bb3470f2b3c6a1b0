"""The transitions of the first releases as rules, which came with 0.3.0."""

from stepflow_gui.formats.takt.migrating.places import as_object, items
from stepflow_gui.formats.takt.migrating.text import PieceText
from stepflow_gui.formats.takt.piece import OLDER_NEXT, OLDER_RULES
from stepflow_gui.formats.takt.releases.sets import Releases, before, since
from stepflow_gui.messages import _
from stepflow_gui.text.pointer import join

STATUSES = before("0.3.0")
"""Releases that look for a status in the response, and follow the transition for it."""
_ALWAYS = "always"


def migrate_transitions(text: PieceText, step: str, target: Releases) -> None:
    """Write the transitions of a step as rules, where the target reads these; report what has no counterpart."""
    pointer = join(step, OLDER_RULES)
    if not target & since("0.3.0") or not text.has(pointer) or text.has(join(step, "rules")):
        return
    listed = items(text.value(pointer))
    for index, each in enumerate(listed):
        place, transition = join(pointer, index), as_object(each)
        if OLDER_NEXT in transition and "next" not in transition:
            text.rename(join(place, OLDER_NEXT), "next")
        if transition.get("condition") == _ALWAYS and len(listed) > 1:
            text.note(
                join(place, "condition"),
                _("“always” held for any status; it is one result among the others now: say when it holds"),
            )
    text.rename(pointer, "rules")
