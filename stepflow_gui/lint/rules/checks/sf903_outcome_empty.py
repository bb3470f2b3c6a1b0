"""SF903 outcome-empty.

What it does: reports an `onPass` or `onFail` that has none of `next`, `fallback`, `retry` and `complete`.

Why is this bad: the design leaves open what follows then. climpt ends the run as a success, even where the check has
failed.

Fix: write where the flow goes on, or `complete` where it ends.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.checks.outcomes import outcomes, reader
from stepflow_gui.lint.rules.prelude import ERROR, STEP, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF903", "outcome-empty", ERROR, formats=("checks",), looks_at=STEP)

BAD = changed({"/steps/s_b2c1/check/onFail": {}}, base="checks")
GOOD = changed(base="checks")


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """An outcome that doesn't exist is SF902's, one that is not an object SF004's."""
    for outcome in outcomes(step):
        if not outcome.given_keys:
            text = _("“{outcome}” of “{step}” has no target: {era} ends the run there, as a success")
            message = text.format(outcome=outcome.name, step=step.id, era=reader(context))
            yield Finding(message, outcome.key_span, outcome.pointer, step.id)
