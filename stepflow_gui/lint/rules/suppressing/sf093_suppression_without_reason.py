"""SF093 suppression-without-reason.

What it does: reports a suppression that gives no `reason`. It is applied anyway.

Why is this bad: a later reader can't know whether it still applies.

Fix: write in a sentence why the finding doesn't matter here.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import SUPPRESSION
from stepflow_gui.lint.rules.prelude import WARNING, Finding, Rule, _, changed
from stepflow_gui.lint.suppressions.suppressing import Suppression

RULE = Rule("SF093", "suppression-without-reason", WARNING, looks_at=SUPPRESSION)

BAD = changed(
    {
        "/steps/initial.issue/fallbackKey": "initial-issue",
        "/steps/initial.issue/x-stepflow": {"ignore": [{"code": "SF501"}]},
    }
)
GOOD = changed(
    {
        "/steps/initial.issue/fallbackKey": "initial-issue",
        "/steps/initial.issue/x-stepflow": {"ignore": [{"code": "SF501", "reason": "our fork has keys with dashes"}]},
    }
)


def check(suppression: Suppression) -> Iterator[Finding]:
    """There is no reason, or an empty one."""
    if suppression.fault or suppression.reason:
        return
    yield Finding(
        _("{code} is suppressed here without a “reason”").format(code=suppression.code),
        suppression.span,
        suppression.pointer_in,
        step=suppression.step,
        document=suppression.document,
    )
