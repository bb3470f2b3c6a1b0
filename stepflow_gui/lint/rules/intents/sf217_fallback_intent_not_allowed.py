"""SF217 fallback-intent-not-allowed.

What it does: reports a `fallbackIntent` that isn't in `allowedIntents`, where the gate uses it.

Why is this bad: the gate skips it silently and takes `next`, or whatever intent is allowed first.

Fix: name an allowed intent.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.prelude import GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule(
    "SF217",
    "fallback-intent-not-allowed",
    WARNING,
    formats=GATE,
    looks_at=STEP,
    defers_to=("SF224", "SF207", "SF205", "SF223", "SF206", "SF201", "SF202", "SF203", "SF204"),
)

BAD = changed({"/steps/initial.issue/structuredGate/fallbackIntent": "jump"}, base="complete")
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look where an unreadable answer doesn't end the run at once."""
    gate = step.gate
    contract = context.contract(step)
    word = contract.fallback
    if gate is None or word is None or not contract.allowed or (gate.fail_fast and context.era.fail_fast):
        return
    if word.reading == "placeholder" or any(each.reading == "placeholder" for each in contract.allowed):
        return
    if contract.allows(word.value) or gate.intents_node is None:
        return
    instead = "next" if contract.allows("next") else contract.allowed[0].value
    yield Finding(
        _("The fallbackIntent of “{step}” is “{intent}”, which isn't allowed: “{instead}” is taken instead").format(
            step=step.id, intent=word.value, instead=instead
        ),
        word.span,
        word.pointer,
        step=step.id,
        sides=[
            Side(context.registry, gate.intents_node.span, f"{gate.pointer}/allowedIntents", _("the allowed intents"))
        ],
        cause=contract.cause(word),
    )
