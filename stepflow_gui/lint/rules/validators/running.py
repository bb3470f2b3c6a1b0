"""Which validation steps the runner comes to (runtime-semantics 8)."""

from stepflow_gui.formats.climpt.validation import ValidationStep
from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES, VALIDATION_STEP_OF_VERDICT
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import KINDS
from stepflow_gui.lint.rule_context import RuleContext


def verdict_of(context: RuleContext) -> str | None:
    """The agent's verdict type by today's name; None where agent.json doesn't tell."""
    agent = context.folder.agent
    named = agent.verdict_type.value if agent and agent.verdict_type else None
    if not named or has_placeholder(named):
        return None
    return OLDER_VERDICT_TYPES.get(named, named)


def key_of_verdict(verdict: str) -> str:
    """Under which key climpt looks for the validation step of an agent."""
    return VALIDATION_STEP_OF_VERDICT.get(verdict, f"closure.{verdict}")


def runs(step: ValidationStep, context: RuleContext) -> bool:
    """Whether a run of this agent can come to a validation step. Without a verdict type, any type's key counts.

    In the format with `complete`, and under the names of before, it isn't known what ran: then it counts as no.
    """
    if step.older or context.judged_as not in KINDS:
        return False
    if context.era.validates_by_step and step.at.name in context.flow.steps:
        return True
    verdict = verdict_of(context)
    return (
        step.at.name in VALIDATION_STEP_OF_VERDICT.values()
        if verdict is None
        else step.at.name == key_of_verdict(verdict)
    )
