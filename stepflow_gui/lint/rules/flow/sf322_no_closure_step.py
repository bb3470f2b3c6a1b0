"""SF322 no-closure-step.

What it does: reports a registry in which no step is of kind closure.

Why is this bad: climpt 1.14 (a pre-release) refuses to start such an agent: nothing in it could end a run.

Fix: give the last step the kind closure.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.prelude import ADDRESSED, ERROR, FLOW, REMOVED, Finding, Rule, RuleContext, _, changed

RULE = Rule("SF322", "no-closure-step", ERROR, formats=ADDRESSED, looks_at=FLOW, defers_to=("SF004",))

BAD = changed(
    {
        "/steps/closure.issue": REMOVED,
        "/steps/continuation.issue/structuredGate/allowedIntents": ["next", "repeat"],
        "/steps/continuation.issue/transitions/handoff": REMOVED,
        "issue.schema.json#/continuation.issue/properties/next_action/properties/action/enum": ["next", "repeat"],
    },
    base="adt-kind-address",
    texts={"prompts/steps/closure/issue/f_default.md": REMOVED},
)
GOOD = changed(base="adt-kind-address")


def check(context: RuleContext) -> Iterator[Finding]:
    """Silent while a step has no kind that counts: that is SF004's, and may be the closure."""
    steps = context.flow.steps.values()
    if context.flow.steps_span is None or any(step.kind in {"closure", None} for step in steps):
        return
    message = _("No step is of kind closure: climpt-1.14 refuses to start the agent")
    yield Finding(message, context.flow.steps_span, "/steps", cause=("no-closure",))
