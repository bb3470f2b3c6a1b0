"""Which transitions a run can take: those of an intent that the step's gate and kind let through."""

from stepflow_gui.flow.model import Step, Transition
from stepflow_gui.formats.climpt.vocabulary import INTENTS_OF_KIND
from stepflow_gui.lint.scope import Scope


def may_emit(step: Step, intent: str, scope: Scope) -> bool:
    """Whether an answer of the step can be read as the intent; what the file doesn't say counts as yes.

    Where not, SF204 or SF206 says that the transition is never taken.
    """
    if step.kind and intent != "abort" and intent not in INTENTS_OF_KIND[step.kind]:
        return False
    allowed = scope.contract(step).allowed
    return allowed is None or any(word.intent == intent for word in allowed)


def rules_of(step: Step, scope: Scope, *intents: str) -> list[Transition]:
    """The transitions that a run can take, of these intents or of all."""
    return [
        rule
        for rule in step.transitions
        if (not intents or rule.intent in intents) and may_emit(step, rule.intent, scope)
    ]
