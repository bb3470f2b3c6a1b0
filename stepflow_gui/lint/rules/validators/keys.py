"""The keys under which validation steps are looked for: closure steps in the guide, verdict types in climpt."""

from collections.abc import Hashable, Sequence

from stepflow_gui.formats.climpt.validation import ValidationStep
from stepflow_gui.formats.climpt.vocabulary import VALIDATION_STEP_OF_VERDICT
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.lint.rules.document.sf009_legacy_key import RENAMED_SINCE, legacy_key
from stepflow_gui.text.pointer import parent

_CLOSING_PHASES = ("closure.", "complete.")


def known_keys(context: RuleContext) -> list[str]:
    """The closure steps, but for those whose own name is misspelt, then the keys of verdict types."""
    misnamed = {step.id for step in context.misnamed.steps.values()}
    closures = [
        step.id
        for step in context.flow.steps.values()
        if (step.kind == "closure" or step.id.startswith(_CLOSING_PHASES)) and step.id not in misnamed
    ]
    return list(dict.fromkeys([*closures, *VALIDATION_STEP_OF_VERDICT.values()]))


def older_name(step: ValidationStep, context: RuleContext) -> Hashable | None:
    """The cause that a step's findings share with that about its place, which has another name today (SF009)."""
    return legacy_key(parent(step.at.pointer)) if step.older and context.format in RENAMED_SINCE else None


def is_known(step: ValidationStep, known: Sequence[str], context: RuleContext) -> bool:
    """Whether a key is one of those. Which keys were looked for under the names of before isn't known.

    Then it counts, unless the place is going to be renamed; so does it in the format with `complete`.
    """
    unsure = (step.older and older_name(step, context) is None) or context.format == "complete"
    return step.at.name in known or (unsure and step.at.name.startswith(_CLOSING_PHASES))


def key_meant(step: ValidationStep, known: Sequence[str], context: RuleContext) -> str | None:
    """The key that somebody most likely meant; None where none is alike."""
    if step.step_id and step.step_id.value in known:
        return step.step_id.value
    phase, _dot, topic = step.at.name.partition(".")
    if f"{phase}." not in _CLOSING_PHASES:
        return context.nearest("SF604", step.at.name, known)
    alike = context.nearest("SF604", topic, [key.partition(".")[2] for key in known])
    return next((key for key in known if alike and key.partition(".")[2] == alike), None)
