"""SF105 step-kind-unknown.

What it does: reports steps with a gate that have no `stepKind`, and a `c2` that means none: initial and continuation
mean work, verification and closure themselves.

Why is this bad: climpt checks none of the step's intents then, neither when it loads the registry nor when it routes an
answer: a work step may close the flow.

Fix: set the step's kind: work, verification or closure.
"""

from collections.abc import Iterator

from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.prelude import (
    FLAT_KINDS,
    REMOVED,
    STEP,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
)

RULE = Rule("SF105", "step-kind-unknown", WARNING, formats=FLAT_KINDS, looks_at=STEP)

BAD = changed(
    {"/steps/initial.issue/c2": "first", "/steps/initial.issue/stepKind": REMOVED},
    texts={
        "prompts/steps/initial/issue/f_default.md": REMOVED,
        "prompts/steps/first/issue/f_default.md": "Issue {uv-issue}\n",
    },
)
GOOD = changed({"/steps/initial.issue/stepKind": "work"})


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """A c2 that doesn't exist, and a stepKind outside the three, are SF004's matter."""
    if (
        step.gate is None
        or step.is_section
        or step.kind is not None
        or step.raw.get("stepKind") is not None
        or step.c2 is None
    ):
        return
    if not has_placeholder(step.c2.value):
        yield Finding(
            _(
                "“{step}” has a gate, but no stepKind, and its c2 “{c2}” means none: {era} checks none of its intents"
            ).format(step=step.id, c2=step.c2.value, era=context.climpt.name),
            step.key_span,
            step.pointer,
            step.id,
        )
