"""SF904 outcome-conflict.

What it does: reports an `onPass` or `onFail` that has more than one of `next`, `fallback`, `retry` and `complete`. A
`retry` with a `fallback` for when the retries are used up is pointed out only.

Why is this bad: only one of them can be followed. climpt takes the first of `complete`, `next`, `fallback` and `retry`;
so it falls back at once where a retry is given beside the fallback.

Fix: leave the one that is meant.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.checks.outcomes import OutcomeObject, outcomes, reader
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.prelude import ERROR, INFO, STEP, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF904", "outcome-conflict", ERROR, formats=("checks",), looks_at=STEP)

BAD = changed({"/steps/s_b2c1/check/onPass": {"next": "s_a8f3", "complete": True}}, base="checks")
GOOD = changed(base="checks")

_LAST_RESORT = ("fallback", "retry")


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """At the outcome."""
    for outcome in outcomes(step):
        if outcome.given_keys == _LAST_RESORT:
            yield _retried_first(step, outcome, context)
        elif len(outcome.given_keys) > 1:
            text = _("“{outcome}” of “{step}” has {ways} at once: {era} follows only “{first}”")
            message = text.format(
                outcome=outcome.name,
                step=step.id,
                ways=listed(outcome.given_keys),
                first=outcome.given_keys[0],
                era=reader(context),
            )
            yield Finding(message, outcome.key_span, outcome.pointer, step.id)


def _retried_first(step: Step, outcome: OutcomeObject, context: RuleContext) -> Finding:
    text = _("“{outcome}” of “{step}” retries before it falls back: {era} falls back at once, without a retry")
    message = text.format(outcome=outcome.name, step=step.id, era=reader(context))
    return Finding(message, outcome.key_span, outcome.pointer, step.id, severity=INFO)
