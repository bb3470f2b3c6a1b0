"""The gate: an answer becomes an intent (runtime-semantics 5)."""

from typing import Any, Literal, NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.messages import _
from stepflow_gui.run.javascript.values import ABSENT, text_of, value_at
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.json.values import is_true
from stepflow_gui.text.pointer import join

Cause = Literal["no_value", "unknown_value", "not_allowed", "no_intent_field", "no_gate"]
CODE = "GATE_INTERPRETATION_ERROR"
_LONGEST = 40  # characters of an answer that a message quotes


class Interpretation(NamedTuple):
    """An answer as the gate understood it."""

    intent: str
    target: str | None = None  # the step that a jump names
    handoff: dict[str, JsonValue] | None = None  # None where nothing was collected
    reason: str | None = None  # the answer's own words
    cause: Cause | None = None  # why the intent is a fallback; None: the answer gave it
    field: str | None = None  # the path at which the intent was looked for
    raw: JsonValue = ABSENT  # the value found there
    missing: tuple[str, ...] = ()  # handoffFields that the answer lacks

    @property
    def used_fallback(self) -> bool:
        """Whether the intent isn't the answer's own."""
        return self.cause is not None


def interpret(step: Step, answer: JsonValue, era: Era) -> Interpretation | RunError:
    """What an answer to a step means. Pure; wrong types in the gate give an error, never an exception."""
    gate = step.raw.get("structuredGate")
    if not isinstance(gate, dict):
        return Interpretation("next", cause="no_gate")  # the answer isn't read
    allowed = gate.get("allowedIntents")
    if not isinstance(allowed, list | str):  # a string is searched, as JavaScript's `includes` does
        return _malformed(step, "allowedIntents")
    field = gate.get("intentField")
    if era.empty_field_is_absent and not is_true(field):
        field = next((path for path in era.guessed_fields if _given(value_at(answer, path))), None)
    elif not isinstance(field, str):
        return _malformed(step, "intentField")
    raw = ABSENT if field is None else value_at(answer, field)
    cause: Cause | None = "no_intent_field"
    intent = None
    if field is not None:
        intent, cause = _determine(raw, allowed, era)
    if intent is None:
        intent = _fallback(gate, allowed, era)
        if intent is None:
            return _undetermined(step, gate, era, Interpretation("", cause=cause, field=field, raw=raw))
    handoff, missing = _collect(gate.get("handoffFields"), answer)
    target = _target(gate, answer) if intent == "jump" else None
    return Interpretation(intent, target, handoff, _reason(answer), cause, field, raw, missing)


def _determine(raw: JsonValue, allowed: list[Any] | str, era: Era) -> tuple[str | None, Cause | None]:
    if not _given(raw):
        return None, "no_value"
    intent = era.words.get(text_of(raw).lower())
    if intent is None:
        return None, "unknown_value"
    if intent in allowed or intent in era.always_allowed:
        return intent, None
    return None, "not_allowed"


def _given(value: JsonValue) -> bool:
    return value is not None and value is not ABSENT


def _fallback(gate: dict[str, Any], allowed: list[Any] | str, era: Era) -> str | None:
    """The intent taken for want of one; None where the gate fails instead or allows nothing."""
    if era.fail_fast and gate.get("failFast") is not False:
        return None
    wanted = gate.get("fallbackIntent")
    if isinstance(wanted, str) and wanted in allowed:
        return wanted
    if "next" in allowed:
        return "next"
    return next((intent for intent in allowed if isinstance(intent, str)), None)


def _target(gate: dict[str, Any], answer: JsonValue) -> str | None:
    field = gate.get("targetField")
    target = value_at(answer, field) if field and isinstance(field, str) else None
    return target if isinstance(target, str) else None


def _collect(fields: JsonValue, answer: JsonValue) -> tuple[dict[str, JsonValue] | None, tuple[str, ...]]:
    """The handoff under the last segments of the paths, later ones winning, and the paths without a value."""
    if not isinstance(fields, list):
        return None, ()
    handoff: dict[str, JsonValue] = {}
    missing: tuple[str, ...] = ()
    for path in fields:
        if not isinstance(path, str):
            continue
        value = value_at(answer, path)
        if value is ABSENT:
            missing += (path,)
        else:
            handoff[path.rpartition(".")[2]] = value
    return handoff or None, missing


def _reason(answer: JsonValue) -> str | None:
    """The first text among next_action.reason, reason, message and next_action.details.reason."""
    if not isinstance(answer, dict):
        return None
    action = answer.get("next_action")
    action = action if isinstance(action, dict) else {}
    for reason in (action.get("reason"), answer.get("reason"), answer.get("message")):
        if isinstance(reason, str):
            return reason
    reason = value_at(action, "details.reason") if "details" in action else None
    return reason if isinstance(reason, str) else None


def _malformed(step: Step, key: str) -> RunError:
    message = _("The gate of {step} has no usable “{key}”. Correct it, then go on from here.")
    pointer = join(step.pointer, "structuredGate")
    if key in step.raw["structuredGate"]:
        pointer = join(pointer, key)
    message = message.format(step=step.id, key=key)
    return RunError(kind="malformed_gate", message=message, code=CODE, step=step.id, pointer=pointer)


def _undetermined(step: Step, gate: dict[str, Any], era: Era, found: Interpretation) -> RunError:
    if found.cause == "no_intent_field":
        what = _("The gate of {step} doesn't say where the intent is.").format(step=step.id)
    elif found.cause == "no_value":
        what = _("The answer to {step} has no value at “{field}”.").format(step=step.id, field=found.field)
    elif found.cause == "unknown_value":
        what = _("“{word}” in the answer to {step} is not an intent.").format(word=in_short(found.raw), step=step.id)
    else:
        intent = era.words[text_of(found.raw).lower()]
        what = _("The answer to {step} means “{intent}”, which allowedIntents doesn't list.")
        what = what.format(step=step.id, intent=intent)
    if era.fail_fast and gate.get("failFast") is not False:
        kind, why = "fail_fast", _("failFast stops the run here.")
    else:
        kind, why = "no_usable_intent", _("allowedIntents has none to fall back to.")
    message = _("{what} {why} Give another answer, or step back.").format(what=what, why=why)
    pointer = join(step.pointer, "structuredGate")
    return RunError(kind, message, CODE, step.id, pointer, found.cause)


def in_short(value: JsonValue) -> str:
    """A value as the gate reads it, cut to what fits in a sentence."""
    text = text_of(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
