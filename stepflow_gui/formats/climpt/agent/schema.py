"""The JSON Schema of agent.json for editors, made of its field table."""

from stepflow_gui.formats.climpt.agent.fields import AGENT, VERDICTS, VerdictType
from stepflow_gui.formats.json_schema import DRAFT, JsonSchema, schema_of

_VERDICT = "#/definitions/verdict"


def agent_schema() -> JsonSchema:
    """The schema of an agent.json with its `runner` group; a verdict's type determines its config."""
    schema = {"$schema": DRAFT, "title": "agent.json", **schema_of(AGENT)}
    runner = schema["properties"]["runner"]["properties"]
    verdict = runner["verdict"]
    conditions = verdict["properties"]["config"]["properties"]["conditions"]
    conditions["items"] = {"allOf": [{"$ref": _VERDICT}], "required": conditions["items"]["required"]}
    verdict["allOf"] = [_when(name, verdict_type) for name, verdict_type in VERDICTS.items() if verdict_type.needed]
    runner["verdict"] = {"$ref": _VERDICT}
    return schema | {"definitions": {"verdict": verdict}}


def _when(name: str, verdict_type: VerdictType) -> JsonSchema:
    then: JsonSchema = {"properties": {"config": {"required": list(verdict_type.needed)}}}
    if verdict_type.needed != ("maxIterations",):  # without a config at all, that one has its default
        then["required"] = ["config"]
    return {"if": {"properties": {"type": {"const": name}}, "required": ["type"]}, "then": then}
