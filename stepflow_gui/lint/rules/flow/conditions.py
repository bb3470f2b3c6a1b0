"""Conditional transitions that the runner decides: by which key of the handoff, and what it may hold."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from stepflow_gui.flow.model import Case, Text, Transition
from stepflow_gui.formats.schema_keywords import property_at, types
from stepflow_gui.lint.rules.flow.emitting import rules_of
from stepflow_gui.lint.rules.prelude import RuleContext, Step
from stepflow_gui.lint.run_paths import TARGET_ONLY, WITHOUT_RULE, enum_at

DEFAULT = "default"


class Decision(NamedTuple):
    """A conditional transition of a step.

    `field` is the handoff field that the condition means, None where the step hands off no such key. `values` are the
    texts that its schema lists for it, None where it lists none; `certain` says that an answer can't leave it out.
    """

    rule: Transition
    condition: Text
    field: Text | None
    values: list[str] | None
    certain: bool

    @property
    def default(self) -> Case | None:
        """The case for all other values."""
        return next((case for case in self.rule.cases if case.value == DEFAULT), None)

    @property
    def unlisted(self) -> list[str] | None:
        """The values without a case of their own; None where it isn't known which values there are."""
        cases = {case.value for case in self.rule.cases}
        return None if self.values is None else [value for value in self.values if value not in cases]

    @property
    def cause(self) -> tuple[str, str]:
        """What makes findings about values without a case one mistake."""
        return ("condition", self.rule.pointer)


def conditional(step: Step, context: RuleContext) -> list[Transition]:
    """The transitions of a step that a run can take and whose condition the runner reads."""
    if step.is_section or context.era.starts_program(step):
        return []
    return [
        rule
        for rule in rules_of(step, context)
        if rule.cases
        and rule.condition
        and rule.intent not in WITHOUT_RULE
        and (rule.intent not in TARGET_ONLY or context.era.uniform_rules)
        and (rule.intent != "jump" or not _is_named(step, context))
    ]


def _is_named(step: Step, context: RuleContext) -> bool:
    """Whether every answer that jumps names the step to go to, so that no rule is read."""
    field = step.gate.target_field if step.gate else None
    if field is None or not field.value:
        return False
    schema = context.schema(step)
    listed = enum_at(schema, field.value)
    if not schema.requires(field.value):
        return False
    if listed is None:
        return types(property_at(schema.value, field.value.split("."))) == ["string"]
    return all(isinstance(value, str) and value for value in listed)


def decisions(step: Step, context: RuleContext) -> Iterator[Decision]:
    """The same, with what they decide by."""
    for rule in conditional(step, context):
        if rule.condition is None or step.gate is None:
            continue
        # The last of several with one key wins.
        fields = [text for text in step.gate.handoff_fields if text.value.rpartition(".")[2] == rule.condition.value]
        if not fields:
            yield Decision(rule, rule.condition, None, None, False)
            continue
        schema = context.schema(step)
        path = fields[-1].value
        listed = enum_at(schema, path)
        if listed is None and types(property_at(schema.value, path.split("."))) == ["boolean"]:
            listed = [True, False]
        certain = listed is not None and None not in listed and schema.requires(path)
        yield Decision(rule, rule.condition, fields[-1], _texts(listed), certain)


def _texts(values: list[Any] | None) -> list[str] | None:
    """The values as the runner compares them; null counts as none."""
    if values is None or not all(isinstance(value, str | bool | int | None) for value in values):
        return None
    return [str(value).lower() if isinstance(value, bool) else str(value) for value in values if value is not None]
