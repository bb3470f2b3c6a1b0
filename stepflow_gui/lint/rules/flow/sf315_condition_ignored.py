"""SF315 condition-ignored.

What it does: reports a conditional `handoff` or `escalate`, and a transition that has a `target` beside its condition.

Why is this bad: of a `handoff` or `escalate` the runner reads the `target` only, and there is none. climpt up to
2026-03-14 ends the run at such a handoff silently; otherwise it stops with an error. The guide allows a condition
on any intent, so under the runtime `guide` this is information. Where there is a `target`, also one of null, every
runner follows it and never looks at the cases.

Fix: name one target. Where the target depends on the answer, let a `next` decide first. Of a target and cases beside
each other remove what isn't meant.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Transition
from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.flow.emitting import rules_of
from stepflow_gui.lint.rules.flow.likely import connect_to_likely
from stepflow_gui.lint.rules.once import merge_infos
from stepflow_gui.lint.rules.prelude import (
    ERROR,
    FLOW,
    GATE,
    INFO,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
)
from stepflow_gui.lint.run_paths import TARGET_ONLY
from stepflow_gui.text.pointer import join

RULE = Rule("SF315", "condition-ignored", ERROR, formats=GATE, looks_at=FLOW)

BAD = changed(
    {
        "/steps/continuation.issue/transitions/handoff": {
            "condition": "status",
            "targets": {"ready": "closure.issue", "default": "closure.issue"},
        }
    }
)
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Where a target stands beside the condition, it wins."""
    for step in context.flow.steps.values():
        for rule in step.transitions:
            if _has_both(rule):
                yield _dead_cases(step, rule, context)
    found = (
        _finding(step, rule, context)
        for step in context.flow.steps.values()
        for rule in rules_of(step, context, *TARGET_ONLY)
        if rule.cases and not rule.target
    )
    yield from merge_infos(found, RULE, context)


def _finding(step: Step, rule: Transition, context: RuleContext) -> Finding:
    uniform = context.era.uniform_rules
    if uniform:
        message = _("“{intent}” of “{step}” is conditional, as the guide allows; {era} reads only a target there")
    elif rule.intent == "handoff" and context.era.null_ends:
        message = _(
            "“{intent}” of “{step}” is conditional, but {era} reads only a target there: it ends the run silently"
        )
    else:
        message = _(
            "“{intent}” of “{step}” is conditional, but {era} reads only a target there: the run stops with an error"
        )
    return Finding(
        message.format(intent=rule.intent, step=step.id, era=context.climpt.name),
        rule.condition.span if rule.condition else rule.key_span,
        rule.condition.pointer if rule.condition else rule.pointer,
        step=step.id,
        severity=INFO if uniform else ERROR,
        proposals=() if uniform else connect_to_likely(step, rule, context),
        cause=None if uniform or rule.intent == "handoff" else ("intent", step.id, rule.intent),
    )


def _has_both(rule: Transition) -> bool:
    raw = rule.node.value
    return (rule.target is not None or rule.terminal) and isinstance(raw, dict) and raw.get("targets") is not None


def _dead_cases(step: Step, rule: Transition, context: RuleContext) -> Finding:
    message = (
        _("“{intent}” of “{step}” has a target of null: its condition and cases are never read")
        if rule.terminal
        else _("“{intent}” of “{step}” has the target “{target}”: its condition and cases are never read")
    )
    targets = join(rule.pointer, "targets")
    dead = [join(rule.pointer, key) for key in ("condition", "targets") if key in rule.node.value]
    title = _("Remove the condition with its cases")
    target = rule.target.value if rule.target else ""
    return Finding(
        message.format(intent=rule.intent, step=step.id, target=target),
        context.registry.tree.key_span(targets) or rule.key_span,
        targets,
        step=step.id,
        severity=WARNING,
        proposals=[
            *take_away(context.registry, dead, title),
            *take_away(
                context.registry,
                [join(rule.pointer, "target")],
                _("Remove the target"),
            ),
        ],
    )
