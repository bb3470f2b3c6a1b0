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
from stepflow_gui.gui.inspector.forms.outcomes import begun_at, field_change, removed_at
from stepflow_gui.gui.inspector.forms.piece_values import begun_value
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, parent, split


class _TransitionPart(NamedTuple):
    """A transition, or the case of a conditional one, that a pointer points to; `part` is what follows in it."""

    step: str
    intent: str
    part: tuple[str, ...]


def set_to(flow: Flow, line: FormField, value: JsonValue) -> Change:
    """Set another value; a transition's target is requested as such, so that illegal targets are refused."""
    part_of = _transition_part(flow, line.pointer)
    if part_of is not None and (value is None or isinstance(value, str)):
        if part_of.part == ("target",):
            return Retarget(part_of.step, part_of.intent, value)
        if len(part_of.part) == 2 and part_of.part[0] == "targets":
            return Retarget(part_of.step, part_of.intent, value, part_of.part[1])
    return field_change(flow, line.pointer, value) or SetField(line.pointer, value)


def remove(flow: Flow, line: FormField) -> Change:
    """The member or element taken out."""
    part_of = _transition_part(flow, line.pointer)
    if part_of is not None and not part_of.part:
        return Disconnect(part_of.step, part_of.intent)
    if part_of is not None and len(part_of.part) == 2 and part_of.part[0] == "targets":
        return Disconnect(part_of.step, part_of.intent, part_of.part[1])
    return removed_at(flow, line.pointer) or RemoveField(line.pointer)


def rename(flow: Flow, line: FormField, new: str) -> Change:
    """Another key for a member whose key is free."""
    part_of = _transition_part(flow, line.pointer)
    if part_of is not None and len(part_of.part) == 2 and part_of.part[0] == "targets":
        return RenameCase(part_of.step, part_of.intent, part_of.part[1], new)
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
    part_of, first = _transition_part(flow, where), _first_step(flow)
    if part_of is not None and not part_of.part:
        return Connect(part_of.step, part_of.intent, _usual_target(flow, part_of))
    if part_of is not None and len(part_of.part) == 2 and part_of.part[0] == "targets":
        return AddCase(part_of.step, part_of.intent, part_of.part[1], _usual_target(flow, part_of))
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
    part_of = _transition_part(flow, line.pointer)
    assert line.shape is not None
    if part_of is not None and not part_of.part:
        to = line.shape.either[form]
        if to.fields and to.fields[0].name == "condition":
            return MakeConditional(part_of.step, part_of.intent, _usual_condition(flow, part_of.step))
        return MakeUnconditional(part_of.step, part_of.intent)
    return SetField(line.pointer, new_value(line.shape.either[form], line.key, _known_by(flow)))


def _transition_part(flow: Flow, pointer: str) -> _TransitionPart | None:
    if flow.format not in ROUTED_FORMATS:
        return None
    keys = split(pointer)
    if len(keys) < 4 or keys[0] != "steps" or keys[2] != "transitions":
        return None
    step = flow.steps.get(keys[1])
    known = step is not None and step.pointer == parent(parent(join("", *keys[:4])))
    return _TransitionPart(keys[1], keys[3], tuple(keys[4:])) if known else None


def _usual_target(flow: Flow, part_of: _TransitionPart) -> str | None:
    """The initial target of a new transition or case: where the step already goes, else the step itself."""
    if part_of.intent in {"closing", "complete"}:
        return None
    rule = flow.steps[part_of.step].transition(part_of.intent)
    for case in rule.cases if rule else ():
        if case.target:
            return case.target.value
    return part_of.step


def _usual_condition(flow: Flow, step_id: str) -> str:
    gate = flow.steps[step_id].gate
    fields = [field.value for field in gate.handoff_fields] if gate else []
    return fields[0].rpartition(".")[2] if fields else "condition"


def _known_by(flow: Flow) -> str:
    return table_of_flow(flow)[1]


def _first_step(flow: Flow) -> str | None:
    return next((step.id for step in flow.steps.values() if not step.is_section), None)
