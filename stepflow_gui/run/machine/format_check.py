"""Holds an answer's JSON against a schema written out in a validation step, as upstream's small checker does.

Types first; then enum, pattern, minimum, required, properties, items, in runtime-semantics 16's order.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.javascript.values import ABSENT, trimmed
from stepflow_gui.run.machine.answer_text import json_of
from stepflow_gui.run.machine.closure_checks import ClosureValidation
from stepflow_gui.text.expressions.matching import compiled
from stepflow_gui.text.json.tree import JsonValue

_BLOCK = re.compile(r"```json\s*\n?(.*?)```", re.DOTALL)


def is_formed(validation: ClosureValidation, texts: Iterable[str] | None, era: Era) -> bool:
    """Whether an answer's texts have the form that a validation step wants, where the era looks at that."""
    return not era.checks_format or validation.output_schema is None or has_form(texts or (), validation.output_schema)


def has_form(texts: Iterable[str], schema: JsonValue) -> bool:
    """Whether the first JSON block in the texts fits the schema."""
    block = next((found[1] for text in texts if (found := _BLOCK.search(text))), None)
    value = ABSENT if block is None else json_of(trimmed(block))
    return value is not ABSENT and fits(value, schema)


def fits(value: JsonValue, schema: JsonValue) -> bool:
    """Whether a value fits a schema; keywords unknown to the checker are ignored."""
    if not isinstance(schema, dict):
        return True
    either = schema.get("oneOf")
    if isinstance(either, list):
        return sum(fits(value, one) for one in either) == 1
    kind = schema.get("type")
    if isinstance(kind, str) and not _is_a(value, kind):
        return False
    allowed = schema.get("enum")
    if isinstance(allowed, list) and json.dumps(value) not in {json.dumps(one) for one in allowed}:
        return False
    if isinstance(value, str):
        return _matches(value, schema.get("pattern"))
    if isinstance(value, int | float) and not isinstance(value, bool):
        least = schema.get("minimum")
        return not isinstance(least, int | float) or value >= least
    if isinstance(value, list):
        return all(fits(item, schema.get("items")) for item in value)
    return _members_fit(value, schema) if isinstance(value, dict) else True


def _members_fit(value: dict[str, Any], schema: dict[str, Any]) -> bool:
    required, properties, more = (schema.get(key) for key in ("required", "properties", "additionalProperties"))
    known = properties if isinstance(properties, dict) else {}
    if isinstance(required, list) and any(name not in value for name in required):
        return False
    if more is False and any(name not in known for name in value):
        return False
    return all(fits(inner, known.get(name, more)) for name, inner in value.items())


def _matches(value: str, pattern: JsonValue) -> bool:
    made = compiled(pattern) if isinstance(pattern, str) else None
    return made is None or made.is_in(value) is not False


def _is_a(value: JsonValue, kind: str) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return {
        "string": isinstance(value, str),
        "number": number,
        "integer": number and (isinstance(value, int) or value.is_integer()),
        "boolean": isinstance(value, bool),
        "object": isinstance(value, dict),
        "array": isinstance(value, list),
        "null": value is None,
    }.get(kind, True)
