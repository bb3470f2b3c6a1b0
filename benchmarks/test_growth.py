"""How much longer each task takes of several times the steps, in CPU time of the same run: by an exponent of 1.2."""

import gc
import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from benchmarks.agents import letters, write_agent
from stepflow_gui.export.mermaid import mermaid_of
from stepflow_gui.export.options import ExportOptions
from stepflow_gui.flow.comparison.flows import compare_flows
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.exploring.search import explore
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.verdict import Verdict

EXPONENT = 1.2
ROUNDS = 2

Make = Callable[[Path, int], Path]
Task = Callable[[AgentFolder], object]


def empty_steps(folder: Path, steps: int) -> Path:
    """A registry whose steps hold nothing."""
    made = {"agentId": "made", "version": "1.0.0", "c1": "steps", "entryStep": "s0"}
    path = folder / "steps_registry.json"
    path.write_text(json.dumps({**made, "steps": {f"s{at}": {} for at in range(steps)}}, indent=1), "utf-8")
    return path


def sound_agent(folder: Path, steps: int) -> Path:
    """An agent with a schema for each step and next to nothing wrong."""
    return write_agent(folder, steps)


def workflow(folder: Path, steps: int) -> Path:
    """A TAKT workflow of steps that follow each other, forwards and back."""
    text = "name: made\ninitial_step: a\nmax_steps: 10\npersonas: {p: You are it.}\nsteps:\n"
    for at in range(steps):
        after = letters(at + 1) if at + 1 < steps else "COMPLETE"
        text += f"  - name: {letters(at)}\n    persona: p\n    edit: false\n    instruction: Do it.\n    rules:\n"
        text += (
            f"      - {{condition: ok, next: {after}}}\n      - {{condition: again, next: {letters(max(at - 1, 0))}}}\n"
        )
    path = folder / ".takt" / "workflows" / "made.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text, "utf-8")
    return path


def read(agent: AgentFolder) -> object:
    """Open the agent and read its flow."""
    return opened(agent.registry.path).flow


def explored(agent: AgentFolder) -> object:
    """Every place that a run can come to."""
    return explore(Machine(agent.flow, Verdict("poll:state")))


def compared(agent: AgentFolder) -> object:
    """The flow beside one with a step less."""
    text = agent.registry.source.text.replace('"name"', '"title"', 1)
    other = agent.with_texts({agent.registry.path: agent.registry.source.with_text(text)})
    return compare_flows(agent.flow, other.flow)


def exported(agent: AgentFolder) -> object:
    """A chart as text."""
    return mermaid_of(agent, ExportOptions())


def opened(path: Path) -> AgentFolder:
    """The agent at a path."""
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    return agent


@pytest.mark.parametrize(
    ("make", "task", "sizes"),
    [
        (empty_steps, read, (1_000, 10_000)),
        (empty_steps, lint, (1_000, 10_000)),
        (sound_agent, read, (1_000, 10_000)),
        (sound_agent, lint, (1_000, 10_000)),
        (sound_agent, explored, (1_000, 10_000)),
        (sound_agent, compared, (1_000, 10_000)),
        (sound_agent, exported, (1_000, 10_000)),
        (workflow, read, (500, 4_000)),
        (workflow, lint, (500, 4_000)),
        (workflow, exported, (500, 4_000)),
    ],
    ids=lambda each: getattr(each, "__name__", None),
)
def test_growth(make: Make, task: Task, sizes: tuple[int, int], tmp_path: Path) -> None:
    """Nothing is looked through again for each step."""
    costs = []
    for steps in sizes:
        (tmp_path / str(steps)).mkdir()
        path, times = make(tmp_path / str(steps), steps), []
        for _round in range(ROUNDS):
            agent = opened(path)
            assert agent.flow.steps
            gc.collect()
            gc.freeze()  # what earlier rounds hold isn't looked through again
            began = process_time()
            task(agent)
            times.append(process_time() - began)
            gc.unfreeze()
        costs.append(min(times))
    ratio, factor = costs[1] / costs[0], sizes[1] / sizes[0]
    sys.stdout.write(
        f"\n{make.__name__} {task.__name__}: {ratio:.1f} × for {factor:.0f} × the steps ({costs[1]:.2f} s)"
    )
    assert ratio <= factor**EXPONENT
