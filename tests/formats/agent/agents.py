"""The complete agent.json examples of the documents, and how a value becomes a document."""

import json
from pathlib import Path
from typing import Any

from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source


def document_of(value: Any) -> ParsedFile:
    """A value, or a text as it is, as an agent.json."""
    text = value if isinstance(value, str) else json.dumps(value, indent=2)
    return ParsedFile.read(Path("agent.json"), Source(text))


# The runner reference's commented example.
ITERATOR: dict[str, Any] = {
    "$schema": "../../agents/schemas/agent.schema.json",
    "version": "1.12.0",
    "name": "iterator",
    "displayName": "Iterator Agent",
    "description": "Autonomous development agent that works on GitHub Issues",
    "parameters": {
        "issue": {
            "type": "number",
            "description": "GitHub Issue number to work on",
            "required": True,
            "cli": "--issue",
        },
        "iterateMax": {
            "type": "number",
            "description": "Maximum number of iterations (fallback)",
            "required": False,
            "default": 500,
            "cli": "--iterate-max",
        },
        "resume": {
            "type": "boolean",
            "description": "Resume previous session",
            "required": False,
            "default": False,
            "cli": "--resume",
        },
    },
    "runner": {
        "flow": {
            "systemPromptPath": "prompts/system.md",
            "prompts": {"registry": "steps_registry.json", "fallbackDir": "prompts/"},
        },
        "verdict": {"type": "poll:state", "config": {"maxIterations": 500}},
        "boundaries": {
            "allowedTools": ["Skill", "Read", "Write", "Edit", "Bash", "Glob", "Grep", "Task", "TodoWrite"],
            "permissionMode": "acceptEdits",
        },
        "integrations": {
            "github": {
                "enabled": True,
                "labels": {
                    "requirements": "docs",
                    "inProgress": "in-progress",
                    "blocked": "need clearance",
                    "completion": {"add": ["done"], "remove": ["in-progress"]},
                },
                "defaultClosureAction": "label-only",
            }
        },
        "actions": {
            "enabled": True,
            "types": ["issue-action", "project-plan", "review-result"],
            "outputFormat": "json",
        },
        "execution": {"worktree": {"enabled": True, "root": "../worktree"}},
        "logging": {"directory": "tmp/logs/agents/iterator", "format": "jsonl", "maxFiles": 100},
    },
}

# The usage example of the check-based step flow.
CODE_IMPROVER: dict[str, Any] = {
    "name": "code-improver",
    "displayName": "Code Improver",
    "description": "Agent that analyzes and improves code",
    "behavior": {
        "systemPromptPath": "prompts/system.md",
        "completionType": "stepFlow",
        "completionConfig": {},
        "allowedTools": ["Read", "Write", "Edit", "Bash", "Glob", "Grep"],
        "permissionMode": "acceptEdits",
    },
    "prompts": {"registry": "steps_registry.json", "fallbackDir": "prompts/"},
    "logging": {"directory": "tmp/logs/agents/code-improver", "format": "jsonl"},
}


def changed(pointer: str, value: Any, of: dict[str, Any] = ITERATOR) -> dict[str, Any]:
    """An example with another value at a JSON Pointer."""
    made: dict[str, Any] = json.loads(json.dumps(of))
    _put(made, pointer, value)
    return made


def placed(values: dict[str, Any]) -> dict[str, Any]:
    """An agent of values at JSON Pointers; a later one makes room for itself."""
    made: dict[str, Any] = {}
    for pointer, value in values.items():
        _put(made, pointer, value)
    return made


def _put(holder: dict[str, Any], pointer: str, value: Any) -> None:
    *groups, name = pointer[1:].split("/")
    for key in groups:
        inner = holder.get(key)
        holder[key] = inner = inner if isinstance(inner, dict) else {}
        holder = inner
    holder[name] = value
