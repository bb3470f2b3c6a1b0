"""SF906 retries.

What it does: reports a `maxRetries` without `retry`, one that is 0, which means without limit, and one above 100, the
limit of a whole run.

Why is this bad: it isn't read, or says something else than it seems to: 0 is no retry ban, and a run is over before
the hundredth retry.

Fix: take it away, write `retry` beside it, or give a number between 1 and 100. To forbid retries, leave out `retry`.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.checks.vocabulary import MOST_ITERATIONS
from stepflow_gui.lint.diagnostic import WARNING
from stepflow_gui.lint.example import changed
from stepflow_gui.lint.rule import STEP, Finding, Rule
from stepflow_gui.lint.rules.checks.outcomes import Outcome, outcomes
from stepflow_gui.lint.scope import Scope
from stepflow_gui.messages import _
from stepflow_gui.text.pointer import join

RULE = Rule("SF906", "retries", WARNING, formats=("checks",), looks_at=STEP)

BAD = changed({"/steps/s_a8f3/check/onFail": {"retry": True, "maxRetries": 0}}, base="checks")
GOOD = changed(base="checks")


def check(step: Step, _scope: Scope) -> Iterator[Finding]:
    """A number of another type is SF004's."""
    for outcome in outcomes(step):
        most = outcome.value.get("maxRetries")
        if isinstance(most, (int, float)) and not isinstance(most, bool):
            text = _text(outcome, most)
            if text:
                message = text.format(outcome=outcome.name, step=step.id, most=MOST_ITERATIONS)
                span = outcome.member.value.member_span("maxRetries")
                yield Finding(message, span, join(outcome.pointer, "maxRetries"), step.id)


def _text(outcome: Outcome, most: float) -> str | None:
    if "retry" not in outcome.says:
        return _("“{outcome}” of “{step}” has a maxRetries without “retry”: there is nothing to count")
    if most == 0:
        return _("“{outcome}” of “{step}” retries without limit: that is what a maxRetries of 0 means")
    if most > MOST_ITERATIONS:
        return _("“{outcome}” of “{step}” may retry more often than a run has iterations: those are {most} at most")
    return None
