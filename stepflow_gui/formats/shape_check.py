"""Where a plain value doesn't follow a shape, as upstream's small JSON Schema checker sees it (runtime-semantics 16).

A value of a wrong type is checked no further. A field that is there but null has a wrong type.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from stepflow_gui.formats.fields import Shape
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

Kind = Literal["type", "enum", "pattern", "minimum", "required", "additional", "one_of"]


class Misfit(NamedTuple):
    """What is wrong, and the keys and indices on the path to it: to the key itself where it is missing or refused."""

    kind: Kind
    path: tuple[str | int, ...]

    @property
    def pointer(self) -> str:
        """The place as a JSON Pointer."""
        return join("", *self.path)


def misfits(value: JsonValue, shape: Shape, format_id: str, path: tuple[str | int, ...] = ()) -> Iterator[Misfit]:
    """Everything in a value that a format's shape doesn't allow."""
    if value is None and shape.nullable:
        return
    if shape.kind == "either":
        fitting = sum(not any(misfits(value, each, format_id)) for each in shape.either)
        if fitting != 1:
            yield Misfit("one_of", path)
    elif not _is_of_kind(value, shape.kind):
        yield Misfit("type", path)
    elif shape.kind == "string":
        if shape.choices and value not in shape.choices:
            yield Misfit("enum", path)
        elif shape.pattern and not _compiled(shape.pattern).fullmatch(value):
            yield Misfit("pattern", path)
    elif shape.kind in {"integer", "number"}:
        if shape.least is not None and not value >= shape.least:  # NaN is no smaller, and fits nothing
            yield Misfit("minimum", path)
    else:
        yield from _inside(value, shape, format_id, path)


def _inside(value: JsonValue, shape: Shape, format_id: str, path: tuple[str | int, ...]) -> Iterator[Misfit]:
    if shape.kind == "list" and shape.of:
        if shape.least is not None and len(value) < shape.least:
            yield Misfit("minimum", path)
        for index, item in enumerate(value):
            yield from misfits(item, shape.of, format_id, (*path, index))
    elif shape.kind in {"map", "object"}:
        known = {field.name: field for field in shape.fields if field.known_in(format_id)}
        for name, field in known.items():
            if name in value:
                yield from misfits(value[name], field.shape, format_id, (*path, name))
            elif field.need != "no":
                yield Misfit("required", (*path, name))
        for key in value:
            if key in known:
                continue
            if shape.of:
                yield from misfits(value[key], shape.of, format_id, (*path, key))
            elif shape.closed:
                yield Misfit("additional", (*path, key))


def _is_of_kind(value: JsonValue, kind: str) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "integer":
            whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
            return whole and not isinstance(value, bool)
        case "list":
            return isinstance(value, list)
        case "map" | "object":
            return isinstance(value, dict)
    return True


@lru_cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)
