"""Which validation steps the runner comes to (runtime-semantics 8)."""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.validation import CONDITION_LISTS, ValidationStep
from stepflow_gui.formats.climpt.vocabulary import (
    CONDITIONS_OF_PHASE,
    OLDER_VERDICT_TYPES,
    VALIDATION_STEP_OF_VERDICT,
)
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import KINDS
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.text.pointer import split


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


def read_validators(step: ValidationStep, context: RuleContext) -> list[Text]:
    """Those of its validators that stand in a list which the version reads.

    Files with entry pairs are of the branch that has a list for each phase, and some of them the list of before; the
    names of before had their own.
    """
    if step.older:
        lists: tuple[str, ...] = ("completionConditions",)
    elif context.format == "entry-pair" and context.settings.runtime is None:
        lists = CONDITION_LISTS
    else:
        lists = (*CONDITIONS_OF_PHASE.values(),) if context.era.checks_by_phase else ("validationConditions",)
    return [named for named in step.validators if split(named.pointer)[2] in lists]


def run_validators(context: RuleContext) -> Iterator[tuple[ValidationStep, Text]]:
    """The validators that a run of this agent can come to, each with its step."""
    for step in context.validation.steps:
        if runs(step, context):
            yield from ((step, named) for named in read_validators(step, context))


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
