"""A schema for steps that have none: what the step's gate reads out of an answer, and nothing that it doesn't."""

from typing import Any

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.javascript.values import index_of

_FREE = ("closing", "repeat")  # intents of closure steps that bypass the gate


def schema_of_gate(step: Step, era: Era) -> dict[str, Any]:
    """An object with the step's id and the fields that its gate reads; others may be added."""
    schema: dict[str, Any] = {"type": "object", "properties": {"stepId": {"const": step.id}}, "required": ["stepId"]}
    if era.closure_loop and step.kind == "closure":
        _declare(schema, "next_action.action", {"enum": list(_FREE)}, required=True)
        return schema
    gate = step.raw.get("structuredGate")
    if not isinstance(gate, dict):
        return schema
    field = gate.get("intentField")
    if era.empty_field_is_absent and not field and era.guessed_fields:
        field = era.guessed_fields[0]
    allowed = gate.get("allowedIntents")
    words = [each for each in allowed if isinstance(each, str)] if isinstance(allowed, list) else []
    if isinstance(field, str):
        intents = list(dict.fromkeys([*words, *sorted(era.always_allowed)]))
        _declare(schema, field, {"enum": intents} if intents else {"type": "string"}, required=True)
    target = gate.get("targetField")
    if isinstance(target, str) and target:
        _declare(schema, target, {"type": "string"}, required=False)
    handoff = gate.get("handoffFields")
    for path in handoff if isinstance(handoff, list) else []:
        if isinstance(path, str) and path:
            _declare(schema, path, {}, required=False)
    return schema


def _declare(schema: dict[str, Any], path: str, leaf: dict[str, Any], *, required: bool) -> None:
    """Declare the property at a dotted path; it is left out where another path or a list is in the way."""
    keys = path.split(".")
    at = schema
    for key in keys[:-1]:
        if index_of(key) is not None:
            return
        at = at["properties"].setdefault(key, {"type": "object", "properties": {}})
        if "properties" not in at:
            return
    at["properties"].setdefault(keys[-1], leaf)
    if required:
        holder = schema
        for key in keys:
            holder["required"] = list(dict.fromkeys([*holder.get("required", []), key]))
            holder = holder["properties"].get(key, {})
