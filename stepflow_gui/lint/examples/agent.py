"""The agent that rules take for their examples: written out with an example's changes. For tests and the docs only."""

import copy
import json
from typing import Any

from stepflow_gui.lint.examples.checks import CHECKS_PROMPTS, checks_registry
from stepflow_gui.lint.examples.example import Base, Example, Moved, Removed
from stepflow_gui.lint.examples.piece import PIECE_FILES
from stepflow_gui.text.pointer import split

REGISTRY = "steps_registry.json"
AGENT = "agent.json"
SCHEMA = "issue.schema.json"
SETTINGS = "../climpt/config/claude.settings.climpt.agents.json"
_SETTINGS = {"permissions": {"allow": ["Read"], "defaultMode": "plan"}}


def files_of(example: Example) -> dict[str, str]:
    """The files of an example by their paths inside the agent folder."""
    if example.base == "takt":
        return PIECE_FILES | {file: text for file, text in example.texts.items() if isinstance(text, str)}
    checked = example.base == "checks"
    contents = {REGISTRY: checks_registry() if checked else _registry(example.base), AGENT: _agent(example.base)}
    if not checked:
        contents[SCHEMA] = _schema(example.base)
    if example.base == "adt-kind-address":
        contents[SETTINGS] = copy.deepcopy(_SETTINGS)
    for where, value in example.changes.items():
        file, _, pointer = where.rpartition("#")
        _set(contents[file or REGISTRY], split(pointer), copy.deepcopy(value))
    texts = {file: json.dumps(content, ensure_ascii=False, indent=2) + "\n" for file, content in contents.items()}
    prompts = CHECKS_PROMPTS if checked else _prompts("complete" if example.base == "complete" else "closure")
    laid = prompts | texts | dict(example.texts)
    return {
        (f"schemas/{file}" if file == SCHEMA else file): text for file, text in laid.items() if isinstance(text, str)
    }


def _set(content: Any, keys: list[str], value: Any) -> None:
    if isinstance(value, Moved):
        *holder, last = split(value.pointer)
        value = _at(content, holder).pop(_index(_at(content, holder), last))
    *above, last = keys
    content = _at(content, above)
    if isinstance(value, Removed):
        del content[_index(content, last)]
    else:
        content[_index(content, last)] = value


def _at(content: Any, keys: list[str]) -> Any:
    for key in keys:
        content = content[_index(content, key)]
    return content


def _index(content: Any, key: str) -> str | int:
    return int(key) if isinstance(content, list) else key


def _registry(base: Base) -> dict[str, Any]:
    if base == "adt-kind-address":
        return {
            "agentId": "issue-flow",
            "version": "1.0.0",
            "c1": "steps",
            "entryStepMapping": {"poll:state": {"initial": "initial.issue", "continuation": "continuation.issue"}},
            "steps": {name: _addressed(step) for name, step in _steps(with_keys=False).items()},
        }
    return {
        "agentId": "issue-flow",
        "version": "1.0.0",
        "c1": "steps",
        "entryStep": "initial.issue",
        "entryStepMapping": {"poll:state": "initial.issue"},
        "steps": _complete_steps() if base == "complete" else _steps(with_keys=base == "closing"),
    }


def _steps(*, with_keys: bool) -> dict[str, Any]:
    steps = {
        "initial.issue": _step(
            "initial", "work", "initial_issue", {"next": "continuation.issue", "repeat": "initial.issue"}
        ),
        "continuation.issue": _step(
            "continuation",
            "work",
            "continuation_issue",
            {"next": "continuation.issue", "repeat": "continuation.issue", "handoff": "closure.issue"},
        ),
        "closure.issue": _step(
            "closure", "closure", "issue_closure_default", {"closing": None, "repeat": "closure.issue"}
        ),
    }
    if not with_keys:
        for step in steps.values():
            del step["fallbackKey"]
    return steps


def _addressed(step: dict[str, Any]) -> dict[str, Any]:
    """A step with kind and address, and one more repeat than it has without a chain."""
    kind, c2, c3, edition = (step.pop(key) for key in ("stepKind", "c2", "c3", "edition"))
    address = {"c1": "steps", "c2": c2, "c3": c3, "edition": edition}
    return {"stepId": step.pop("stepId"), "name": step.pop("name"), "kind": kind, "address": address} | (
        step | {"adaptationChain": ["default", "default"]}
    )


def _complete_steps() -> dict[str, Any]:
    """The steps as they were while intents were next, repeat, jump, complete and abort."""
    onward: dict[str, str | None] = {"next": "continuation.issue", "complete": "complete.issue"}
    steps = {
        "initial.issue": _step("initial", "work", "initial_issue", onward | {"repeat": "initial.issue"}),
        "continuation.issue": _step(
            "continuation", "work", "continuation_issue", onward | {"repeat": "continuation.issue"}
        ),
        "complete.issue": _step("complete", "closure", "", {"complete": None, "repeat": "complete.issue"}),
    }
    for step in steps.values():
        del step["stepKind"], step["structuredGate"]["intentSchemaRef"]
        step["structuredGate"]["handoffFields"] = ["summary"]
    del steps["complete.issue"]["fallbackKey"], steps["complete.issue"]["structuredGate"]["handoffFields"]
    return steps


def _step(phase: str, kind: str, key: str, targets: dict[str, str | None]) -> dict[str, Any]:
    return {
        "stepId": f"{phase}.issue",
        "name": f"{phase} issue",
        "stepKind": kind,
        "c2": phase,
        "c3": "issue",
        "edition": "default",
        "fallbackKey": key,
        "uvVariables": ["issue"],
        "usesStdin": False,
        "outputSchemaRef": {"file": SCHEMA, "schema": f"{phase}.issue"},
        "structuredGate": {
            "allowedIntents": list(targets),
            "intentSchemaRef": "#/properties/next_action/properties/action",
            "intentField": "next_action.action",
        },
        "transitions": {intent: {"target": target} for intent, target in targets.items()},
    }


def _schema(base: Base) -> dict[str, Any]:
    return {name: _output(step["structuredGate"]) for name, step in _registry(base)["steps"].items()}


def _output(gate: dict[str, Any]) -> dict[str, Any]:
    handed_off = {field: {"type": "string"} for field in gate.get("handoffFields", ())}
    return {
        "type": "object",
        "required": ["next_action", *handed_off],
        "properties": {
            "next_action": {
                "type": "object",
                "required": ["action"],
                "properties": {"action": {"type": "string", "enum": gate["allowedIntents"]}},
            },
            **handed_off,
        },
    }


def _agent(base: Base) -> dict[str, Any]:
    boundaries = {"allowedTools": ["Read"], "permissionMode": "plan"}
    return {
        "version": "1.0.0",
        "name": "issue-flow",
        "displayName": "Issue flow",
        "description": "Works on an issue until it can be closed",
        "parameters": {"issue": {"type": "number", "description": "The issue", "required": True, "cli": "--issue"}},
        "runner": {
            "flow": {"systemPromptPath": "prompts/system.md", "prompts": {"registry": REGISTRY}},
            "verdict": {"type": "poll:state", "config": {"maxIterations": 10}},
        }
        | ({} if base == "adt-kind-address" else {"boundaries": boundaries}),
    }


def _prompts(last: str) -> dict[str, str]:
    folders = ("initial", "continuation", last)
    steps = {f"prompts/steps/{phase}/issue/f_default.md": "Issue {uv-issue}\n" for phase in folders}
    return {"prompts/system.md": "You work on issues.\n", **steps}
