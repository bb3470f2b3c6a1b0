"""SF218 fail-fast-off.

What it does: reports gates with `failFast: false`.

Why is this bad: the guide has it for debugging only. An answer that can't be read no longer stops the run: the gate
takes the fallback, `next`, or the first allowed intent, and the flow goes on with an intent that the model didn't
choose.

Fix: remove it.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.prelude import KINDS, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.pointer import join

RULE = Rule("SF218", "fail-fast-off", WARNING, formats=KINDS, looks_at=STEP, defers_to=("SF227",))

BAD = changed({"/steps/initial.issue/structuredGate/failFast": False})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Only the boolean counts. A gate without a list of intents stops at every answer, as other rules say."""
    if step.gate is None or step.gate.fail_fast or not context.era.fail_fast:
        return
    if step.gate.intents_node is None or step.gate.intents_node.kind not in {"array", "string"}:
        return
    pointer = join(step.gate.pointer, "failFast")
    node = step.gate.node.get("failFast")
    assert node is not None
    yield Finding(
        _("“{step}” has failFast: false, meant for debugging: after an unreadable answer the run goes on").format(
            step=step.id
        ),
        node.span,
        pointer,
        step=step.id,
        cause=("fail-fast", step.id),
    )
