"""SF214 handoff-field-dangling.

What it does: reports paths in `handoffFields` that aren't in the step's output schema, and empty ones.

Why is this bad: the model isn't asked for that field, and the schema leaves no room for it. The steps that follow never
get it, and a condition on it always takes the default.

Fix: name a field of the schema, or add it there.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.intents.field_findings import undeclared
from stepflow_gui.lint.rules.prelude import GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF214", "handoff-field-dangling", WARNING, formats=GATE, looks_at=STEP)

BAD = changed({"/steps/initial.issue/structuredGate/handoffFields": ["next_action.acton"]})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at each path."""
    if step.gate:
        for field in step.gate.handoff_fields:
            if not field.value:
                text = _("“{step}” hands off an empty path, under which no answer has a value")
                title = _("Remove the empty path")
                proposals = take_away(context.registry, [field.pointer], title, safe=True)
                yield Finding(text.format(step=step.id), field.span, field.pointer, step.id, proposals=proposals)
        text = _("“{step}” hands off “{field}”, which isn't in its output schema: the steps that follow never get it")
        yield from undeclared(RULE.code, step, step.gate.handoff_fields, text, context)
