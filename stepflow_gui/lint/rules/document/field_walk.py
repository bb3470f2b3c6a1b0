"""Walks a file beside its field table, over plain values: places take time to find, and findings are rare."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.formats.fields import Field, Shape
from stepflow_gui.text.json_tree import JsonValue
from stepflow_gui.text.pointer import join


class Place(NamedTuple):
    """An object whose fields a table knows: its pointer, its value and its fields, those of all formats."""

    pointer: str
    value: dict[str, JsonValue]
    fields: tuple[Field, ...]
    is_open: bool  # keys of other names belong there


def objects(shape: Shape, value: JsonValue, format_id: str, pointer: str = "") -> Iterator[Place]:
    """Every object that the table describes, in file order, the outermost first."""
    if isinstance(value, list):
        if shape.kind == "list" and shape.of:
            for index, item in enumerate(value):
                yield from objects(shape.of, item, format_id, join(pointer, index))
        return
    if not isinstance(value, dict):
        return
    if shape.kind == "map" and shape.of:
        for key, inner in value.items():
            yield from objects(shape.of, inner, format_id, join(pointer, key))
        return
    fields = shape.fields or tuple(field for each in shape.either for field in each.fields)
    if not fields:
        return
    yield Place(pointer, value, fields, is_open=shape.of is not None or _takes_any(shape))
    known = {field.name: field.shape for field in fields}
    known |= {field.name: field.shape for field in fields if field.known_in(format_id)}
    for key, inner in value.items():
        below = known.get(key, shape.of)
        if below:
            yield from objects(below, inner, format_id, join(pointer, key))


def _takes_any(shape: Shape) -> bool:
    return any(each.kind in {"any", "map"} for each in shape.either)
