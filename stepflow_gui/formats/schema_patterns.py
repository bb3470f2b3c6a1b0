"""`patternProperties` as plain properties, for a keyword of the library that would look for them without a bound."""

from collections.abc import Iterator, Mapping
from typing import Any

from stepflow_gui.text.expressions.matching import compiled

_DATA = frozenset({"const", "enum", "default", "examples"})  # keywords whose values aren't schemas
_COUNTING = "unevaluatedProperties"


def with_plain_keys(schema: Mapping[str, Any], answer: object) -> dict[str, Any]:
    """The schema for this answer: what a pattern defines for a key of it is placed under the key itself.

    Only where something asks which keys are left over; a pattern that can't be checked means no key.
    """
    whole = dict(schema)
    if not any(_COUNTING in each for each in _objects(schema)):
        return whole
    keys = list(dict.fromkeys(key for each in _objects(answer) for key in each))
    rewritten = _rewritten(whole, keys)
    assert isinstance(rewritten, dict)
    return rewritten


def _objects(value: object) -> Iterator[Mapping[str, Any]]:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            yield each
            waiting.extend(each.values())
        elif isinstance(each, list):
            waiting.extend(each)


def _rewritten(value: Any, keys: list[str]) -> Any:
    if isinstance(value, list):
        return [_rewritten(each, keys) for each in value]
    if not isinstance(value, Mapping):
        return value
    made = {name: each if name in _DATA else _rewritten(each, keys) for name, each in value.items()}
    patterns = made.get("patternProperties")
    if not isinstance(patterns, dict):
        return made
    del made["patternProperties"]
    named = made.get("properties")
    properties = dict(named) if isinstance(named, dict) else {}
    for pattern, schema in patterns.items():
        expression = compiled(pattern) if isinstance(pattern, str) else None
        for key in [] if expression is None else filter(expression.is_in, keys):
            properties[key] = {"allOf": [properties[key], schema]} if key in properties else schema
    return {**made, "properties": properties}
