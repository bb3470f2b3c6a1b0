"""SF315 condition-ignored.

What it does: reports a conditional `handoff` or `escalate`.

Why is this bad: of these the runner reads the `target` only, and there is none. climpt up to 2026-03-14 ends the run at
such a handoff without a word; otherwise it stops with an error. The guide allows a condition on any intent, so under
the runtime `guide` this is information.

Fix: name one target. Where the way depends on the answer, let a `next` decide first.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Transition
from stepflow_gui.lint.rules.flow.emitting import rules_of
from stepflow_gui.lint.rules.flow.likely import connect_to_likely
from stepflow_gui.lint.rules.once import merge_infos
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, INFO, KINDS, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.run_paths import TARGET_ONLY

RULE = Rule("SF315", "condition-ignored", ERROR, formats=KINDS, looks_at=FLOW)

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
    """A target beside the condition wins, and all is well."""
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
            "“{intent}” of “{step}” is conditional, but {era} reads only a target there: it ends the run without a word"
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
