"""SF305 next-to-self.

What it does: reports a `next` that goes back to its own step. Continuation steps are left alone: the guide's simple
pattern does it there on purpose.

Why is this bad: the run does the same step again and looks as if it had moved on; `repeat` says what is meant.

Fix: connect `next` to the step that comes after, or remove it and keep `repeat`.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.flow.emitting import rules_of
from stepflow_gui.lint.rules.flow.example_steps import PROMPTS, added
from stepflow_gui.lint.rules.prelude import GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF305", "next-to-self", WARNING, formats=GATE, looks_at=STEP)

BAD = changed(
    {
        "/steps/initial.issue/transitions/next/target": "verification.issue",
        **added(
            "verification.issue",
            "verification",
            {"next": "verification.issue", "repeat": "verification.issue", "escalate": "continuation.issue"},
        ),
    },
    base="c3l",
    texts=PROMPTS,
)
GOOD = changed(
    {**BAD.changes, "/steps/verification.issue/transitions/next/target": "continuation.issue"},
    base="c3l",
    texts=PROMPTS,
)


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """A case of a conditional transition may go back: that is a decision."""
    if (step.c2 and step.c2.value == "continuation") or step.id.startswith("continuation."):
        return
    for rule in rules_of(step, context, "next"):
        if rule.target and rule.target.value == step.id:
            yield Finding(
                _("“next” of “{step}” goes back to “{step}”: the run repeats the step instead of moving on").format(
                    step=step.id
                ),
                rule.target.span,
                rule.target.pointer,
                step=step.id,
            )
