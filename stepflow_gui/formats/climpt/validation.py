"""Reads what a registry checks before it closes: validation steps, validators, failure patterns (runtime-semantics 8).

The names that were used until 2026-03-01 (completionSteps, completionPatterns, completionConditions) are read as well.
"""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.climpt.registry import text_at, texts_at
from stepflow_gui.text.json.tree import JsonValue, Member, Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

STEP_HOLDERS = ("validationSteps", "completionSteps")
PATTERN_HOLDERS = ("failurePatterns", "completionPatterns")
PLAIN_FAILURE = "failed"
"""The edition of the retry prompt that serves every failure."""
LATER_TYPES = ("semantic",)
"""Types of validators that are known from 2026-04-07 on."""
CONDITION_LISTS = ("validationConditions", "completionConditions", "preflightConditions", "postLLMConditions")


def validator_types(era: Era) -> tuple[str, ...]:
    """The types of validators that a version knows; at any other the run stops."""
    return ("command", "file", "custom", *(() if era.attempts == "unread" else LATER_TYPES))


class Named(NamedTuple):
    """A member with a free key: its name, where that stands, and its value."""

    name: str
    key_span: Span
    node: Node
    pointer: str


class ValidationStep(NamedTuple):
    """An entry of `validationSteps`. `older` where it is under the older name."""

    at: Named
    older: bool
    step_id: Text | None
    c2: Text | None
    c3: Text | None
    validators: list[Text]  # of its conditions, in the order of the file
    on_failure: Node | None  # where it is an object
    action: Text | None


class Validator(NamedTuple):
    """A check: what it runs, when it passes, which pattern its failure selects, what is taken out of its output."""

    at: Named
    type: str  # `command` where none is given
    success_when: Text | None
    failure_pattern: Text | None
    extracts: list[tuple[Named, Text | None]]  # a value of the retry prompt, and the extractor that gives it


class FailurePattern(NamedTuple):
    """What failed: the retry prompt for it. `params` is None where the values that it uses aren't listed."""

    at: Named
    edition: Text | None
    adaptation: Text | None
    params: list[Text] | None
    params_node: Node | None
    by_words: bool  # it is also found by words of an error text


class Validation:
    """All of a registry's checks. Of doubled names the last counts; what is not an object is left out."""

    __slots__ = ("patterns", "steps", "validators")

    def __init__(self, root: Node | None) -> None:
        self.steps: list[ValidationStep] = []
        self.validators: dict[str, Validator] = {}
        self.patterns: dict[str, FailurePattern] = {}
        if root is None:
            return
        for holder in STEP_HOLDERS:
            self.steps += [_step(named, holder) for named in _objects(root, holder)]
        self.validators = {named.name: _validator(named) for named in _objects(root, "validators")}
        for holder in reversed(PATTERN_HOLDERS):  # today's name wins
            self.patterns |= {named.name: _pattern(named) for named in _objects(root, holder)}


def lacks_extractors(validator: JsonValue) -> bool:
    """Whether climpt fails on a failure of this validator: it runs a command, and has no `extractParams` at all."""
    if not isinstance(validator, dict) or validator.get("type") not in ("command", "custom"):
        return False
    return validator.get("extractParams") is None


def _objects(root: Node, holder: str) -> list[Named]:
    found = root.get(holder)
    members = {member.key: member for member in (found.members() if found else [])}
    return [_named(member, join("", holder)) for member in members.values() if member.value.kind == "object"]


def _named(member: Member, holder: str) -> Named:
    return Named(member.key, member.key_span, member.value, join(holder, member.key))


def _step(named: Named, holder: str) -> ValidationStep:
    node, pointer = named.node, named.pointer
    on_failure = node.get("onFailure")
    if on_failure is not None and on_failure.kind != "object":
        on_failure = None
    return ValidationStep(
        named,
        holder != STEP_HOLDERS[0],
        text_at(node, "stepId", pointer),
        text_at(node, "c2", pointer),
        text_at(node, "c3", pointer),
        [text for conditions in CONDITION_LISTS for text in _validators(node, conditions, pointer)],
        on_failure,
        text_at(on_failure, "action", join(pointer, "onFailure")) if on_failure else None,
    )


def _validators(step: Node, conditions: str, pointer: str) -> Iterator[Text]:
    found = step.get(conditions)
    for index, condition in enumerate(found.items() if found else []):
        text = text_at(condition, "validator", join(pointer, conditions, index))
        if text:
            yield text


def _validator(named: Named) -> Validator:
    node, pointer = named.node, named.pointer
    kind = text_at(node, "type", pointer)
    extracts = node.get("extractParams")
    where = join(pointer, "extractParams")
    return Validator(
        named,
        kind.value if kind else "command",
        text_at(node, "successWhen", pointer),
        text_at(node, "failurePattern", pointer),
        [(_named(member, where), text_at(extracts, member.key, where)) for member in extracts.members()]
        if extracts
        else [],
    )


def _pattern(named: Named) -> FailurePattern:
    node, pointer = named.node, named.pointer
    params = node.get("params")
    listed = params is not None and params.kind == "array"
    words = node.get("semanticMatch")
    return FailurePattern(
        named,
        text_at(node, "edition", pointer),
        text_at(node, "adaptation", pointer),
        texts_at(node, "params", pointer) if listed else None,
        params if listed else None,
        words is not None and bool(words.items()),
    )
