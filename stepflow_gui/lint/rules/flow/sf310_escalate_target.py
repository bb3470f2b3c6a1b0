"""SF310 escalate-target.

What it does: reports an `escalate` that is allowed and whose transition names no step: it is missing, null, empty or
conditional.

Why is this bad: of an escalation the runner reads the `target` only, and stops the run with an error where there is
none. The guide treats `escalate` as any other intent, so under the runtime `guide` this is information.

Fix: connect `escalate` to the step that deals with what the verification found.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Transition
from stepflow_gui.lint.rules.flow.emitting import emits
from stepflow_gui.lint.rules.flow.example_steps import PROMPTS, added
from stepflow_gui.lint.rules.flow.likely import connect_to_likely
from stepflow_gui.lint.rules.intents.unrouted import is_refused_empty
from stepflow_gui.lint.rules.once import merge_infos
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, INFO, KINDS, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.pointer import join

RULE = Rule(
    "SF310",
    "escalate-target",
    ERROR,
    formats=KINDS,
    looks_at=FLOW,
    defers_to=("SF224", "SF207", "SF205", "SF223", "SF206", "SF201", "SF202", "SF315"),
)

_CHECKED = {
    "/steps/initial.issue/transitions/next/target": "verification.issue",
    **added("verification.issue", "verification", {"next": "continuation.issue", "escalate": None}),
}
BAD = changed(_CHECKED, base="c3l", texts=PROMPTS)
GOOD = changed(
    {**_CHECKED, "/steps/verification.issue/transitions/escalate/target": "initial.issue"}, base="c3l", texts=PROMPTS
)


def check(context: RuleContext) -> Iterator[Finding]:
    """A name that is not a step is SF301's."""
    yield from merge_infos(
        (found for step in context.flow.steps.values() for found in _of_step(step, context)), RULE, context
    )


def _of_step(step: Step, context: RuleContext) -> Iterator[Finding]:
    if not emits(step, "escalate", context) or is_refused_empty(step, "escalate", context):
        return
    rule = step.transition("escalate")
    if rule and rule.target and rule.target.value:
        return
    uniform = context.era.uniform_rules
    if uniform and (rule is None or not (rule.terminal or rule.cases)):
        return  # SF203's
    message = (
        _("{reason}: the guide reads it as any other transition; {era} stops the run with an error")
        if uniform
        else _("{reason}: {era} reads only a target there and stops the run with an error")
    )
    where = rule.pointer if rule else join(step.pointer, "transitions")
    node = step.transitions_node
    yield Finding(
        message.format(reason=_reason(rule).format(step=step.id), era=context.climpt.name),
        rule.key_span if rule else context.registry.tree.key_span(where) or (node.span if node else step.key_span),
        where,
        step=step.id,
        severity=INFO if uniform else ERROR,
        proposals=connect_to_likely(step, rule, context) if rule else (),
        cause=None if uniform else ("intent", step.id, "escalate"),
    )


def _reason(rule: Transition | None) -> str:
    if rule is None:
        return _("“escalate” is allowed in “{step}” and has no transition")
    if rule.terminal:
        return _("“escalate” of “{step}” goes to null")
    if rule.cases:
        return _("“escalate” of “{step}” is conditional")
    return _("“escalate” of “{step}” names no target")
