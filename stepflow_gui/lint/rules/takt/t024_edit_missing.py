"""T024 edit-missing.

What it does: points out movements and sub-steps without `edit`.

Why is this bad: the guide requires it. Without it the prompt neither allows nor forbids the agent to edit files.

Fix: add `edit: true` or `edit: false`.
"""

from collections.abc import Iterator

from stepflow_gui.formats.takt.releases.sets import since
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import guesses, put
from stepflow_gui.lint.rules.prelude import FLOW, INFO, Finding, Rule, RuleContext, _, ngettext
from stepflow_gui.lint.rules.takt.reading import TAKT, all_steps
from stepflow_gui.lint.rules.takt.release_words import wanted_releases

RULE = Rule("T024", "edit-missing", INFO, formats=TAKT, looks_at=FLOW)

BAD = piece(("    persona: planner\n    edit: false\n", "    persona: planner\n"))
GOOD = piece()

_SHOWN = 20
_EDITING = ("edit", "full")  # permission modes


def check(context: RuleContext) -> Iterator[Finding]:
    """One note a file; the guide is that of pieces."""
    if context.takt.notation != "piece" or not wanted_releases(context) & since("0.3.0"):
        return
    places = [
        place for place in all_steps(context) if place.step.kind == "movement" and not place.step.node.member("edit")
    ]
    if not places:
        return
    first, *others = places
    text = ngettext(
        "“{step}” has no `edit`: it isn't clear whether it may edit files",
        "{count} movements and sub-steps, such as “{step}”, don't say whether they may edit files",
        len(places),
    )
    mode = first.step.raw.get("permission_mode") or first.step.raw.get("required_permission_mode")
    edits = mode in _EDITING
    title = _("Add “edit: true” to “{step}”") if edits else _("Add “edit: false” to “{step}”")
    yield Finding(
        text.format(step=first.step.id, count=len(places)),
        first.step.key_span,
        first.step.pointer,
        (first.parent or first.step).id,
        sides=[
            Side(
                context.registry,
                each.step.key_span,
                each.step.pointer,
                _("nor does “{step}”").format(step=each.step.id),
            )
            for each in others[:_SHOWN]
        ],
        proposals=guesses(
            put(context.registry, first.step.pointer, "edit", edits, title.format(step=first.step.id))
        ),  # only its author knows
    )
