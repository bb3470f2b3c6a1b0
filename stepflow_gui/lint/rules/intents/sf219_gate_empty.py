"""SF219 gate-empty.

What it does: reports gates whose `allowedIntents` is an empty list.

Why is this bad: no answer can pass the gate, so a run that gets to the step stops there. Versions that compare the list
with the intents of the output schema refuse to load the registry, unless the schema offers none either.

Fix: list the intents that the step may answer.
"""

from collections.abc import Iterator

from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rules.intents.gate_reading import asks_gate
from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.refusals import registry_refused
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
    severity: Severity | None = None
    if _is_refused(step, context):
        text = _("“{step}” allows no intent, but its output schema offers some: {outcome}")
    elif asks_gate(step, context):
        text = _("“{step}” allows no intent: no answer can pass its gate, and the run stops there")
    else:
        severity = WARNING
        text = _("“{step}” allows no intent; {era} doesn't ask the gate of a closure step")
    yield Finding(
        text.format(step=step.id, era=context.era.name, outcome=registry_refused(context)),
        gate.intents_node.span,
        join(gate.pointer, "allowedIntents"),
        step=step.id,
        severity=severity,
    )


def _is_refused(step: Step, context: RuleContext) -> bool:
    """Whether the loader compares it with the intents that the schema offers."""
    era = context.era
    return era.kinds and era.gates and era.load_errors != "reported" and bool(context.contract(step).enum)
