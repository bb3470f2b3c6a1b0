"""SF316 transition-fallback-ignored.

What it does: reports the `fallback` of a transition.

Why is this bad: no version of the runner reads it. Where the target can't be followed the run stops; it never goes to
the fallback.

Fix: remove the fallback. A conditional transition has a `default` for this.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.flow.step_names import is_step
from stepflow_gui.lint.rules.prelude import FLOW, GATE, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF316", "transition-fallback-ignored", WARNING, formats=GATE, looks_at=FLOW)

BAD = changed({"/steps/initial.issue/transitions/next/fallback": "closure.issue"})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """A fallback that is not a step is SF301's."""
    for step in context.flow.steps.values():
        yield from _of_step(step, context)


def _of_step(step: Step, context: RuleContext) -> Iterator[Finding]:
    for rule in step.transitions:
        if rule.fallback and is_step(rule.fallback.value, context.flow):
            yield Finding(
                _("The fallback “{target}” of “{intent}” of “{step}” is never read: the run can't go there").format(
                    target=rule.fallback.value, intent=rule.intent, step=step.id
                ),
                rule.fallback.span,
                rule.fallback.pointer,
                step=step.id,
            )
