"""SF612 max-attempts-one.

What it does: points out validation steps whose `maxAttempts` is 1.

Why is this bad: climpt counts the first failure as an attempt, so it gives up without any retry. The guide speaks
of a limit on retries, and would retry once.

Fix: write one more than the retries that are meant, if climpt is to run it.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.validation import ValidationStep
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import FLOW, INFO, KINDS, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.example_checks import checked
from stepflow_gui.text.pointer import join

RULE = Rule("SF612", "max-attempts-one", INFO, formats=KINDS, looks_at=FLOW)

BAD = checked({"/validationSteps/closure.polling/onFailure/maxAttempts": 1}, base="c3l")
GOOD = checked({"/validationSteps/closure.polling/onFailure/maxAttempts": 2}, base="c3l")


def check(context: RuleContext) -> Iterator[Finding]:
    """One note a file."""
    steps = [step for step in context.validation.steps if _tries_once(step)]
    if steps:
        text = {
            "tries": _("{steps}: maxAttempts 1 means no retry, as {era} counts the first failure as an attempt"),
            "retries": _(
                "{steps}: maxAttempts 1 means one retry in the guide, and none in climpt since 2026-04-08, which"
                " counts attempts"
            ),
            "unread": _("{steps}: {era} doesn't read maxAttempts 1; climpt 2026-04-08 and later treat it as no retry"),
        }[context.era.attempts]
        message = text.format(steps=listed([step.at.name for step in steps]), era=context.climpt.name)
        yield merge_places(message, [_place(step, context) for step in steps])


def _tries_once(step: ValidationStep) -> bool:
    if step.on_failure is None:
        return False
    attempts = step.on_failure.value.get("maxAttempts")
    retries = step.on_failure.value.get("action", "retry") == "retry"
    return retries and isinstance(attempts, int | float) and not isinstance(attempts, bool) and attempts == 1


def _place(step: ValidationStep, context: RuleContext) -> Side:
    assert step.on_failure is not None
    node = step.on_failure.get("maxAttempts")
    assert node is not None
    return Side(context.registry, node.span, join(step.at.pointer, "onFailure", "maxAttempts"), _("this one as well"))
