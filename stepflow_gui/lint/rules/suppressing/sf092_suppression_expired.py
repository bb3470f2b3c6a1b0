"""SF092 suppression-expired.

What it does: reports a suppression whose day, `until`, is over. From the day after it the findings are
reported again.

Why is this bad: it was meant to be reviewed by then.

Fix: correct what is found and remove it, or give it another day.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import SUPPRESSION
from stepflow_gui.lint.rules.prelude import WARNING, Finding, Rule, _, changed
from stepflow_gui.lint.rules.suppressing.taking_out import take_out
from stepflow_gui.lint.suppressions.suppressing import Suppression

RULE = Rule("SF092", "suppression-expired", WARNING, looks_at=SUPPRESSION)

BAD = changed(
    {"/x-stepflow": {"ignore": [{"code": "SF501", "reason": "until the move to new keys", "until": "2025-06-30"}]}}
)
GOOD = changed(
    {
        "/steps/initial.issue/fallbackKey": "initial-issue",
        "/x-stepflow": {"ignore": [{"code": "SF501", "reason": "until the move to new keys", "until": "2999-06-30"}]},
    }
)


def check(suppression: Suppression) -> Iterator[Finding]:
    """Its day is over."""
    if not suppression.expired:
        return
    yield Finding(
        _("The suppression of {code} ended on {day}: its findings are reported again").format(
            code=suppression.code, day=suppression.until
        ),
        suppression.span,
        suppression.pointer_in,
        step=suppression.step,
        document=suppression.document,
        proposals=take_out(suppression),
    )
