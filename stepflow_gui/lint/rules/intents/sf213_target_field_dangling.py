"""SF213 target-field-dangling.

What it does: reports a `targetField` that isn't in the step's output schema.

Why is this bad: the model isn't asked for it, and the schema leaves no room for it. A `jump` then has no target of its
own, and the runner treats it as `next`.

Fix: name a field of the schema, or add it there.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.intents.field_findings import undeclared
from stepflow_gui.lint.rules.prelude import GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF213", "target-field-dangling", WARNING, formats=GATE, looks_at=STEP)

BAD = changed({"/steps/initial.issue/structuredGate/targetField": "next_action.target"})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at the path."""
    if step.gate and step.gate.target_field:
        text = _("The targetField of “{step}”, “{field}”, isn't in its output schema: no answer can name a target")
        yield from undeclared(RULE.code, step, [step.gate.target_field], text, context)
