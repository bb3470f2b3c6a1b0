"""The adaptation chains of steps: how often each may repeat (climpt-1.14, 5)."""

from stepflow_gui.lint.rules.prelude import RuleContext, Step
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

FIELD = "adaptationChain"


def allows_repeat(step: Step, context: RuleContext) -> bool:
    """Whether the gate lets a step repeat."""
    return any(word.intent == "repeat" for word in context.contract(step).allowed or ())


def can_repeat(step: Step, context: RuleContext) -> bool:
    """Whether it does, and the schema offers the answer as well; where it doesn't, SF202 says what is wrong."""
    enum = context.contract(step).enum
    return allows_repeat(step, context) and (enum is None or any(word.intent == "repeat" for word in enum))


def place(step: Step, context: RuleContext) -> tuple[Span, str]:
    """Where the chain stands; the step where there is none."""
    pointer = join(step.pointer, FIELD)
    span = context.registry.tree.key_span(pointer)
    return (span, pointer) if span else (step.key_span, step.pointer)
