"""SF227 fallback-into-closure.

What it does: reports gates with `failFast: false` whose fallback goes to a closure step, or closes the flow itself.

Why is this bad: an answer that can't be read then closes the flow, as if the work were done.

Fix: remove `failFast: false`, or let the fallback stay in the step.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import moves_of
from stepflow_gui.lint.rules.once import merge_infos
from stepflow_gui.lint.rules.prelude import FLOW, INFO, KINDS, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.pointer import join

RULE = Rule("SF227", "fallback-into-closure", INFO, formats=KINDS, looks_at=FLOW)

BAD = changed(
    {
        "/steps/continuation.issue/structuredGate/failFast": False,
        "/steps/continuation.issue/structuredGate/fallbackIntent": "handoff",
    }
)
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Look where an unreadable answer doesn't end the run."""
    found = (finding for step in context.flow.steps.values() for finding in _of_step(step, context))
    yield from merge_infos(found, RULE, context)


def _of_step(step: Step, context: RuleContext) -> Iterator[Finding]:
    gate = step.gate
    if gate is None or gate.fail_fast or not context.era.fail_fast:
        return
    intent = _taken(step)
    if intent is None or not _closes(intent, step, context):
        return
    named = gate.fallback_intent
    node = gate.node.get("failFast")
    assert node is not None
    used = named is not None and named.value == intent
    yield Finding(
        _("An unreadable answer of “{step}” is taken as “{intent}”, which closes the flow").format(
            step=step.id, intent=intent
        ),
        named.span if used and named else node.span,
        named.pointer if used and named else join(gate.pointer, "failFast"),
        step=step.id,
        cause=("fail-fast", step.id),
    )


def _taken(step: Step) -> str | None:
    """What the gate falls back to (runtime-semantics 5)."""
    gate = step.gate
    if gate is None or not gate.intents:
        return None
    if gate.fallback_intent and gate.allows(gate.fallback_intent.value):
        return gate.fallback_intent.value
    return "next" if gate.allows("next") else gate.intents[0].value


def _closes(intent: str, step: Step, context: RuleContext) -> bool:
    if intent == "closing":
        return True
    targets = {move.target for move in moves_of(step) if move.intent == intent and intent != "repeat"} - {step.id}
    return any(
        target in context.flow.steps and context.flow.steps[target].kind == "closure" for target in targets if target
    )
