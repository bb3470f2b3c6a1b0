"""SF309 handoff-from-initial.

What it does: reports where initial steps hand off.

Why is this bad: it may be intended. climpt makes the move and writes a warning into its log each time: it expects an
initial step to be followed by a continuation. The guide's project pattern hands off from initial steps as well.

Fix: nothing to fix; a continuation step that hands off would silence the runner.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Transition
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.flow.emitting import rules_of
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import FLOW, INFO, KINDS, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF309", "handoff-from-initial", INFO, formats=KINDS, looks_at=FLOW)

BAD = changed(
    {
        "/steps/initial.issue/structuredGate/allowedIntents": ["next", "repeat", "handoff"],
        "/steps/initial.issue/transitions/handoff": {"target": "closure.issue"},
        "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum": ["next", "repeat", "handoff"],
    }
)
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """The runner looks at c2, whatever the kind."""
    found = [
        (step, rule)
        for step in context.flow.steps.values()
        if step.c2 and step.c2.value == "initial"
        for rule in rules_of(step, context, "handoff")
        if rule.target and rule.target.value in context.flow.steps
    ]
    if found:
        steps = listed([step.id for step, _rule in found])
        message = (
            _("{steps}: a handoff from an initial step, as in the guide's project pattern; {era} warns and goes on")
            if context.settings.guide
            else _("{steps}: a handoff from an initial step; {era} warns in its log and goes on")
        )
        yield merge_places(
            message.format(steps=steps, era=context.climpt.name),
            [_place(step, rule, context) for step, rule in found],
            step=found[0][0].id,
        )


def _place(step: Step, rule: Transition, context: RuleContext) -> Side:
    return Side(
        context.registry, rule.key_span, rule.pointer, _("“{step}” hands off here as well").format(step=step.id)
    )
