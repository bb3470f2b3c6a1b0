"""The output schema of a new step: the parts of its neighbour's for every answer, and the new step's own intents."""

from collections.abc import Mapping, Sequence
from typing import Any

from stepflow_gui.flow.model import Gate
from stepflow_gui.text.json.tree import JsonValue

_OF_EVERY_ANSWER = ("$ref", "type", "allOf")


def intent_path(gate: Gate) -> list[str]:
    """The properties on the path to the intent in an answer, outermost first; [] where it is unknown."""
    ref = gate.intent_schema_ref.value if gate.intent_schema_ref else ""
    keys = ref.removeprefix("#/").split("/") if ref.startswith("#/") else []
    if keys and len(keys) % 2 == 0 and set(keys[::2]) == {"properties"}:
        return keys[1::2]
    return gate.intent_field.value.split(".") if gate.intent_field and gate.intent_field.value else []


def lean(model: Mapping[str, Any], step_id: str, path: Sequence[str], intents: Sequence[str] | None) -> JsonValue:
    """A schema that asks for no more than every answer needs.

    `model` is the neighbour's schema as written. `intents` are those of the new step's own enum; None where the model
    takes its enum from somewhere else and the new step does so, too.
    """
    properties = model.get("properties")
    known: dict[str, Any] = dict(properties) if isinstance(properties, dict) else {}
    kept: dict[str, Any] = {}
    for name, inner in known.items():
        if name == "stepId":
            kept[name] = _bound(inner, step_id)
        elif path and name == path[0]:
            kept[name] = inner if intents is None else _with_enum(inner, path[1:], intents)
    if intents is not None and path and path[0] not in kept:
        kept[path[0]] = _with_enum({}, path[1:], intents)
    return _assembled(model, known, kept)


def _assembled(model: Mapping[str, Any], known: Mapping[str, Any], kept: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords in the model's order."""
    made: dict[str, Any] = {}
    for key, value in model.items():
        if key in _OF_EVERY_ANSWER:
            made[key] = value
        elif key == "required" and isinstance(value, list):
            made[key] = [name for name in value if name in kept or name not in known]
        elif key == "properties" and kept:
            made[key] = dict(kept)
    if kept and "properties" not in made:
        made.pop("$ref", None)  # it would replace all beside it
        made.setdefault("type", "object")
        made["properties"] = dict(kept)
    return made


def _bound(inner: JsonValue, step_id: str) -> JsonValue:
    if not isinstance(inner, dict):
        return inner
    changed = dict(inner)
    if "const" in changed:
        changed["const"] = step_id
    if isinstance(changed.get("enum"), list):
        changed["enum"] = [step_id]
    return changed


def _with_enum(inner: JsonValue, path: Sequence[str], intents: Sequence[str]) -> JsonValue:
    """A property's schema with another enum at the end of a path."""
    if not isinstance(inner, dict) or "$ref" in inner:
        inner = {}
    if not path:
        kept = {key: value for key, value in inner.items() if key not in {"enum", "const", "description"}}
        return {"type": "string", **kept, "enum": list(intents)}
    properties = inner.get("properties")
    below = dict(properties) if isinstance(properties, dict) else {}
    below[path[0]] = _with_enum(below.get(path[0], {}), path[1:], intents)
    made = dict(inner) if "type" in inner or "allOf" in inner else {"type": "object", **inner}
    made.setdefault("required", [path[0]])
    made["properties"] = below
    return made
