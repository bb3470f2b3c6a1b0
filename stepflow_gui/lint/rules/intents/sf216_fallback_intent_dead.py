"""SF216 fallback-intent-dead.

What it does: reports a `fallbackIntent` of a gate that stops at unreadable answers: `failFast` is true or absent.

Why is this bad: such a gate ends the run before it gets to its fallback. The field is never read and promises something
that doesn't happen.

Fix: remove it. `failFast: false` would bring it to life, and is meant for debugging only.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import DocumentEdits, Later
from stepflow_gui.lint.rules.intents.gate_reading import stops_unread
from stepflow_gui.lint.rules.once import Remark, merge_remarks
from stepflow_gui.lint.rules.prelude import FLOW, INFO, KINDS, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import Place

RULE = Rule("SF216", "fallback-intent-dead", INFO, formats=KINDS, looks_at=FLOW)

BAD = changed({"/steps/initial.issue/structuredGate/fallbackIntent": "repeat"})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Said once a file."""
    if context.era.fail_fast:
        yield from merge_remarks(
            _remarks(context),
            _("{count} fallbackIntents are never used, first in “{step}”: unreadable answers end the run (failFast)"),
            _("Remove every fallbackIntent that is never used"),
            _without,
        )


def _remarks(context: RuleContext) -> Iterator[Remark]:
    for step in context.flow.steps.values():
        if step.gate and step.gate.fail_fast and step.gate.fallback_intent:
            intent = step.gate.fallback_intent
            message = (
                _("The fallbackIntent of “{step}” is never used: an unreadable answer ends the run (failFast)")
                if stops_unread(step, context)
                else _("The fallbackIntent of “{step}” is never used: {era} doesn't ask the gate of a closure step")
            )
            place = Place(context.registry, intent.pointer, intent.span)
            text = message.format(step=step.id, era=context.era.name)
            yield Remark(text, _("never used either"), place, step.id)


def _without(remarks: list[Remark]) -> Later | None:
    document = remarks[0].place.document

    def edits() -> DocumentEdits:
        from stepflow_gui.text.json.edit import remove

        return [(document, edit) for edit in remove(document.tree, *(remark.place.pointer for remark in remarks))]

    return Later(edits) if document.tree.valid else None
