"""SF219 gate-empty.

What it does: reports gates whose `allowedIntents` is an empty list.

Why is this bad: no answer can pass the gate, so a run that gets to the step stops there.

Fix: list the intents that the step may answer.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.pointer import join

RULE = Rule("SF219", "gate-empty", ERROR, formats=GATE, looks_at=STEP)

BAD = changed({"/steps/initial.issue/structuredGate/allowedIntents": []})
GOOD = changed()


def check(step: Step, _context: RuleContext) -> Iterator[Finding]:
    """Look at the list itself."""
    gate = step.gate
    if gate is None or gate.intents_node is None or gate.intents_node.value != []:
        return
    yield Finding(
        _("“{step}” allows no intent: no answer can pass its gate, and the run stops there").format(step=step.id),
        gate.intents_node.span,
        join(gate.pointer, "allowedIntents"),
        step=step.id,
    )
