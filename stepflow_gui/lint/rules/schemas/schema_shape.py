"""A quick look at one schema's keywords: which of them look as if the metaschema refused them."""

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from stepflow_gui.text.json.tree import JsonValue

Wanted = Literal["types", "schema", "schemas", "named schemas", "text", "texts", "number", "count", "boolean", "list"]
TYPES = frozenset({"string", "number", "integer", "object", "array", "boolean", "null"})


class Doubt(NamedTuple):
    """A keyword whose value doesn't look right, and what should stand there."""

    keyword: str
    wanted: Wanted


def doubts(schema: dict[str, Any]) -> Iterator[Doubt]:
    """The keywords of one schema, not of those inside."""
    for keyword, value in schema.items():
        wanted = WANTED.get(keyword)
        if wanted is not None and not _FITS[wanted](value):
            yield Doubt(keyword, wanted)


WANTED: dict[str, Wanted] = {
    "type": "types",
    "enum": "list",
    "required": "texts",
    **dict.fromkeys(
        ("additionalProperties", "contains", "propertyNames", "not", "if", "then", "else", "additionalItems"), "schema"
    ),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), "schemas"),
    **dict.fromkeys(("properties", "patternProperties", "definitions", "$defs", "dependentSchemas"), "named schemas"),
    **dict.fromkeys(("$ref", "$id", "$schema", "$comment", "title", "description", "pattern", "format"), "text"),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), "number"),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), "count"),
    **dict.fromkeys(("uniqueItems", "readOnly", "writeOnly"), "boolean"),
    "examples": "list",
    "items": "schema",
}


def _is_schema(value: JsonValue) -> bool:
    return isinstance(value, dict | bool)


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: JsonValue) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _are_texts(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value) and len(set(value)) == len(value)


def _are_types(value: JsonValue) -> bool:
    if isinstance(value, str):
        return value in TYPES
    return _are_texts(value) and bool(value) and TYPES.issuperset(value)


_FITS: dict[Wanted, Callable[[JsonValue], bool]] = {
    "types": _are_types,
    "schema": _is_schema,  # a list of them in `items` is for the metaschema to judge
    "schemas": lambda value: isinstance(value, list) and bool(value) and all(_is_schema(each) for each in value),
    "named schemas": lambda value: isinstance(value, dict) and all(_is_schema(each) for each in value.values()),
    "text": lambda value: isinstance(value, str),
    "texts": _are_texts,
    "number": _is_number,
    "count": _is_count,
    "boolean": lambda value: isinstance(value, bool),
    "list": lambda value: isinstance(value, list),
}
