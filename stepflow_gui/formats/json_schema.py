"""A field table as a JSON Schema (draft-07, which editors know best), for files as people write them.

It asks for less than the runner's own schemas: what has a default may be absent, and the fields of all formats are
there side by side, those of some formats never required. What is under an older name is marked `deprecated`.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from stepflow_gui.formats.fields import Field, Need, Shape

DRAFT = "http://json-schema.org/draft-07/schema#"
JsonSchema = dict[str, Any]

_TYPES = {"list": "array", "map": "object"}


def schema_of(shape: Shape, needed: Iterable[Need] = ("load", "run")) -> JsonSchema:
    """What a shape allows, in the language in use. `needed`: the fields of which need are required."""
    if shape.kind == "any":
        return {}
    if shape.kind == "either":
        return {"anyOf": [schema_of(each, needed) for each in shape.either]}
    kind = _TYPES.get(shape.kind, shape.kind)
    schema: JsonSchema = {"type": [kind, "null"] if shape.nullable else kind}
    if shape.choices:
        schema["enum"] = list(shape.choices)
    if shape.pattern:
        schema["pattern"] = f"^(?:{shape.pattern})$" if "|" in shape.pattern else f"^{shape.pattern}$"
    if shape.least is not None:
        schema["minimum"] = shape.least
    if shape.kind == "list" and shape.of:
        schema["items"] = schema_of(shape.of, needed)
    elif shape.kind in {"map", "object"}:
        schema |= _members(shape, tuple(needed))
    return schema


def _members(shape: Shape, needed: tuple[Need, ...]) -> JsonSchema:
    by_name: dict[str, list[Field]] = defaultdict(list)
    for field in shape.fields:
        by_name[field.name].append(field)
    members: JsonSchema = {}
    required = [field.name for field in shape.fields if field.need in needed and not field.formats]
    if required:
        members["required"] = required
    if by_name:
        members["properties"] = {name: _property(fields, needed) for name, fields in by_name.items()}
    others = schema_of(shape.of, needed) if shape.of else {}
    if shape.closed or others:
        members["additionalProperties"] = others or False
    return members


def _property(fields: list[Field], needed: tuple[Need, ...]) -> JsonSchema:
    """A field, or those of one name that differ by format: the first's help, what any of them allows."""
    allowed: list[JsonSchema] = []
    for field in fields:
        schema = schema_of(field.shape, needed)
        if schema not in allowed:
            allowed.append(schema)
    first = fields[0]
    described: JsonSchema = {"description": first.meaning()}
    described |= allowed[0] if len(allowed) == 1 else {"anyOf": allowed}
    if first.default is not None:
        described["default"] = first.default
    if all(field.newer for field in fields):
        described["deprecated"] = True
    return described
