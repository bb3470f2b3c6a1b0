"""Output schemas made to offer the intents of a step: its own enum, whatever it took that from before."""

import copy
from typing import Any

from stepflow_gui.formats import schema_keywords
from stepflow_gui.formats.converting.made import JsonObject

_BROUGHT = ("$ref", "allOf", "anyOf", "oneOf")


def with_intents(own: JsonObject, resolved: JsonObject, field: str, intents: list[str], step_id: str) -> JsonObject:
    """A schema with the enum of the property at a dotted path. `resolved` is the same with all that it refers to."""
    made = copy.deepcopy(resolved if "$ref" in own else own)
    _bind(made, step_id)
    _put(made, resolved, field.split("."), intents)
    return made


def of_intents(field: str, intents: list[str], step_id: str) -> JsonObject:
    """A schema that asks for no more than the step's id and its intent."""
    made: JsonObject = {"type": "object", "required": ["stepId"], "properties": {"stepId": {"const": step_id}}}
    _put(made, {}, field.split("."), intents)
    first = field.partition(".")[0]
    if first not in made["required"]:
        made["required"].append(first)
    return made


def _put(made: JsonObject, resolved: Any, path: list[str], intents: list[str]) -> None:
    if not path:
        made.pop("const", None)
        made["enum"] = list(intents)
        made.setdefault("type", "string")
        return
    key, *rest = path
    inherited = schema_keywords.properties(resolved).get(key, {})
    made["properties"] = properties = schema_keywords.properties(made)
    inner = properties.get(key)
    if not isinstance(inner, dict) or any(word in inner for word in _BROUGHT):
        inner = copy.deepcopy(inherited) if isinstance(inherited, dict) else {}
        if rest and not inner:
            inner = {"type": "object", "required": [rest[0]]}
    properties[key] = inner
    _put(inner, inherited, rest, intents)


def _bind(made: JsonObject, step_id: str) -> None:
    """`stepId` is that of the step, where it is bound to one."""
    bound = schema_keywords.properties(made).get("stepId")
    if isinstance(bound, dict):
        if "const" in bound:
            bound["const"] = step_id
        if isinstance(bound.get("enum"), list) and step_id not in bound["enum"]:
            bound["enum"] = [step_id]
