"""Steps that examples of flows add to the example agent in the format c3l."""

from collections.abc import Mapping
from typing import Any

PROMPTS = {"prompts/steps/verification/issue/f_default.md": "Check issue {uv-issue}\n"}
"""What a verification step needs beside it."""


def added(step: str, kind: str, rules: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """The changes that add a step: `rules` are its transitions, or only their targets. Its schema offers the same."""
    transitions = {intent: rule if isinstance(rule, dict) else {"target": rule} for intent, rule in rules.items()}
    phase = step.partition(".")[0]
    return {
        f"/steps/{step}": {
            "stepId": step,
            "name": step.replace(".", " "),
            "stepKind": kind,
            "c2": phase,
            "c3": "issue",
            "edition": "default",
            "uvVariables": ["issue"],
            "usesStdin": False,
            "outputSchemaRef": {"file": "issue.schema.json", "schema": step},
            "structuredGate": {
                "allowedIntents": list(transitions),
                "intentSchemaRef": "#/properties/next_action/properties/action",
                "intentField": "next_action.action",
            },
            "transitions": transitions,
            **fields,
        },
        f"issue.schema.json#/{step}": schema(*transitions),
    }


def schema(*intents: str, **properties: Any) -> dict[str, Any]:
    """An output schema that offers these intents."""
    return {
        "type": "object",
        "required": ["next_action", *properties],
        "properties": {
            "next_action": {
                "type": "object",
                "required": ["action"],
                "properties": {"action": {"type": "string", "enum": list(intents)}},
            },
            **properties,
        },
    }


def deciding(cases: Mapping[str, str | None], values: list[str] | None = None) -> dict[str, Any]:
    """The changes that make `next` of the first step depend on a status, which the schema may list the values of."""
    status: dict[str, Any] = {"type": "string"} | ({"enum": values} if values else {})
    return {
        "/steps/initial.issue/transitions/next": {"condition": "status", "targets": dict(cases)},
        "/steps/initial.issue/structuredGate/handoffFields": ["status"],
        "issue.schema.json#/initial.issue": schema("next", "repeat", status=status),
    }


SECTION = {
    "stepId": "section.rules",
    "name": "House rules",
    "c2": "section",
    "c3": "rules",
    "edition": "default",
    "uvVariables": [],
    "usesStdin": False,
}
SECTION_PROMPT = {"prompts/steps/section/rules/f_default.md": "Be kind.\n"}
