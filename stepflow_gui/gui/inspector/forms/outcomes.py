"""The user's edits of a check's outcomes in a form: a transition is set, not a field, so only one remains."""

from typing import NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.changes import Change, Connect, Disconnect, RenameKey, SetField
from stepflow_gui.formats.checks.vocabulary import INTENT_OF_OUTCOME, NAMING
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, split

_RETRIES = 3


class _OutcomeField(NamedTuple):
    """A field of an outcome: its step, the intent of its transition, and its name."""

    step: str
    intent: str
    key: str


def field_change(flow: Flow, pointer: str, value: JsonValue) -> Change | None:
    """The change that sets an outcome of a check; None for a field that isn't one, or is just written."""
    if flow.format != "checks":
        return None
    keys = split(pointer)
    if keys[:1] == ["steps"] and keys[2:] == ["id"] and isinstance(value, str):
        return RenameKey(join("", *keys[:2]), value)
    field = _outcome_field(keys, flow)
    if field is None:
        return None
    if field.key in NAMING:
        return Connect(field.step, field.intent, value) if isinstance(value, str) else None
    if value is not True:
        return None
    return Connect(field.step, field.intent, None if field.key == "complete" else field.step)


def begun_at(flow: Flow, pointer: str) -> Change | None:
    """The change that adds an outcome's missing transition: to the next step in the file, to where one can go back."""
    if flow.format == "checks" and split(pointer)[-1] == "maxRetries":
        return SetField(pointer, _RETRIES)  # the least that the table allows would mean without limit
    field = _outcome_field(split(pointer), flow) if flow.format == "checks" else None
    if field is None:
        return None
    if field.key not in NAMING:
        return field_change(flow, pointer, True)
    steps = list(flow.steps)
    at = steps.index(field.step)
    others = [*steps[at + 1 :], *steps[:at]] if field.key == "next" else [*steps[:at][::-1], *steps[at + 1 :]]
    return field_change(flow, pointer, (others or steps)[0])


def removed_at(flow: Flow, pointer: str) -> Change | None:
    """The change that removes a transition of a check."""
    field = _outcome_field(split(pointer), flow) if flow.format == "checks" else None
    return Disconnect(field.step, field.intent) if field is not None and field.intent in {"retry", "fallback"} else None


def _outcome_field(keys: list[str], flow: Flow) -> _OutcomeField | None:
    if len(keys) != 5 or keys[0] != "steps" or keys[2] != "check" or keys[1] not in flow.steps:
        return None
    intent = INTENT_OF_OUTCOME.get(keys[3], {}).get(keys[4])
    if intent is None or (keys[3] == "onPass" and keys[4] in {"fallback", "retry"}):
        return None  # not a transition apart from those of a failed check
    return _OutcomeField(keys[1], intent, keys[4])
