"""SF114 retry-unread.

What it does: reports `retry` of a step, which climpt 1.14 (a pre-release) declares in its types.

Why is this bad: no run reads it: attempts and conditions there do nothing. With `onFailure.patternRef` the agent isn't
even started, because that is looked up where no failure pattern can be.

Fix: remove it; `adaptationChain` says how often a step may repeat, `validationSteps` what is checked.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    ERROR,
    STEP,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
)
from stepflow_gui.text.pointer import join

RULE = Rule("SF114", "retry-unread", WARNING, formats=ADDRESSED, looks_at=STEP)

BAD = changed({"/steps/initial.issue/retry": {"maxAttempts": 2}}, base="adt-kind-address")
GOOD = changed(base="adt-kind-address")


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """At the key."""
    pointer = join(step.pointer, "retry")
    span = context.registry.tree.key_span(pointer)
    retry = step.raw.get("retry")
    if span is None or retry is None:
        return
    policy = retry.get("onFailure") if isinstance(retry, dict) else None
    refused = isinstance(policy, dict) and bool(policy.get("patternRef"))
    message = _("“{step}” has “retry”, which no runner reads")
    if refused:
        message = _("“{step}” has “retry” with a patternRef: climpt-1.14 refuses to start the agent")
    yield Finding(
        message.format(step=step.id),
        span,
        pointer,
        step.id,
        severity=ERROR if refused else WARNING,
        proposals=take_away(context.registry, [pointer], _("Remove “{word}”").format(word="retry")),
    )
