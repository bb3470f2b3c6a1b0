"""SF318 complete-target.

What it does: reports a `complete` that doesn't go to a step `complete.…`, and one that goes back to its own step.

Why is this bad: the design demands that `complete` always goes to `complete.<domain>`, and forbids a flow that says it
is complete and runs the same step again. climpt ends the run at once and never follows the transition, so the file says
something else than what happens.

Fix: connect `complete` to the flow's `complete.…` step; there it is null.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text, Transition
from stepflow_gui.lint.rules.flow.emitting import rules_of
from stepflow_gui.lint.rules.flow.likely import connect_to_likely, end_there
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF318", "complete-target", WARNING, formats=("complete",), looks_at=FLOW)

BAD = changed({"/steps/continuation.issue/transitions/complete/target": "initial.issue"}, base="complete")
GOOD = changed(base="complete")

PREFIX = "complete."


def check(context: RuleContext) -> Iterator[Finding]:
    """A name that is not a step is SF301's; a conditional rule isn't read."""
    for step in context.flow.steps.values():
        yield from _of_step(step, context)


def _of_step(step: Step, context: RuleContext) -> Iterator[Finding]:
    for rule in rules_of(step, context, "complete"):
        if rule.target and rule.target.value == step.id:
            yield _to_itself(step, rule, rule.target, context)
        elif rule.terminal and not step.id.startswith(PREFIX):
            yield _elsewhere(step, rule, None, context)
        elif rule.target and rule.target.value in context.flow.steps and not rule.target.value.startswith(PREFIX):
            yield _elsewhere(step, rule, rule.target, context)


def _to_itself(step: Step, rule: Transition, text: Text, context: RuleContext) -> Finding:
    return Finding(
        _(
            "“complete” of “{step}” goes back to “{step}”: the design forbids a flow that is complete and runs the "
            "same step again; {era} ends the run there and never follows it"
        ).format(step=step.id, era=context.climpt.name),
        text.span,
        text.pointer,
        step=step.id,
        severity=ERROR,
        proposals=end_there(rule, context) if step.id.startswith(PREFIX) else connect_to_likely(step, rule, context),
    )


def _elsewhere(step: Step, rule: Transition, text: Text | None, context: RuleContext) -> Finding:
    message = (
        _("“complete” of “{step}” goes to “{target}”: the design expects a step “complete.…” there; {era} ends the run")
        if text
        else _("“complete” of “{step}” goes to null: the design expects a step “complete.…” there; {era} ends the run")
    )
    target = rule.node.get("target") or rule.node
    return Finding(
        message.format(step=step.id, target=text.value if text else "", era=context.climpt.name),
        text.span if text else target.span,
        f"{rule.pointer}/target",
        step=step.id,
        proposals=connect_to_likely(step, rule, context),
    )
