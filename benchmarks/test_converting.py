"""How much longer a conversion takes of a flow with four times the steps, in CPU time of the same run."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from benchmarks.agents import letters
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.converting.conversion import convert

Json = dict[str, Any]
SIZES = (75, 300)
LIMIT = 2 * SIZES[1] / SIZES[0]
ROUNDS = 3


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


@pytest.mark.parametrize("made_of", [of_complete, of_checks])
def test_growth(made_of: Callable[[int], Json], tmp_path: Path) -> None:
    """Four times the steps take at most eight times as long: no text is read again for each step."""
    costs = []
    for steps in SIZES:
        times = []
        for number in range(ROUNDS):
            agent = written(tmp_path / str(steps) / str(number), made_of(steps))
            began = process_time()
            assert not isinstance(convert(agent, "closing"), Refusal)
            times.append(process_time() - began)
        costs.append(min(times))
    told = ", ".join(f"{steps} steps {1000 * cost:.0f} ms" for steps, cost in zip(SIZES, costs, strict=True))
    sys.stdout.write(f"\n{made_of.__name__}: {told}")
    assert costs[1] <= LIMIT * costs[0]
