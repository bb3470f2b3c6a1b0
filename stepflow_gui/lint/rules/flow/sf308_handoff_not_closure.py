"""SF308 handoff-not-closure.

What it does: reports a `handoff` that goes to a step which isn't a closure. It is information where it goes to the
first step of another flow, as in the guide's project pattern.

Why is this bad: `handoff` says that the work is done and the closure takes over. The runner goes wherever the
transition points and checks nothing, so a closure may be left out by mistake.

Fix: hand off to the closure step; use `next` or `jump` to go on working.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.flow.emitting import rules_of
from stepflow_gui.lint.rules.flow.example_steps import added
from stepflow_gui.lint.rules.flow.likely import likely_targets, topic_of
from stepflow_gui.lint.rules.once import merge_infos
from stepflow_gui.lint.rules.prelude import FLOW, INFO, KINDS, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF308", "handoff-not-closure", WARNING, formats=KINDS, looks_at=FLOW)

BAD = changed(
    {
        **added("continuation.issue.again", "work", {"repeat": "continuation.issue.again", "handoff": "closure.issue"}),
        "/steps/continuation.issue/transitions/handoff/target": "continuation.issue.again",
    },
    base="c3l",
)
GOOD = changed(base="c3l")


def check(context: RuleContext) -> Iterator[Finding]:
    """A step of unknown kind may be one; a conditional handoff is SF315's."""
    found = (
        _finding(step, rule.target, context.flow.steps[rule.target.value], context)
        for step in context.flow.steps.values()
        for rule in rules_of(step, context, "handoff")
        if rule.target and _goes_on_working(rule.target.value, context)
    )
    yield from merge_infos(found, RULE, context)


def _goes_on_working(name: str, context: RuleContext) -> bool:
    target = context.flow.steps.get(name)
    return target is not None and not target.is_section and target.kind not in {"closure", None}


def _finding(step: Step, name: Text, target: Step, context: RuleContext) -> Finding:
    begins = bool(target.c2 and target.c2.value == "initial") and topic_of(target) != topic_of(step)
    message = (
        _("“handoff” of “{step}” goes to “{target}”, where another flow begins: the run goes on there")
        if begins
        else _("“handoff” of “{step}” goes to “{target}”, a {kind} step: the run goes on there and isn't closed")
    )
    return Finding(
        message.format(step=step.id, target=target.id, kind=target.kind),
        name.span,
        name.pointer,
        step=step.id,
        severity=INFO if begins else WARNING,
        proposals=[
            write(context.registry, name.span, likely)._replace(guess=True)
            for likely in ([] if begins else likely_targets(step, "handoff", context.flow))
            if context.flow.steps[likely].kind == "closure"
        ],
        cause=("handoff", target.id),
    )
