"""SF906 retries.

What it does: reports a `maxRetries` without `retry`, one that is 0, which means without limit, and one above 100, the
limit of a whole run. A `retry` without `maxRetries`, which has no limit either, is pointed out only.

Why is this bad: it isn't read, or says something else than it seems to: 0 doesn't forbid retries, and a run is over
before the hundredth retry. A step that is retried without limit holds the run for as long as its check gives the same
result: until 100 iterations are used up, and in climpt, which doesn't count these, for ever.

Fix: remove it, write `retry` beside it, or give a number between 1 and 100. To forbid retries, leave out `retry`.
"""

from collections.abc import Iterator

from stepflow_gui.formats.checks.vocabulary import MOST_ITERATIONS
from stepflow_gui.lint.rules.checks.outcomes import OutcomeObject, outcomes, reader
from stepflow_gui.lint.rules.prelude import INFO, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.pointer import join

RULE = Rule("SF906", "retries", WARNING, formats=("checks",), looks_at=STEP)

BAD = changed({"/steps/s_a8f3/check/onFail": {"retry": True, "maxRetries": 0}}, base="checks")
GOOD = changed(base="checks")

_RETRYING: dict[
    bool, set[tuple[str, ...]]
] = {  # what an outcome says that is followed by a retry, by whether the guide is the runtime
    False: {("retry",)},
    True: {("retry",), ("fallback", "retry")},
}


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """A number of another type is SF004's."""
    for outcome in outcomes(step):
        most = outcome.value.get("maxRetries")
        if most is None:
            if outcome.value.get("retry") is True and outcome.given_keys in _RETRYING[context.settings.guide]:
                yield _unlimited(step, outcome, context)
        elif isinstance(most, (int, float)) and not isinstance(most, bool):
            text = _text(outcome, most)
            if text:
                message = text.format(outcome=outcome.name, step=step.id, most=MOST_ITERATIONS)
                span = outcome.member.value.member_span("maxRetries")
                yield Finding(message, span, join(outcome.pointer, "maxRetries"), step.id)


def _unlimited(step: Step, outcome: OutcomeObject, context: RuleContext) -> Finding:
    text = (
        _(
            "“{outcome}” of “{step}” retries without limit, because it has no maxRetries: a run may use up its "
            "{most} iterations"
        )
        if context.settings.guide
        else _(
            "“{outcome}” of “{step}” retries without limit, because it has no maxRetries, and {era} counts no retries"
        )
    )
    message = text.format(outcome=outcome.name, step=step.id, most=MOST_ITERATIONS, era=reader(context))
    span = outcome.member.value.member_span("retry")
    return Finding(message, span, join(outcome.pointer, "retry"), step.id, severity=INFO)


def _text(outcome: OutcomeObject, most: float) -> str | None:
    if "retry" not in outcome.given_keys:
        return _("“{outcome}” of “{step}” has a maxRetries without “retry”: there is nothing to count")
    if most == 0:
        return _("“{outcome}” of “{step}” retries without limit: that is what a maxRetries of 0 means")
    if most > MOST_ITERATIONS:
        return _("“{outcome}” of “{step}” may retry more often than a run has iterations: those are {most} at most")
    return None
