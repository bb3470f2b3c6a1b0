"""What a person does to the outcomes of a check in a form: a way is led, not a field written, so that one is left."""

from typing import NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.changes import Change, Connect, Disconnect, RenameKey, SetField
from stepflow_gui.formats.checks.vocabulary import INTENT_OF_OUTCOME, NAMING
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, split

_RETRIES = 3


class _Said(NamedTuple):
    """A field of an outcome: of which step, under which intent the way is drawn, and its name."""

    step: str
    intent: str
    key: str


def said_at(flow: Flow, pointer: str, value: JsonValue) -> Change | None:
    """The change that lets a check say so; None where the field is no way of one, or is just to be written."""
    if flow.format != "checks":
        return None
    keys = split(pointer)
    if keys[:1] == ["steps"] and keys[2:] == ["id"] and isinstance(value, str):
        return RenameKey(join("", *keys[:2]), value)
    said = _said(keys, flow)
    if said is None:
        return None
    if said.key in NAMING:
        return Connect(said.step, said.intent, value) if isinstance(value, str) else None
    if value is not True:
        return None
    return Connect(said.step, said.intent, None if said.key == "complete" else said.step)


def begun_at(flow: Flow, pointer: str) -> Change | None:
    """The change that adds a way which an outcome hasn't: to the step behind in the file, to where one can go back."""
    if flow.format == "checks" and split(pointer)[-1] == "maxRetries":
        return SetField(pointer, _RETRIES)  # the least that the table allows would mean without limit
    said = _said(split(pointer), flow) if flow.format == "checks" else None
    if said is None:
        return None
    if said.key not in NAMING:
        return said_at(flow, pointer, True)
    steps = list(flow.steps)
    at = steps.index(said.step)
    others = [*steps[at + 1 :], *steps[:at]] if said.key == "next" else [*steps[:at][::-1], *steps[at + 1 :]]
    return said_at(flow, pointer, (others or steps)[0])


def removed_at(flow: Flow, pointer: str) -> Change | None:
    """The change that takes a way of a check out."""
    said = _said(split(pointer), flow) if flow.format == "checks" else None
    return Disconnect(said.step, said.intent) if said is not None and said.intent in {"retry", "fallback"} else None


def _said(keys: list[str], flow: Flow) -> _Said | None:
    if len(keys) != 5 or keys[0] != "steps" or keys[2] != "check" or keys[1] not in flow.steps:
        return None
    intent = INTENT_OF_OUTCOME.get(keys[3], {}).get(keys[4])
    if intent is None or (keys[3] == "onPass" and keys[4] in {"fallback", "retry"}):
        return None  # such a way is no other than those of a failed check
    return _Said(keys[1], intent, keys[4])
