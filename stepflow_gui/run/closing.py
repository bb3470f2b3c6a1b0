"""What the registry says of closing: the validators to run, and what follows when one fails (0a and 8)."""

from typing import Any, NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.vocabulary import VALIDATION_STEP_OF_VERDICT
from stepflow_gui.text.json_tree import JsonValue
from stepflow_gui.text.pointer import join


class Validation(NamedTuple):
    """An entry of `validationSteps`: the validators in their order, and `onFailure`."""

    key: str
    validators: tuple[str, ...]
    action: str  # retry, abort or skip
    max_attempts: int | None  # retries allowed; None: as many as the iterations

    @property
    def pointer(self) -> str:
        """Where it stands."""
        return join("/validationSteps", self.key)


class Failure(NamedTuple):
    """A failure pattern: which retry prompt a failed validator asks for."""

    name: str
    edition: str | None
    adaptation: str | None


def validation_for(flow: Flow, step_id: str, verdict: str | None) -> Validation | None:
    """The validation that a closing step triggers: keyed by the step, else by the verdict type."""
    every = _section(flow, "validationSteps")
    for key in (step_id, validation_key(verdict)):
        found = every.get(key)
        if isinstance(found, dict):
            return _validation(key, found)
    return None


def validation_key(verdict: str | None) -> str:
    """The key of `validationSteps` that belongs to a verdict type; of others than the eight it is made the same way."""
    return VALIDATION_STEP_OF_VERDICT.get(verdict or "", f"closure.{verdict}")


def command_of(flow: Flow, validator: str) -> str | None:
    """The command of a validator, "" where it has none; None where there is no such validator."""
    found = _section(flow, "validators").get(validator)
    if not isinstance(found, dict):
        return None
    command = found.get("command")
    return command if isinstance(command, str) else ""


def failure_of(flow: Flow, validator: str) -> Failure | None:
    """The pattern that a failed validator selects; None where it names none that exists."""
    found = _section(flow, "validators").get(validator)
    name = found.get("failurePattern") if isinstance(found, dict) else None
    pattern = _section(flow, "failurePatterns").get(name) if isinstance(name, str) else None
    if not isinstance(name, str) or not isinstance(pattern, dict):
        return None
    return Failure(name, _text(pattern, "edition"), _text(pattern, "adaptation"))


def _validation(key: str, found: dict[str, JsonValue]) -> Validation:
    conditions = found.get("validationConditions")
    listed = conditions if isinstance(conditions, list) else []
    names = (condition.get("validator") for condition in listed if isinstance(condition, dict))
    on_failure = found.get("onFailure")
    policy = on_failure if isinstance(on_failure, dict) else {}
    attempts = policy.get("maxAttempts")
    return Validation(
        key,
        tuple(name for name in names if isinstance(name, str)),
        _text(policy, "action") or "retry",
        attempts if isinstance(attempts, int) and not isinstance(attempts, bool) else None,
    )


def _section(flow: Flow, key: str) -> dict[str, Any]:
    root = flow.document.root.value if flow.document.root else None
    found = root.get(key) if isinstance(root, dict) else None
    return found if isinstance(found, dict) else {}


def _text(holder: dict[str, JsonValue], key: str) -> str | None:
    value = holder.get(key)
    return value if isinstance(value, str) else None
