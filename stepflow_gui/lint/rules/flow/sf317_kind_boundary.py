"""SF317 kind-boundary.

What it does: reports transitions between kinds of steps that the design keeps apart: `next` or `jump` from a work step
to a closure, `escalate` to a closure, `repeat` of a closure to anything but a work step.

Why is this bad: the runner goes there anyway, and work is closed without a handoff unnoticed; climpt's
own check of a registry objects to it.

Fix: hand off to the closure, or connect the transition to a step of a kind that may follow.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text, Transition
from stepflow_gui.lint.rules.flow.emitting import rules_of
from stepflow_gui.lint.rules.prelude import FLOW, KINDS, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF317", "kind-boundary", WARNING, formats=KINDS, looks_at=FLOW, defers_to=("SF308", "SF101", "SF302"))

BAD = changed({"/steps/continuation.issue/transitions/next/target": "closure.issue"})
GOOD = changed()

MAY_FOLLOW = {
    ("work", "next"): ("work", "verification"),
    ("work", "jump"): ("work", "verification"),
    ("verification", "escalate"): ("work", "verification"),
    ("closure", "repeat"): ("work",),
}
"""Kinds that may follow a kind by an intent (runtime-semantics 15). What isn't here may go anywhere."""


def check(context: RuleContext) -> Iterator[Finding]:
    """A step may always go to itself, and a kind that isn't known is none to be kept apart."""
    for step in context.flow.steps.values():
        yield from _of_step(step, context)


def _of_step(step: Step, context: RuleContext) -> Iterator[Finding]:
    for rule in rules_of(step, context):
        following = MAY_FOLLOW.get((step.kind or "", rule.intent))
        if following is None:
            continue
        for text in _targets(rule):
            target = context.flow.steps.get(text.value)
            if target and target is not step and target.kind and target.kind not in following:
                yield _finding(step, rule, text, target, context)


def _targets(rule: Transition) -> list[Text]:
    named = [rule.target] if rule.target else [case.target for case in rule.cases]
    return [text for text in named if text]


def _finding(step: Step, rule: Transition, text: Text, target: Step, context: RuleContext) -> Finding:
    message = (
        _("“{intent}” goes from the work step “{step}” to “{target}”, a closure: only “handoff” is meant to go there")
        if step.kind == "work"
        else _(
            "“{intent}” goes from “{step}”, a {kind} step, to “{target}”, a {other} step, which isn't meant to follow"
        )
    )
    return Finding(
        message.format(intent=rule.intent, step=step.id, target=target.id, kind=step.kind, other=target.kind),
        text.span,
        text.pointer,
        step=step.id,
        cause=context.copy_cause(step),
    )
