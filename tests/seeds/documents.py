"""The registries and agents that the guides show in full, as files beside this one, and as values."""

import json
from pathlib import Path
from typing import Any

Json = dict[str, Any]
FOLDER = Path(__file__).resolve().parent


def _value(file: str) -> Json:
    value: Json = json.loads((FOLDER / file).read_text("utf-8"))
    return value


CHECKS = _value("checks/steps_registry.json")
CHECKS_AGENT = _value("checks/agent.json")
COMPLETE_EXCERPT = _value("complete/steps_registry.json")  # two of a domain's three steps, and nothing around them


def _complete() -> Json:
    """The excerpt made whole by what its document asks for: an entry, and the third step of the domain."""
    steps = {**COMPLETE_EXCERPT["steps"], "complete.issue": _complete_step()}
    return {
        "$schema": COMPLETE_EXCERPT["$schema"],
        "agentId": "iterator",
        "version": "1.0.0",
        "c1": "steps",
        "entryStepMapping": {"issue": "initial.issue"},
        "steps": {key: {"edition": "default", **step} for key, step in steps.items()},
    }


def _complete_step() -> Json:
    return {
        "stepId": "complete.issue",
        "name": "Issue Completion",
        "c2": "complete",
        "c3": "issue",
        "outputSchemaRef": {"file": "issue.schema.json", "schema": "#/definitions/complete.issue"},
        "structuredGate": {
            "allowedIntents": ["repeat", "complete"],
            "intentField": "next_action.action",
            "handoffFields": [],
        },
        "transitions": {"repeat": {"target": "complete.issue"}, "complete": {"target": None}},
    }


COMPLETE = _complete()
COMPLETE_AGENT: Json = {
    "version": "1.0.0",
    "name": "iterator",
    "displayName": "Iterator",
    "description": "Works on an issue",
    "parameters": {"issue": {"type": "number", "description": "The issue", "required": True, "cli": "--issue"}},
    "behavior": {
        "systemPromptPath": "prompts/system.md",
        "completionType": "issue",
        "completionConfig": {"maxIterations": 10},
        "allowedTools": ["Read"],
        "permissionMode": "plan",
    },
    "prompts": {"registry": "steps_registry.json", "fallbackDir": "prompts/"},
    "logging": {"directory": "tmp/logs", "format": "jsonl"},
}
