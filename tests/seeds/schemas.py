"""Output schemas that fit the guides' registries: each step's enum is what its gate allows, and its own id is bound."""

from typing import Any

Json = dict[str, Any]


def schema_file(registry: Json) -> Json:
    """The file that the steps of a registry refer to, under bare names or below `definitions`."""
    named: Json = {}
    definitions: Json = {}
    for key, step in registry["steps"].items():
        name = step.get("outputSchemaRef", {}).get("schema")
        if isinstance(name, str) and "structuredGate" in step:
            holder = definitions if name.startswith("#/definitions/") else named
            holder[name.removeprefix("#/definitions/")] = _schema(key, step)
    return {**({"definitions": definitions} if definitions else {}), **named}


def _schema(key: str, step: Json) -> Json:
    gate = step["structuredGate"]
    schema = _object()
    _add(schema, "stepId", {"type": "string", "const": key})
    if "intentField" in gate:
        _add(schema, gate["intentField"], {"type": "string", "enum": list(gate["allowedIntents"])})
    for path in [*gate.get("handoffFields", []), *([gate["targetField"]] if "targetField" in gate else [])]:
        _add(schema, path, {"type": "string"})
    return schema


def _add(schema: Json, path: str, value: Json) -> None:
    *groups, name = path.split(".")
    for group in groups:
        if group not in schema["properties"]:
            _add(schema, group, _object())
        schema = schema["properties"][group]
    schema["properties"][name] = value
    schema["required"].append(name)


def _object() -> Json:
    return {"type": "object", "required": [], "additionalProperties": False, "properties": {}}
