"""SF306 null-target.

What it does: reports `target: null` on a transition that the run can take and whose intent doesn't end one: `closing`
does, or `complete` where that is the word.

Why is this bad: climpt ends such a run silently up to its version of 2026-03-14, as if it had succeeded;
since 2026-04-01 it stops it with an error. On `repeat` the null isn't read at all. The guide lets null end the run, so
under the runtime `guide` this is information.

Fix: connect the transition to a step; a work step that is done hands off to a closure step.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Transition
from stepflow_gui.lint.diagnostic import Severity
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

RULE = Rule("SF306", "null-target", ERROR, formats=GATE, looks_at=FLOW)

BAD = changed({"/steps/continuation.issue/transitions/next/target": None})
GOOD = changed()

LOOKED_AT = ("next", "jump", "handoff", "repeat")  # SF310 looks at escalate; null is right for closing and abort


def check(context: RuleContext) -> Iterator[Finding]:
    """Conditional transitions are SF320's."""
    found = (
        _finding(rule, step, context)
        for step in context.flow.steps.values()
        for rule in rules_of(step, context, *LOOKED_AT)
        if rule.terminal
    )
    yield from merge_infos(found, RULE, context)


def _finding(rule: Transition, step: Step, context: RuleContext) -> Finding:
    severity, message = _judged(rule.intent, context)
    target = rule.node.get("target") or rule.node
    end = "complete" if context.format == "complete" else "closing"
    return Finding(
        message.format(intent=rule.intent, step=step.id, era=context.era.name, end=end),
        target.span,
        f"{rule.pointer}/target",
        step=step.id,
        severity=severity,
        proposals=connect_to_likely(step, rule, context),
    )


def _judged(intent: str, context: RuleContext) -> tuple[Severity, str]:
    if intent == "repeat" and context.era.entry_pairs is not context.climpt.entry_pairs:
        return INFO, _("“repeat” of “{step}” goes to null, which nothing reads: the run stays on the step")
    if intent == "repeat" and context.settings.guide:
        return INFO, _("“repeat” of “{step}” goes to null: the guide ends the run there, {era} repeats the step")
    if context.settings.guide:
        return INFO, _(
            "“{intent}” of “{step}” has a target of null: the guide ends the run there; climpt since"
            " 2026-04-01 stops it with an error, versions up to 2026-03-14 end it silently"
        )
    if intent == "repeat" and context.era.repeat != "moves":
        return WARNING, _(
            "“repeat” of “{step}” goes to null, which {era} doesn't read: the run stays on the step; the guide would "
            "end it there"
        )
    if context.era.null_ends:
        return WARNING, _(
            "“{intent}” of “{step}” has a target of null: {era} ends the run there silently, climpt since"
            " 2026-04-01 stops it with an error; only “{end}” is meant to end a run"
        )
    return ERROR, _(
        "“{intent}” of “{step}” has a target of null: {era} stops the run there with an error; only “closing” ends"
        " a run"
    )
