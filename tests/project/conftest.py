"""An agent in a project, written again for each test."""

import json
from pathlib import Path
from typing import Any

import pytest

REGISTRY: dict[str, Any] = {
    "agentId": "demo",
    "version": "1.0.0",
    "userPromptsBase": ".agent/demo/prompts",
    "schemasBase": ".agent/demo/schemas",
    "c1": "steps",
    "entryStepMapping": {"poll:state": "initial.issue"},
    "steps": {
        "initial.issue": {
            "stepId": "initial.issue",
            "stepKind": "work",
            "c2": "initial",
            "c3": "issue",
            "edition": "default",
            "fallbackKey": "initial_issue",
            "outputSchemaRef": {"file": "issue.schema.json", "schema": "initial.issue"},
            "structuredGate": {
                "allowedIntents": ["next", "repeat"],
                "intentSchemaRef": "#/properties/next_action/properties/action",
                "intentField": "next_action.action",
            },
            "transitions": {"next": {"target": "initial.issue"}, "repeat": {"target": "initial.issue"}},
        }
    },
}
AGENT: dict[str, Any] = {
    "name": "demo",
    "displayName": "Demo",
    "parameters": {"issue": {"type": "number", "cli": "--issue", "required": True}},
    "runner": {
        "flow": {"systemPromptPath": "prompts/system.md", "prompts": {"registry": "steps_registry.json"}},
        "verdict": {"type": "poll:state", "config": {"maxIterations": 5}},
    },
}
SCHEMA: dict[str, Any] = {
    "initial.issue": {
        "type": "object",
        "properties": {"next_action": {"properties": {"action": {"enum": ["next", "repeat"]}}}},
    }
}


class Project:
    """A project folder with the agent `demo`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.agent = root / ".agent" / "demo"
        self.registry = self.write(".agent/demo/steps_registry.json", REGISTRY)
        self.agent_file = self.write(".agent/demo/agent.json", AGENT)
        self.schema = self.write(".agent/demo/schemas/issue.schema.json", SCHEMA)
        self.prompt = self.write(".agent/demo/prompts/steps/initial/issue/f_default.md", "# Issue\n")

    def write(self, path: str, value: Any) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(value if isinstance(value, str) else json.dumps(value, indent=2) + "\n", encoding="utf-8")
        return file


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")
