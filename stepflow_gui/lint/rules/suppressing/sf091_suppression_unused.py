"""SF091 suppression-unused.

What it does: reports a suppression, in `x-stepflow` of the registry or under `suppress` of the
configuration, that no finding matches.

Why is this bad: the mistake it was written for is gone, or it names another place than it should. Left there, it hides
the next finding of that rule at that place.

Fix: remove it, or correct the code, step or pointer that it names.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import SUPPRESSION
from stepflow_gui.lint.rules.prelude import WARNING, Finding, Rule, _, changed
from stepflow_gui.lint.rules.suppressing.taking_out import take_out
from stepflow_gui.lint.suppressions.suppressing import Suppression

RULE = Rule("SF091", "suppression-unused", WARNING, looks_at=SUPPRESSION)

BAD = changed(
    {"/steps/initial.issue/x-stepflow": {"ignore": [{"code": "SF501", "reason": "the key is ours, it is built in"}]}}
)
GOOD = changed(
    {
        "/steps/initial.issue/fallbackKey": "initial-issue",
        "/steps/initial.issue/x-stepflow": {"ignore": [{"code": "SF501", "reason": "our fork has keys with dashes"}]},
    }
)


def check(suppression: Suppression) -> Iterator[Finding]:
    """After a run: unused, and neither faulty nor expired."""
    if suppression.used or suppression.fault or suppression.expired:
        return
    yield Finding(
        _("{code} finds nothing here any more: the suppression is unused").format(code=suppression.code),
        suppression.span,
        suppression.pointer_in,
        step=suppression.step,
        document=suppression.document,
        proposals=take_out(suppression),
    )
