"""What of JSON Schema the Messages API's structured outputs don't take; its documentation lists it.

It applies to schemas as they are sent: references resolved, `allOf` merged, objects closed.
"""

from collections.abc import Callable, Iterator
from typing import Any

from stepflow_gui.text.json.tree import JsonValue

UNSUPPORTED = frozenset({
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
    "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "prefixItems", "additionalItems",
    "minProperties", "maxProperties", "patternProperties", "propertyNames", "dependencies", "dependentRequired",
    "dependentSchemas", "unevaluatedItems", "unevaluatedProperties", "if", "then", "else", "not", "oneOf",
})  # fmt: skip
FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"})
_BEYOND_PATTERNS = ("(?=", "(?!", "(?<", "\\b", "\\B")  # looking around and word boundaries


def unsupported(schema: dict[str, Any]) -> Iterator[str]:
    """The keywords of one schema, not of those inside, that they don't take."""
    for keyword, value in schema.items():
        if keyword in UNSUPPORTED or (keyword in _WITHIN_LIMITS and not _WITHIN_LIMITS[keyword](value)):
            yield keyword


def _primitive(value: JsonValue) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


_WITHIN_LIMITS: dict[str, Callable[[JsonValue], bool]] = {
    "additionalProperties": lambda value: value is False,
    "minItems": lambda value: value in (0, 1),
    "items": lambda value: not isinstance(value, list),
    "enum": lambda value: not isinstance(value, list) or all(_primitive(each) for each in value),
    "const": _primitive,
    "format": lambda value: isinstance(value, str) and value in FORMATS,
    "pattern": lambda value: not isinstance(value, str) or not any(each in value for each in _BEYOND_PATTERNS),
}
