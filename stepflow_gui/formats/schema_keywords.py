"""The keywords of a JSON Schema: what is of another type than it should be counts as not there."""

from collections.abc import Iterable, Mapping

from stepflow_gui.text.json.tree import JsonValue

# Of all drafts, and those of OpenAPI that are written into schemas as well.
KEYWORDS = frozenset(
    (
        *("$schema", "$id", "id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef"),
        *("$recursiveAnchor", "$vocabulary", "$comment", "$defs", "definitions"),
        *("type", "enum", "const", "not", "if", "then", "else", "allOf", "anyOf", "oneOf"),
        *("multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"),
        *("maxLength", "minLength", "pattern", "format", "contentEncoding", "contentMediaType", "contentSchema"),
        *("items", "additionalItems", "prefixItems", "unevaluatedItems", "maxItems", "minItems", "uniqueItems"),
        *("contains", "maxContains", "minContains"),
        *("properties", "required", "maxProperties", "minProperties", "patternProperties", "additionalProperties"),
        *("unevaluatedProperties", "propertyNames", "dependencies", "dependentRequired", "dependentSchemas"),
        *("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"),
        *("example", "nullable", "discriminator", "xml", "externalDocs"),
    )
)

_OTHER_SHAPES = ("anyOf", "oneOf", "if", "not", "$ref", "patternProperties", "dependentSchemas")


def properties(schema: JsonValue) -> dict[str, JsonValue]:
    """The schemas of an object's members, by name."""
    found = schema.get("properties") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def is_closed(schema: Mapping[str, JsonValue]) -> bool:
    """Whether an object can have no members but those of `properties`, and the schema has no other shapes."""
    return schema.get("additionalProperties", True) is False and not any(word in schema for word in _OTHER_SHAPES)


def property_at(schema: JsonValue, keys: Iterable[str]) -> JsonValue:
    """The schema at these property names, one inside the other; None where one of them isn't declared."""
    for key in keys:
        schema = properties(schema).get(key)
    return schema


def required(schema: JsonValue) -> list[str]:
    """The names of the members that must be there."""
    found = schema.get("required") if isinstance(schema, dict) else None
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def types(schema: JsonValue) -> list[str]:
    """The types that a value may have; none where none is named."""
    found = schema.get("type") if isinstance(schema, dict) else None
    listed = found if isinstance(found, list) else [found]
    return [each for each in listed if isinstance(each, str)]


def values(schema: JsonValue) -> list[JsonValue] | None:
    """The values that `const` or `enum` allow; None where all are allowed."""
    if not isinstance(schema, dict):
        return None
    if "const" in schema:
        return [schema["const"]]
    found = schema.get("enum")
    return found if isinstance(found, list) else None


def text(schema: JsonValue, keyword: str) -> str | None:
    """A keyword whose value is a text, such as `format` or `pattern`."""
    found = schema.get(keyword) if isinstance(schema, dict) else None
    return found if isinstance(found, str) else None
