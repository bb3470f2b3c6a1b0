"""SF309 handoff-from-initial.

What it does: says where initial steps hand off.

Why is this bad: it needn't be. climpt makes the move and writes a warning into its log each time: it expects an initial
step to be followed by a continuation. The guide's project pattern hands off from initial steps as well.

Fix: none is needed; a continuation step that hands off would silence the runner.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Step, Transition
from stepflow_gui.lint.diagnostic import INFO
from stepflow_gui.lint.examples.example import changed
from stepflow_gui.lint.rule import FLOW, KINDS, Finding, Rule, Side
from stepflow_gui.lint.rules.flow.emitting import rules_of
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.gathering import gathered
from stepflow_gui.lint.scope import RuleContext
from stepflow_gui.messages import _

RULE = Rule("SF309", "handoff-from-initial", INFO, formats=KINDS, looks_at=FLOW)

BAD = changed(
    {
        "/steps/initial.issue/structuredGate/allowedIntents": ["next", "repeat", "handoff"],
        "/steps/initial.issue/transitions/handoff": {"target": "closure.issue"},
        "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum": ["next", "repeat", "handoff"],
    }
)
GOOD = changed()


def check(scope: RuleContext) -> Iterator[Finding]:
    """The runner looks at c2, whatever the kind."""
    found = [
        (step, rule)
        for step in scope.flow.steps.values()
        if step.c2 and step.c2.value == "initial"
        for rule in rules_of(step, scope, "handoff")
        if rule.target and rule.target.value in scope.flow.steps
    ]
    if found:
        steps = listed([step.id for step, _rule in found])
        message = (
            _("{steps}: a handoff from an initial step, as in the guide's project pattern; climpt warns and goes on")
            if scope.settings.guide
            else _("{steps}: a handoff from an initial step; {era} warns in its log and goes on")
        )
        yield gathered(
            message.format(steps=steps, era=scope.era.name),
            [_place(step, rule, scope) for step, rule in found],
            step=found[0][0].id,
        )


def _place(step: Step, rule: Transition, scope: RuleContext) -> Side:
    return Side(scope.registry, rule.key_span, rule.pointer, _("“{step}” hands off here as well").format(step=step.id))
