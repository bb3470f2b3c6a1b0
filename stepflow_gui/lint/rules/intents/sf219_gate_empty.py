"""SF219 gate-empty.

What it does: reports gates whose `allowedIntents` is an empty list.

Why is this bad: no answer can pass the gate, so a run that gets to the step stops there.

Fix: list the intents that the step may answer.
"""

from collections.abc import Iterator

from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rules.intents.gate_reading import asks_gate
from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.pointer import join

RULE = Rule("SF219", "gate-empty", ERROR, formats=GATE, looks_at=STEP)

BAD = changed({"/steps/initial.issue/structuredGate/allowedIntents": []})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at the list itself."""
    gate = step.gate
    listed = gate.intents_node.value if gate and gate.intents_node else None
    if gate is None or gate.intents_node is None or not isinstance(listed, list):
        return
    if any(isinstance(intent, str) for intent in listed):
        return
    is_asked = asks_gate(step, context)
    text = (
        _("“{step}” allows no intent: no answer can pass its gate, and the run stops there")
        if is_asked
        else _("“{step}” allows no intent; {era} doesn't ask the gate of a closure step")
    )
    yield Finding(
        text.format(step=step.id, era=context.era.name),
        gate.intents_node.span,
        join(gate.pointer, "allowedIntents"),
        step=step.id,
        severity=_severity(step, context) if not is_asked else None,
    )


def _severity(step: Step, context: RuleContext) -> Severity:
    """An error where the loader misses intents that the schema offers."""
    return ERROR if context.contract(step).enum else WARNING
