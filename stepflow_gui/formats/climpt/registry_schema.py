"""The JSON Schema of steps_registry.json for editors, made of its field table."""

from stepflow_gui.formats.climpt.fields import REGISTRY
from stepflow_gui.formats.json_schema import DRAFT, JsonSchema, schema_of


def registry_schema() -> JsonSchema:
    """The schema of a registry of any format: what gated steps need is asked of steps that have a gate."""
    schema = {"$schema": DRAFT, "title": "steps_registry.json", **schema_of(REGISTRY)}
    step = schema["properties"]["steps"]["additionalProperties"]
    step["dependencies"] = {"structuredGate": [name for name in step.pop("required") if name != "structuredGate"]}
    return schema
