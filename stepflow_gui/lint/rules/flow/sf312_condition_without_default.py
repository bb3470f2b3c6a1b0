"""SF312 condition-without-default.

What it does: reports conditional transitions without a `default`, unless the output schema makes sure that every answer
has one of the listed values.

Why is this bad: for any other value, and where the value is missing, the runner has nowhere to go. climpt ends such a
run silently up to its version of 2026-03-14 and stops it with an error later.

Fix: add a `default` to the targets.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.fixes import put
from stepflow_gui.lint.rules.flow.conditions import DEFAULT, Decision, decisions
from stepflow_gui.lint.rules.flow.example_steps import deciding
from stepflow_gui.lint.rules.flow.naming import runner
from stepflow_gui.lint.rules.prelude import GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF312", "condition-without-default", WARNING, formats=GATE, looks_at=STEP, defers_to=("SF314",))

BAD = changed(deciding({"ready": "continuation.issue"}))
GOOD = changed(deciding({"ready": "continuation.issue", "default": "initial.issue"}))


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at every condition that the runner reads."""
    for decision in decisions(step, context):
        if decision.default is None and not (decision.certain and decision.unlisted == []):
            yield _finding(step, decision, context)


def _finding(step: Step, decision: Decision, context: RuleContext) -> Finding:
    message = (
        _("“{intent}” of “{step}” has no “default”: where “{key}” has another value, {era} ends the run silently")
        if context.era.null_ends
        else _("“{intent}” of “{step}” has no “default”: where “{key}” has another value, {era} stops with an error")
    )
    rule = decision.rule
    targets = f"{rule.pointer}/targets"
    return Finding(
        message.format(intent=rule.intent, step=step.id, key=decision.condition.value, era=runner(context)),
        context.registry.tree.key_span(targets) or rule.key_span,
        targets,
        step=step.id,
        proposals=put(
            context.registry, targets, DEFAULT, step.id, _("Add a default that stays on “{step}”").format(step=step.id)
        ),
        cause=decision.cause,
    )
