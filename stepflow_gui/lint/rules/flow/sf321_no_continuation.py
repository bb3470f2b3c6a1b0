"""SF321 no-continuation.

What it does: reports a step that allows `next`, has no target for it, and no continuation step that the runner would go
to by default: `initial.x` is followed by `continuation.x`. Where there is one, an empty target gets a warning.

Why is this bad: climpt stops the run there with an error; up to 2026-03-14 it ends it silently. An empty target
counts as none, so the run goes to the default step whatever was meant.

Fix: connect `next` to the step that comes after.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text, Transition
from stepflow_gui.lint.rules.flow.emitting import emits
from stepflow_gui.lint.rules.flow.likely import connect_to_likely
from stepflow_gui.lint.rules.flow.naming import runner
from stepflow_gui.lint.rules.intents.unrouted import is_refused_empty
from stepflow_gui.lint.rules.prelude import (
    ERROR,
    FLOW,
    KINDS,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
)
from stepflow_gui.text.pointer import join

RULE = Rule(
    "SF321",
    "no-continuation",
    ERROR,
    formats=KINDS,
    looks_at=FLOW,
    defers_to=("SF224", "SF207", "SF205", "SF223", "SF206", "SF201", "SF202"),
)

BAD = changed({"/steps/continuation.issue/transitions/next/target": ""})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """An empty target counts as none; a rule that is malformed is SF004's."""
    for step in context.flow.steps.values():
        yield from _of_step(step, context)


def _of_step(step: Step, context: RuleContext) -> Iterator[Finding]:
    rule = step.transition("next")
    if rule and (rule.terminal or rule.cases or not rule.target or rule.target.value):
        return
    if not emits(step, "next", context) or is_refused_empty(step, "next", context):
        return
    following = "continuation." + step.id.removeprefix("initial.")
    if step.id.startswith("initial.") and following in context.flow.steps:
        if rule and rule.target:
            yield _empty(step, rule, rule.target, following, context)
        return
    pointer = rule.target.pointer if rule and rule.target else join(step.pointer, "transitions")
    node = step.transitions_node
    message = (
        _("“next” of “{step}” has no target, and no continuation step follows by default: {era} ends the run silently")
        if context.era.no_rule_ends
        else _(
            "“next” of “{step}” has no target, and no continuation step follows by default: {era} stops with an error"
        )
    )
    yield Finding(
        message.format(step=step.id, era=runner(context)),
        rule.target.span
        if rule and rule.target
        else context.registry.tree.key_span(pointer) or (node or step.node).span,
        pointer,
        step=step.id,
        proposals=connect_to_likely(step, rule, context) if rule else (),
        cause=("intent", step.id, "next"),
    )


def _empty(step: Step, rule: Transition, target: Text, following: str, context: RuleContext) -> Finding:
    message = _("The target of “next” of “{step}” is empty: {era} goes to “{following}” by default")
    return Finding(
        message.format(step=step.id, following=following, era=runner(context)),
        target.span,
        target.pointer,
        step=step.id,
        severity=WARNING,
        proposals=connect_to_likely(step, rule, context),
        cause=("intent", step.id, "next"),
    )
