"""A valid answer to begin with: what is required, each value the plainest that its schema allows."""

import copy
import math
from collections.abc import Callable, Mapping
from typing import Any

from stepflow_gui.run.answer_form.shapes import Schema, alternatives, only, settled, type_of
from stepflow_gui.text.expressions.matching import compiled
from stepflow_gui.text.json.tree import JsonValue

_DEEPEST = 12  # objects inside one another that a start is made for
_FORMATS = {
    "date": "2026-01-01",
    "time": "00:00:00Z",
    "date-time": "2026-01-01T00:00:00Z",
    "duration": "P1D",
    "email": "name@example.com",
    "hostname": "example.com",
    "uri": "https://example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
# What patterns mostly ask for: words, numbers, versions, ids, paths, names of branches, dates, sums.
_TRIED = (
    *("a", "A", "0", "1", "aa", "abc", "ABC", "a-b", "a_b", "a.b", "a/b", "10", "100", "1.0", "1.0.0", "v1.0.0"),
    *("#1", "A-1", "ABC-123", "initial.issue", "a@b.co", "a/b.txt", "a.md", "a b", "true", "yes"),
    *("https://example.com", "2026-01-01", "2026-01-01T00:00:00Z", "0000000", "0" * 40, "a" * 8, "0" * 8),
)


def start_of(schema: object, root: Schema, deep: int = 0) -> JsonValue:
    """The simplest value of a schema. If none is found, a near one: the form shows what is wrong."""
    found = only(settled(schema, root), root)
    if "const" in found:
        return copy.deepcopy(found["const"])
    if "default" in found:
        return copy.deepcopy(found["default"])
    choices = found.get("enum")
    if isinstance(choices, list) and choices:
        return copy.deepcopy(choices[0])
    forms = alternatives(found, root)
    if forms:
        return start_of(_plainest(forms), root, deep + 1) if deep < _DEEPEST else None
    make = _MAKERS.get(type_of(found) or "")
    return make(found, root, deep) if make else ""


def _plainest(forms: tuple[Schema, ...]) -> Schema:
    """The first form that isn't null: a person rather fills in something."""
    return next((form for form in forms if type_of(form) != "null"), forms[0])


def _object(schema: Schema, root: Schema, deep: int) -> dict[str, JsonValue]:
    properties, required = schema.get("properties"), schema.get("required")
    known = properties if isinstance(properties, Mapping) else {}
    wanted = {key for key in required if isinstance(key, str)} if isinstance(required, list) else set()
    if deep >= _DEEPEST:
        return {}
    ordered = [key for key in known if key in wanted] + sorted(wanted - set(known))
    return {key: start_of(known.get(key, {}), root, deep + 1) for key in ordered}


def _list(schema: Schema, root: Schema, deep: int) -> list[JsonValue]:
    least = schema.get("minItems")
    count = least if isinstance(least, int) and not isinstance(least, bool) else 0
    if count <= 0 or count > 100 or deep >= _DEEPEST:
        return []
    items = [start_of(item_schema(schema, index), root, deep + 1) for index in range(count)]
    return _all_different(items, schema, root) if schema.get("uniqueItems") is True else items


def item_schema(schema: Schema, index: int) -> object:
    """The schema of an item of a list."""
    for key in ("prefixItems", "items"):
        listed = schema.get(key)
        if isinstance(listed, list) and index < len(listed):
            return listed[index]
    items = schema.get("items")
    rest = schema.get("additionalItems") if isinstance(items, list) else items
    return rest if isinstance(rest, Mapping) else {}


def _all_different(items: list[JsonValue], schema: Schema, root: Schema) -> list[JsonValue]:
    each = settled(item_schema(schema, 0), root)
    choices = each.get("enum")
    if isinstance(choices, list):
        return list(choices[: len(items)])
    match type_of(each):
        case "string":
            return [f"{item}{number}" for number, item in enumerate(items, 1)]
        case "integer" | "number":
            return [item + number if isinstance(item, int | float) else item for number, item in enumerate(items)]
    return items


def _text(schema: Schema) -> str:
    least, most = schema.get("minLength"), schema.get("maxLength")
    shortest = least if isinstance(least, int) else 0
    longest = most if isinstance(most, int) else 1_000_000
    form = _FORMATS.get(str(schema.get("format")))
    source = schema.get("pattern")
    pattern = compiled(source) if isinstance(source, str) else None
    tried: list[str] = [*([form] if form else ()), "", *(_TRIED if pattern else ()), "x" * min(shortest, 10_000)]
    for text in tried:
        if shortest <= len(text) <= longest and (pattern is None or pattern.is_in(text) is not False):
            return text
    return ""


def _number(schema: Schema, *, whole: bool) -> float:
    """0, or the number nearest to it that is allowed."""
    low, high = _bound(schema, "minimum", "exclusiveMinimum", 1), _bound(schema, "maximum", "exclusiveMaximum", -1)
    number: float = 0
    if low is not None and number < low:
        number = low
    elif high is not None and number > high:
        number = high
    step = schema.get("multipleOf")
    if isinstance(step, int | float) and step > 0:
        number = (math.ceil if number >= 0 else math.floor)(number / step) * step
    elif whole:
        number = math.ceil(number) if number >= 0 else math.floor(number)
    return int(number) if number == int(number) else number


def _bound(schema: Schema, inclusive: str, exclusive: str, towards: int) -> float | None:
    bounds: list[Any] = [schema.get(inclusive)]
    beyond = schema.get(exclusive)
    if isinstance(beyond, int | float) and not isinstance(beyond, bool):
        bounds.append(beyond + towards)
    numbers = [each for each in bounds if isinstance(each, int | float) and not isinstance(each, bool)]
    return None if not numbers else (max(numbers) if towards > 0 else min(numbers))


_MAKERS: dict[str, Callable[[Schema, Schema, int], JsonValue]] = {
    "object": _object,
    "array": _list,
    "string": lambda schema, _root, _deep: _text(schema),
    "integer": lambda schema, _root, _deep: math.ceil(_number(schema, whole=True)),
    "number": lambda schema, _root, _deep: _number(schema, whole=False),
    "boolean": lambda _schema, _root, _deep: False,
    "null": lambda _schema, _root, _deep: None,
}
