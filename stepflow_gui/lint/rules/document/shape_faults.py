"""Where a value isn't of the types that a field table says.

Works on plain values: places take time to find, and faults are rare.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from stepflow_gui.formats.fields import ANY, Field, Shape
from stepflow_gui.text.json.tree import JsonValue, kind_of
from stepflow_gui.text.pointer import join

_JSON_KINDS = {"string": "string", "boolean": "boolean", "list": "array", "map": "object", "object": "object"}


class ShapeFault(NamedTuple):
    """A value of a wrong type and the shape it should have."""

    pointer: str
    shape: Shape
    value: JsonValue


def faults(
    shape: Shape, value: JsonValue, format_id: str, leaving_out: Collection[str] = (), pointer: str = ""
) -> Iterator[ShapeFault]:
    """Every value of a wrong type, in file order. Null counts as absent, but for items of lists and values of a map.

    What stands in the fields named in `leaving_out` is not read.
    """
    if shape.kind == "either":
        shape = _alternative(shape, value)
    if shape.kind == "any":
        return
    if not fits(shape, value):
        yield ShapeFault(pointer, shape, value)
        return
    for key, inner, child in _below(shape, value, format_id):
        where = join(pointer, key)
        if child is None and shape.kind != "list" and not (shape.kind == "map" and not inner.nullable):
            continue
        if key in leaving_out:
            yield from [] if fits(inner, child) else [ShapeFault(where, inner, child)]
        else:
            yield from faults(inner, child, format_id, leaving_out, where)


def nulls(shape: Shape, value: JsonValue, format_id: str, pointer: str = "") -> Iterator[str]:
    """Where a field that may be left out is null, which isn't of its type."""
    if shape.kind == "either":
        shape = _alternative(shape, value)
    if shape.kind == "any" or not fits(shape, value):
        return
    optional = {field.name for field in shape.fields if field.need == "no"} if shape.kind == "object" else ()
    for key, inner, child in _below(shape, value, format_id):
        where = join(pointer, key)
        if child is not None:
            yield from nulls(inner, child, format_id, where)
        elif key in optional and not inner.nullable and inner.kind != "any":
            yield where


def _alternative(shape: Shape, value: JsonValue) -> Shape:
    """Of alternatives the object that a value is: the first of which it has the first field, else the last."""
    objects = [each for each in shape.either if each.kind == "object" and each.fields]
    if not isinstance(value, dict) or not objects:
        return ANY  # other rules speak of what is none of them
    return next((each for each in objects if each.fields[0].name in value), objects[-1])


def fits(shape: Shape, value: JsonValue) -> bool:
    """Whether a value is of the shape's type."""
    if shape.kind == "integer":
        return (isinstance(value, int) and not isinstance(value, bool)) or (
            isinstance(value, float) and value.is_integer()
        )
    return kind_of(value) == _JSON_KINDS[shape.kind]


def _below(shape: Shape, value: JsonValue, format_id: str) -> Iterator[tuple[str | int, Shape, JsonValue]]:
    if shape.kind == "list" and shape.of:
        for index, item in enumerate(value):
            yield index, shape.of, item
    elif shape.kind == "map" and shape.of:
        for key, inner in value.items():
            yield key, shape.of, inner
    elif shape.kind == "object":
        known = _known(shape.fields, format_id)
        for key, inner in value.items():
            if key in known:
                yield key, known[key], inner


_tables: dict[tuple[int, str], tuple[tuple[Field, ...], dict[str, Shape]]] = {}


def _known(fields: tuple[Field, ...], format_id: str) -> dict[str, Shape]:
    """The fields that a format knows by name. Told apart by identity: a table is much to compare, and there are few."""
    found = _tables.get((id(fields), format_id))
    if found is None or found[0] is not fields:
        found = fields, {field.name: field.shape for field in fields if field.known_in(format_id)}
        _tables[id(fields), format_id] = found
    return found[1]
