"""Agent folders made up for measuring: a registry of any size, agent.json and schemas, with little wrong in them."""

import json
from pathlib import Path
from typing import Any

from benchmarks.generate import registry

_SECTION = 5  # steps from one closure step to the next


def write_agent(folder: Path, steps: int, seed: int = 0) -> Path:
    """Write an agent of that many steps into `folder`/.agent/generated; gives its registry.

    Steps follow each other as in `generate.registry`, by intents that their kinds know, under names as the guide wants
    them; each has a schema that offers what its gate allows.
    """
    return write_made(folder, sound_registry(steps, seed))


def write_made(folder: Path, made: dict[str, Any]) -> Path:
    """Write an agent with that registry, a schema for each step and an agent.json; gives the registry's path."""
    agent = folder / ".agent" / "generated"
    (agent / "schemas").mkdir(parents=True)
    schemas = {name: _schema(step) for name, step in made["steps"].items()}
    definition = {
        "version": "1.0.0",
        "name": "generated",
        "displayName": "Generated",
        "description": "Made up for measuring",
        "parameters": {},
        "runner": {
            "flow": {"systemPromptPath": "prompts/system.md", "prompts": {"registry": "steps_registry.json"}},
            "verdict": {"type": "count:iteration", "config": {"maxIterations": 500}},
            "boundaries": {"allowedTools": ["Read"], "permissionMode": "plan"},
        },
    }
    _write(agent / "agent.json", definition)
    _write(agent / "schemas" / "step_outputs.schema.json", schemas)
    _write(agent / "steps_registry.json", made)
    return agent / "steps_registry.json"


def sound_registry(steps: int, seed: int = 0) -> dict[str, Any]:
    """`generate.registry` with names and ways that nothing is wrong with."""
    made = registry(steps, seed)
    renamed = {old: _name(old, at) for at, old in enumerate(made["steps"])}
    names = list(renamed.values())
    made["entryStepMapping"] = {"count:iteration": names[0]}
    made["failurePatterns"] = {}
    made["steps"] = {
        name: _sound(name, at, step, names)
        for at, (name, step) in enumerate(zip(names, made["steps"].values(), strict=True))
    }
    return made


def _name(old: str, at: int) -> str:
    phase = "closure" if at % _SECTION == _SECTION - 1 else "initial" if at == 0 else "continuation"
    return step_name(phase, old, at)


def step_name(phase: str, old: str, at: int) -> str:
    """A name as the guide wants them for the step with a name and number in `generate.registry`."""
    return f"{phase}.{old.partition('.')[2].partition('-')[0]}-{letters(at)}"


def letters(number: int) -> str:
    """A number written in letters alone, as names of prompts are."""
    text = ""
    while number or not text:
        number, digit = divmod(number, 26)
        text = chr(ord("a") + digit) + text
    return text


def _sound(name: str, at: int, step: dict[str, Any], names: list[str]) -> dict[str, Any]:
    following = names[(at + 1) % len(names)]
    onward = "handoff" if following.startswith("closure.") else "next"
    ways: dict[str, Any] = {onward: {"target": following}, "repeat": {"target": name}}
    if name.startswith("closure."):
        ways = {"closing": {"target": None}, "repeat": {"target": names[min(at + 1, len(names) - 2)]}}
    return sound_step(name, step, ways)


def sound_step(name: str, step: dict[str, Any], ways: dict[str, Any]) -> dict[str, Any]:
    """A step of `generate.registry` under another name, with other transitions, and a gate that allows just those."""
    phase, _, rest = name.partition(".")
    gate = {**step["structuredGate"], "allowedIntents": list(ways), "handoffFields": ["summary"]}
    del gate["targetField"]
    kind = "closure" if phase == "closure" else "work"
    made = {**step, "stepId": name, "stepKind": kind, "c2": phase, "c3": rest}
    made.update(structuredGate=gate, transitions=ways, uvVariables=[], usesStdin=False)
    made["fallbackKey"] = f"{phase}_{rest}".replace("-", "_")
    made["outputSchemaRef"] = {"file": "step_outputs.schema.json", "schema": name}
    return made


def _schema(step: dict[str, Any]) -> dict[str, Any]:
    action = {"type": "string", "enum": step["structuredGate"]["allowedIntents"]}
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["summary", "next_action"],
        "properties": {
            "summary": {"type": "string", "description": step["name"]},
            "next_action": {
                "type": "object",
                "additionalProperties": False,
                "required": ["action"],
                "properties": {"action": action},
            },
        },
    }


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", "utf-8")
