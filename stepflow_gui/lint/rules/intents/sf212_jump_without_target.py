"""SF212 jump-without-target.

What it does: reports steps that allow `jump` with neither a `targetField`, by which an answer names where to go, nor a
transition for it.

Why is this bad: a jump then goes nowhere of its own. The runner treats it as `next`: it goes on to the continuation
where there is one, and stops where there is none.

Fix: name the field in `targetField`, or add a transition for `jump`.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.intents.contract_fixes import take_out
from stepflow_gui.lint.rules.intents.unrouted import has_rule, is_refused_empty
from stepflow_gui.lint.rules.prelude import GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule(
    "SF212",
    "jump-without-target",
    WARNING,
    formats=GATE,
    looks_at=STEP,
    defers_to=("SF224", "SF207", "SF205", "SF223", "SF206", "SF201", "SF202", "SF203", "SF204"),
)

BAD = changed(
    {
        "/steps/initial.issue/structuredGate/allowedIntents": ["next", "repeat", "jump"],
        "/steps/initial.issue/transitions/jump": {"target": ""},
        "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum": ["next", "repeat", "jump"],
    }
)
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at the entry of allowedIntents."""
    contract = context.contract(step)
    gate = step.gate
    if gate is None or contract.transitions is None or has_rule(step, "jump"):
        return
    if is_refused_empty(step, "jump", context):
        return
    if gate.target_field and gate.target_field.value:
        return
    for word in contract.allowed or ():
        if word.value == "jump":
            yield Finding(
                _(
                    "“{step}” allows “jump”, but has neither a targetField nor a transition for it: {era} takes it for"
                    " “next”"
                ).format(step=step.id, era=context.climpt.name),
                word.span,
                word.pointer,
                step=step.id,
                proposals=take_out(contract, "jump", context),
                cause=contract.cause(word),
            )
            return
