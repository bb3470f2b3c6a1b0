"""What a person does to a line of a form, as a change of the registry."""

from typing import NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.changes import (
    AddCase,
    AddFailurePattern,
    AddValidationStep,
    Change,
    Connect,
    Disconnect,
    MakeConditional,
    MakeUnconditional,
    MoveItem,
    RemoveField,
    RenameCase,
    RenameKey,
    Retarget,
    SetField,
)
from stepflow_gui.formats.climpt.validation import PATTERN_HOLDERS, STEP_HOLDERS
from stepflow_gui.formats.climpt.vocabulary import ROUTED_FORMATS
from stepflow_gui.formats.fields import Field
from stepflow_gui.formats.tables import table_of_flow
from stepflow_gui.gui.inspector.forms.form_fields import FormField, alternative
from stepflow_gui.gui.inspector.forms.new_values import new_value
from stepflow_gui.gui.inspector.forms.outcomes import begun_at, removed_at, said_at
from stepflow_gui.gui.inspector.forms.piece_values import begun_value
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, parent, split


class _Way(NamedTuple):
    """A transition, or the case of a conditional one, that a pointer leads to; `part` is what follows in it."""

    step: str
    intent: str
    part: tuple[str, ...]


def set_to(flow: Flow, line: FormField, value: JsonValue) -> Change:
    """Another value; where a transition leads is asked for as such, so that illegal targets are refused."""
    way = _way(flow, line.pointer)
    if way is not None and (value is None or isinstance(value, str)):
        if way.part == ("target",):
            return Retarget(way.step, way.intent, value)
        if len(way.part) == 2 and way.part[0] == "targets":
            return Retarget(way.step, way.intent, value, way.part[1])
    return said_at(flow, line.pointer, value) or SetField(line.pointer, value)


def remove(flow: Flow, line: FormField) -> Change:
    """The member or element taken out."""
    way = _way(flow, line.pointer)
    if way is not None and not way.part:
        return Disconnect(way.step, way.intent)
    if way is not None and len(way.part) == 2 and way.part[0] == "targets":
        return Disconnect(way.step, way.intent, way.part[1])
    return removed_at(flow, line.pointer) or RemoveField(line.pointer)


def rename(flow: Flow, line: FormField, new: str) -> Change:
    """Another key for a member whose key is free."""
    way = _way(flow, line.pointer)
    if way is not None and len(way.part) == 2 and way.part[0] == "targets":
        return RenameCase(way.step, way.intent, way.part[1], new)
    return RenameKey(line.pointer, new)


def move(line: FormField, offset: int) -> Change:
    """An element put further up or down in its list."""
    return MoveItem(line.pointer, int(split(line.pointer)[-1]) + offset)


def add_field(flow: Flow, pointer: str, field: Field) -> Change:
    """A field that the object at a pointer hasn't yet."""
    key = split(pointer)[-1] if pointer else ""
    where = join(pointer, field.name)
    value = field.default if field.default is not None else begun_value(flow, where)
    if value is None:
        value = new_value(field.shape, key, _known_by(flow))
    return begun_at(flow, where) or SetField(where, value)


def add_item(flow: Flow, line: FormField) -> Change | None:
    """An element more at the end of a list."""
    inner = line.grows
    if inner is None:
        return None
    where = join(line.pointer, line.length)
    value = begun_value(flow, where)
    return SetField(where, new_value(inner, "", _known_by(flow)) if value is None else value)


def add_entry(flow: Flow, line: FormField, key: str) -> Change | None:
    """A member more with a free key."""
    inner = line.grows
    if inner is None:
        return None
    where = join(line.pointer, key)
    way, first = _way(flow, where), _first_step(flow)
    if way is not None and not way.part:
        return Connect(way.step, way.intent, _usual_target(flow, way))
    if way is not None and len(way.part) == 2 and way.part[0] == "targets":
        return AddCase(way.step, way.intent, way.part[1], _usual_target(flow, way))
    keys = split(where)
    if len(keys) == 2 and keys[0] in PATTERN_HOLDERS:
        return AddFailurePattern(key, "")
    if len(keys) == 2 and keys[0] in STEP_HOLDERS:
        return AddValidationStep(key, ())
    value = new_value(inner, key, flow.format)
    last = alternative(inner, 0)
    if last.names == "step":
        value = first or value
    return SetField(where, value)


def change_form(flow: Flow, line: FormField, form: int) -> Change:
    """The value as another alternative of its union."""
    way = _way(flow, line.pointer)
    assert line.shape is not None
    if way is not None and not way.part:
        to = line.shape.either[form]
        if to.fields and to.fields[0].name == "condition":
            return MakeConditional(way.step, way.intent, _usual_condition(flow, way.step))
        return MakeUnconditional(way.step, way.intent)
    return SetField(line.pointer, new_value(line.shape.either[form], line.key, _known_by(flow)))


def _way(flow: Flow, pointer: str) -> _Way | None:
    if flow.format not in ROUTED_FORMATS:
        return None
    keys = split(pointer)
    if len(keys) < 4 or keys[0] != "steps" or keys[2] != "transitions":
        return None
    step = flow.steps.get(keys[1])
    known = step is not None and step.pointer == parent(parent(join("", *keys[:4])))
    return _Way(keys[1], keys[3], tuple(keys[4:])) if known else None


def _usual_target(flow: Flow, way: _Way) -> str | None:
    """Where a new transition or case may lead until somebody says so: where the step leads already, else to itself."""
    if way.intent in {"closing", "complete"}:
        return None
    rule = flow.steps[way.step].transition(way.intent)
    for case in rule.cases if rule else ():
        if case.target:
            return case.target.value
    return way.step


def _usual_condition(flow: Flow, step_id: str) -> str:
    gate = flow.steps[step_id].gate
    fields = [field.value for field in gate.handoff_fields] if gate else []
    return fields[0].rpartition(".")[2] if fields else "condition"


def _known_by(flow: Flow) -> str:
    return table_of_flow(flow)[1]


def _first_step(flow: Flow) -> str | None:
    return next((step.id for step in flow.steps.values() if not step.is_section), None)
