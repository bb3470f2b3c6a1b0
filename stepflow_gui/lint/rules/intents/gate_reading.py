"""Whether a version reads the answers of a step by its gate, and what becomes of one that can't be read."""

from stepflow_gui.lint.rules.prelude import RuleContext, Step


def asks_gate(step: Step, context: RuleContext) -> bool:
    """Newer versions finish closure steps in a loop of their own, which asks neither gate nor router."""
    return not (context.era.closure_loop and step.kind == "closure")


def stops_unread(step: Step, context: RuleContext) -> bool:
    """Whether an answer ends the run with an error whose intent can't be read; else another intent is taken."""
    if step.gate is None or not asks_gate(step, context):
        return False
    if context.era.strict_flow:
        meant = step.gate.fallback_intent
        return meant is None or meant.value not in {intent.value for intent in step.gate.intents}
    return bool(step.gate.fail_fast and context.era.fail_fast)
