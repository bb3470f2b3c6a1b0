"""SF204 dead-transition.

What it does: reports transitions whose intent isn't in `allowedIntents`, where no other finding is about that intent.
Where no step has a gate, it reports each one that has transitions.

Why is this bad: the gate lets no answer pass that isn't allowed, so the transition is never followed and the part of
the flow behind it may be dead. Without gates no transition is followed.

Fix: allow the intent, or remove the transition; give the steps gates where they are to follow their transitions.
"""

from collections.abc import Iterator
from itertools import chain

from stepflow_gui.lint.rules.intents.contract_fixes import allow, take_out
from stepflow_gui.lint.rules.prelude import GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule(
    "SF204",
    "dead-transition",
    WARNING,
    formats=GATE,
    looks_at=STEP,
    defers_to=("SF224", "SF207", "SF205", "SF223", "SF206", "SF201", "SF202", "SF203"),
)

# With a placeholder in it the enum isn't known yet, so the transition is held against allowedIntents alone.
BAD = changed(
    {
        "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum": ["{{INTENTS}}"],
        "/steps/initial.issue/transitions/jump": {"target": "continuation.issue"},
    }
)
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at transitions that are an intent."""
    if not context.has_gates and step.transitions and not step.is_section:
        yield _without_gate(step, context)
        return
    contract = context.contract(step)
    if not contract.allowed or any(word.reading == "placeholder" for word in contract.allowed):
        return  # that nothing at all is allowed is SF219's
    for word in contract.transitions or ():
        if word.reading != "intent" or contract.allows(word.value) or word.value in context.era.always_allowed:
            continue
        if word.intent == "escalate" and step.kind is None and context.format != "complete":
            continue
        yield Finding(
            _("“{step}” has a transition for “{intent}”, which isn't allowed: it is never followed").format(
                step=step.id, intent=word.value
            ),
            word.span,
            word.pointer,
            step=step.id,
            proposals=chain(allow(contract, word.intent, context), take_out(contract, word.intent, context)),
            cause=contract.cause(word),
        )


def _without_gate(step: Step, context: RuleContext) -> Finding:
    text = _("“{step}” has transitions, and no step has a gate: {era} never follows them")
    member = step.node.member("transitions")
    span, pointer = (member.key_span, f"{step.pointer}/transitions") if member else (step.key_span, step.pointer)
    return Finding(text.format(step=step.id, era=context.climpt.name), span, pointer, step=step.id)
