"""The registry's closure validation: the validators to run, and what follows when one fails (0a and 8)."""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.climpt.vocabulary import (
    CONDITIONS_OF_PHASE,
    DEFAULT_ATTEMPTS,
    VALIDATION_STEP_OF_VERDICT,
)
from stepflow_gui.messages import _
from stepflow_gui.text.expressions.matching import compiled
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

Phase = Literal["preflight", "postllm"]
PHASES: tuple[Phase, ...] = ("preflight", "postllm")


class ClosureValidation(NamedTuple):
    """An entry of `validationSteps`: the validators in their order, and `onFailure`."""

    key: str
    validators: tuple[str, ...]
    action: str  # retry, abort or skip
    max_attempts: int | None  # as the registry has it
    params: tuple[JsonValue, ...] = ()  # of each validator's command
    c2: str | None = None
    c3: str | None = None
    output_schema: JsonValue = None  # an answer's form, written out here

    @property
    def pointer(self) -> str:
        """Where it stands."""
        return join("/validationSteps", self.key)


class MatchedFailure(NamedTuple):
    """A failure pattern: which retry prompt a failed validator asks for. `known`: the registry has it."""

    name: str
    edition: str | None
    adaptation: str | None
    known: bool = True
    recoverable: bool | None = None  # by default


def validation_for(
    flow: Flow, step_id: str, verdict: str | None, era: Era, phase: Phase = "postllm"
) -> ClosureValidation | None:
    """The validation that a closing step triggers: by its own key if the era looks there, or its verdict's.

    `phase` selects its checks, where the era lists those before the query separately.
    """
    conditions = CONDITIONS_OF_PHASE[phase] if era.checks_by_phase else "validationConditions"
    every = _section(flow, "validationSteps")
    for key in (step_id, validation_key(verdict)) if era.validates_by_step else (validation_key(verdict),):
        found = every.get(key)
        if isinstance(found, dict):
            return _validation(key, found, conditions)
    return None


def validation_key(verdict: str | None) -> str:
    """The key of `validationSteps` for a verdict type; for unknown types it is made by the same pattern."""
    return VALIDATION_STEP_OF_VERDICT.get(verdict or "", f"closure.{verdict}")


def command_of(flow: Flow, validator: str) -> str | None:
    """The command of a validator, "" where it has none; None where there is no such validator."""
    found = validators_of(flow).get(validator)
    if not isinstance(found, dict):
        return None
    command = found.get("command")
    return command if isinstance(command, str) else ""


def validators_of(flow: Flow) -> dict[str, Any]:
    """The registry's validators by name, as written."""
    return _section(flow, "validators")


def unknown_validator(flow: Flow, names: Iterable[str]) -> str | None:
    """The message where one of the names is not a validator of the registry; None where all are."""
    known = validators_of(flow)
    for name in names:
        if name not in known:
            text = _("There is no validator “{name}”. Known: {known}.")
            return text.format(name=name, known=_(", ").join(known) or "–")
    return None


def failure_of(flow: Flow, validator: str, error: str, era: Era) -> MatchedFailure | None:
    """The pattern that a failed validator selects: by its name, else by words of the error where the era does so.

    None where the validator names none at all.
    """
    found = validators_of(flow).get(validator)
    name = found.get("failurePattern") if isinstance(found, dict) else None
    if not isinstance(name, str) or not name:
        return None
    patterns = _section(flow, "failurePatterns")
    if not isinstance(patterns.get(name), dict) and era.attempts != "unread":
        name = best_pattern(patterns, error) or name
    pattern = patterns.get(name)
    if not isinstance(pattern, dict):
        return MatchedFailure(name, None, None, known=False)
    by_default = pattern.get("recoverableByDefault")
    recoverable = by_default if isinstance(by_default, bool) else None
    return MatchedFailure(name, _text(pattern, "edition"), _text(pattern, "adaptation"), recoverable=recoverable)


def gives_up(validation: ClosureValidation, attempt: int, recoverable: bool, era: Era) -> bool:
    """Whether a failure, the `attempt`-th of this validation in a row, ends the run instead of going to a retry."""
    if era.attempts == "unread":
        return False
    if not recoverable:
        return True
    if validation.action == "abort":  # where that is not an action, nothing is counted either
        return era.aborts_on_failure
    if era.attempts == "tries":
        return attempt >= (DEFAULT_ATTEMPTS if validation.max_attempts is None else validation.max_attempts)
    return validation.max_attempts is not None and attempt > validation.max_attempts


def _validation(key: str, found: dict[str, JsonValue], conditions: str) -> ClosureValidation:
    conditions_of = found.get(conditions)
    listed = [
        condition
        for condition in (conditions_of if isinstance(conditions_of, list) else [])
        if isinstance(condition, dict) and isinstance(condition.get("validator"), str)
    ]
    on_failure = found.get("onFailure")
    policy = on_failure if isinstance(on_failure, dict) else {}
    attempts = policy.get("maxAttempts")
    return ClosureValidation(
        key,
        tuple(condition["validator"] for condition in listed),
        _text(policy, "action") or "retry",
        attempts if isinstance(attempts, int) and not isinstance(attempts, bool) else None,
        tuple(condition.get("params") for condition in listed),
        _text(found, "c2"),
        _text(found, "c3"),
        found.get("outputSchema"),
    )


def _section(flow: Flow, key: str) -> dict[str, Any]:
    root = flow.document.root.value if flow.document.root else None
    found = root.get(key) if isinstance(root, dict) else None
    return found if isinstance(found, dict) else {}


def _text(holder: dict[str, JsonValue], key: str) -> str | None:
    value = holder.get(key)
    return value if isinstance(value, str) else None


def score(keywords: JsonValue, text: str) -> int:
    """How many of the keywords occur; `/x/` is a regular expression, all else a part of the text, case aside."""
    if not isinstance(keywords, list):
        return 0
    lowered = text.lower()
    return sum(_occurs(keyword, lowered) for keyword in keywords if isinstance(keyword, str))


def best_pattern(patterns: JsonValue, text: str) -> str | None:
    """The pattern with the most hits, of equal ones the first; None where none has any."""
    best, most = None, 0
    for name, pattern in patterns.items() if isinstance(patterns, dict) else ():
        hits = score(pattern.get("semanticMatch"), text) if isinstance(pattern, dict) else 0
        if hits > most:
            best, most = name, hits
    return best


def _occurs(keyword: str, lowered: str) -> bool:
    if len(keyword) > 2 and keyword[0] == keyword[-1] == "/":
        pattern = compiled(keyword[1:-1], ignore_case=True)
        return pattern is not None and pattern.is_in(lowered) is True
    return keyword.lower() in lowered
