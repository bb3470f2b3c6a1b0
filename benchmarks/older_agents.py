"""Agents of older formats, which are converted: with `complete` intents, and with checks."""

import json
from pathlib import Path
from typing import Any

from benchmarks.agents import letters
from stepflow_gui.project.agent_folder import AgentFolder, open_agent

Json = dict[str, Any]


def of_complete(steps: int) -> Json:
    """Steps in threes, the last of which is renamed: to begin, to go on and to complete."""
    made: Json = {}
    for number in range(steps):
        phase, topic = ("initial", "continuation", "complete")[number % 3], f"topic-{letters(number // 3)}"
        going: Json = {"next": {"target": f"continuation.{topic}"}, "complete": {"target": f"complete.{topic}"}}
        ways = {"initial": going, "continuation": going, "complete": {"repeat": {"target": f"complete.{topic}"}}}[phase]
        words = list(dict.fromkeys([*ways, "complete"]))
        made[f"{phase}.{topic}"] = {
            "stepId": f"{phase}.{topic}",
            "name": topic,
            "c2": phase,
            "c3": topic,
            "edition": "default",
            "outputSchemaRef": {"file": "steps.schema.json", "schema": f"{phase}.{topic}"},
            "structuredGate": {"allowedIntents": words, "intentField": "action"},
            "transitions": ways,
        }
    return {"agentId": "made", "version": "1.0.0", "c1": "steps", "entryStep": next(iter(made)), "steps": made}


def of_checks(steps: int) -> Json:
    """Steps that follow each other, each with a check of its own."""
    made: Json = {}
    for number in range(steps):
        topic = f"topic-{letters(number)}"
        following = {"next": f"s_{number + 1:06x}"} if number + 1 < steps else {"complete": True}
        made[f"s_{number:06x}"] = {
            "id": f"s_{number:06x}",
            "name": topic,
            "prompt": {"c1": "steps", "c2": "phase", "c3": topic},
            "check": {
                "prompt": {"c1": "checks", "c2": "step", "c3": topic},
                "onPass": following,
                "onFail": {"retry": True, "maxRetries": 2},
            },
        }
    return {"version": "1.0.0", "entryStep": "s_000000", "steps": made}


def written(folder: Path, made: Json) -> AgentFolder:
    """An agent with that registry and the prompts of its steps and checks."""
    home = folder / ".agent" / "made"
    for step in made["steps"].values():
        addresses = [step.get("prompt", step), *([step["check"]["prompt"]] if "check" in step else [])]
        for address in addresses:
            prompt = home / "prompts" / address.get("c1", "steps") / address["c2"] / address["c3"] / "f_default.md"
            prompt.parent.mkdir(parents=True, exist_ok=True)
            prompt.write_text("Do what is to be done.\n", "utf-8")
    (home / "steps_registry.json").write_text(json.dumps(made, indent=2), "utf-8")
    agent = open_agent(home)
    assert isinstance(agent, AgentFolder)
    return agent
