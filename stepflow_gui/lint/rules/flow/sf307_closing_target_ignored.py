"""SF307 closing-target-ignored.

What it does: reports a `closing` that names a step.

Why is this bad: `closing` ends the run, and the runner doesn't read where it goes: what comes after is never done.

Fix: write null. Where the work is to go on, another intent is meant.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.flow.emitting import rules_of
from stepflow_gui.lint.rules.flow.likely import end_there
from stepflow_gui.lint.rules.flow.step_names import is_step
from stepflow_gui.lint.rules.prelude import FLOW, KINDS, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF307", "closing-target-ignored", WARNING, formats=KINDS, looks_at=FLOW)

BAD = changed({"/steps/closure.issue/transitions/closing/target": "initial.issue"})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """A name that is not a step is SF301's."""
    for step in context.flow.steps.values():
        yield from _of_step(step, context)


def _of_step(step: Step, context: RuleContext) -> Iterator[Finding]:
    for rule in rules_of(step, context, "closing"):
        named = [text for text in (rule.target, *(case.target for case in rule.cases)) if text and text.value]
        if named and all(is_step(text.value, context.flow) for text in named):
            yield Finding(
                _("“closing” of “{step}” names “{target}”: the run ends there, and the target is never read").format(
                    step=step.id, target=named[0].value
                ),
                named[0].span,
                named[0].pointer,
                step=step.id,
                proposals=end_there(rule, context),
            )
