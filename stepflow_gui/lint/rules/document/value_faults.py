"""Where a value is of the right type, but none of those that its field can have."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.formats.fields import Shape
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.document.shape_faults import ShapeFault, fits
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

ELSEWHERE = ("model", "permissionMode", "action", "targetMode", "iterations")  # these have rules of their own


def value_faults(shape: Shape, value: JsonValue, format_id: str) -> Iterator[ShapeFault]:
    """Every value outside its choices or below its minimum, in file order."""
    plan = _plan(shape, format_id)
    if plan:
        yield from _faults(plan, value, "")


class _Plan(NamedTuple):
    """What is to be looked at in a value: most fields can have any value of their type."""

    shape: Shape
    fields: "dict[str, _Plan]"
    each: "_Plan | None"  # of a list's elements or a map's values


def _plan(shape: Shape, format_id: str) -> _Plan | None:
    if shape.choices or shape.least is not None:
        return _Plan(shape, {}, None)
    fields = {
        field.name: plan
        for field in shape.fields
        if field.known_in(format_id) and field.name not in ELSEWHERE and (plan := _plan(field.shape, format_id))
    }
    each = _plan(shape.of, format_id) if shape.of and shape.kind in {"list", "map"} else None
    return _Plan(shape, fields, each) if fields or each else None


def _faults(plan: _Plan, value: JsonValue, pointer: str) -> Iterator[ShapeFault]:
    shape, fields, each = plan
    if isinstance(value, dict):
        for key, inner in value.items():
            below = each or fields.get(key)
            if below:
                yield from _faults(below, inner, join(pointer, key))
    elif isinstance(value, list):
        if each:
            for index, inner in enumerate(value):
                yield from _faults(each, inner, join(pointer, index))
    elif not fields and not each and fits(shape, value):
        outside = shape.choices and value not in shape.choices and not has_placeholder(value)
        if outside or (shape.least is not None and value < shape.least):
            yield ShapeFault(pointer, shape, value)
