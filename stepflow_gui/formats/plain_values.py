"""Whether a value matches its field table exactly.

Checked in one quick walk, so that searches for problems can skip values without any.
"""

from collections.abc import Container
from typing import NamedTuple

from stepflow_gui.formats.fields import Field, Shape
from stepflow_gui.text.json.tree import JsonValue

_TYPES = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": float,
    "list": list,
    "map": dict,
    "object": dict,
    "either": dict,
}
_MOST = 2**63


class Plain(NamedTuple):
    """What a value is to be: a type, perhaps one of some values, and what stands inside; None for anything.

    `others` is for what `fields` doesn't name: the elements of a list, the values of a map, further keys of an object.
    """

    type: type | None
    values: Container[JsonValue] | None
    fields: "dict[str, Plain]"
    others: "Plain | None"
    may_be_null: bool  # of what keys hold: null is a value there; elsewhere it is checked


def plain(shape: Shape, format_id: str) -> Plain:
    """What a format's values of a shape are: with the keys that it knows, by the names that they have today."""
    if shape.kind == "any":
        return _ANYTHING
    known: tuple[Field, ...] = shape.fields or tuple(field for each in shape.either for field in each.fields)
    fields = {
        field.name: plain(field.shape, format_id) for field in known if field.known_in(format_id) and not field.newer
    }
    others = plain(shape.of, format_id) if shape.of else None
    if any(each.kind in {"any", "map"} for each in shape.either):
        others = _ANYTHING
    values: Container[JsonValue] | None = shape.choices or None
    if shape.least is not None:
        values = range(shape.least, _MOST)
    null = any(each.nullable for each in (shape.of, *(field.shape for field in known)) if each)
    return Plain(_TYPES[shape.kind], values, fields, others, null)


def is_plain(value: JsonValue, rules: Plain) -> bool:
    """Whether a value matches exactly. A few valid values don't: a float that is whole, for example."""
    kind, values, fields, others, null = rules
    if kind is None:
        return True
    if kind is not type(value) or (values is not None and value not in values):
        return False
    if isinstance(value, dict):
        for key, inner in value.items():
            below = fields.get(key) or others
            if below is None or (inner is None and not null) or (inner is not None and not is_plain(inner, below)):
                return False
    elif isinstance(value, list) and others is not None:
        return all(is_plain(inner, others) for inner in value)
    return True


_ANYTHING = Plain(None, None, {}, None, may_be_null=True)
