"""Which transitions a run can take: those of an intent that the step's gate and kind let through."""

from stepflow_gui.flow.model import Transition
from stepflow_gui.lint.rules.prelude import RuleContext, Step
from stepflow_gui.lint.run_paths import may_emit


def emits(step: Step, intent: str, context: RuleContext) -> bool:
    """Whether the gate lists the intent and lets it through."""
    return step.gate is not None and step.gate.allows(intent) and may_emit(step, intent, context.contract(step))


def rules_of(step: Step, context: RuleContext, *intents: str) -> list[Transition]:
    """The transitions that a run can take, of these intents or of all."""
    rules = context.emitted(step)
    return [rule for rule in rules if rule.intent in intents] if intents else rules
