"""What Stepflow does with an agent, as tasks to be measured: each in CPU time, at two sizes."""

import gc
import json
import math
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import NamedTuple

from benchmarks.agents import letters, write_agent
from benchmarks.older_agents import of_complete, written
from stepflow_gui.export.formats import FORMATS
from stepflow_gui.export.options import ExportOptions
from stepflow_gui.flow.comparison.flows import compare_flows
from stepflow_gui.formats.change import plan
from stepflow_gui.formats.changes import RenameStep
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.converting.conversion import convert
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.text.source import Source

_COLLECTED = 200_000  # objects after which cycles are looked for: as the command sets it

Make = Callable[[Path, int], Path]
Run = Callable[[AgentFolder], object]


class Task(NamedTuple):
    """Something done with an agent of `make(folder, steps)`, and the two sizes at which its growth is measured."""

    name: str
    make: Make
    run: Run
    sizes: tuple[int, int] = (1_000, 10_000)

    def cost(self, folder: Path, steps: int, rounds: int = 2) -> float:
        """Seconds of the processor, the best of some rounds. The agent is written into `folder`, which is new."""
        folder.mkdir()
        path, times = self.make(folder, steps), []
        collected = gc.get_threshold()
        gc.set_threshold(_COLLECTED)
        for _round in range(rounds):
            agent = opened(path)
            assert agent.flow.steps
            gc.collect()
            gc.freeze()  # what earlier rounds hold isn't looked through again
            began = process_time()
            self.run(agent)
            times.append(process_time() - began)
            gc.unfreeze()
        gc.set_threshold(*collected)
        return min(times)

    def exponent(self, costs: tuple[float, float]) -> float:
        """The power of the steps by which the cost grows from one size to the other."""
        return math.log(costs[1] / costs[0]) / math.log(self.sizes[1] / self.sizes[0])


def opened(path: Path) -> AgentFolder:
    """The agent at a path."""
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    return agent


def empty_steps(folder: Path, steps: int) -> Path:
    """A registry whose steps hold nothing."""
    made = {"agentId": "made", "version": "1.0.0", "c1": "steps", "entryStep": "s0"}
    path = folder / "steps_registry.json"
    path.write_text(json.dumps({**made, "steps": {f"s{at}": {} for at in range(steps)}}, indent=1), "utf-8")
    return path


def complete_flow(folder: Path, steps: int) -> Path:
    """An agent of an older format, with a prompt for each step."""
    return written(folder, of_complete(steps)).registry.path


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


def _read(agent: AgentFolder) -> object:
    return opened(agent.registry.path).flow


def _explored(agent: AgentFolder) -> object:
    """Every place that a run can come to, and what is reported of it."""
    from stepflow_gui.run.exploring.findings import findings_of
    from stepflow_gui.run.exploring.report import table
    from stepflow_gui.run.exploring.search import explore

    verdict = Verdict("count:iteration", {"maxIterations": 500})
    return list(table(findings_of(explore(Machine(agent.flow, verdict)))))


def _other_text(agent: AgentFolder, old: str, new: str) -> Source:
    source = agent.registry.source
    assert old in source.text
    return source.with_text(source.text.replace(old, new))


def _compared(agent: AgentFolder) -> object:
    """The flow beside one of which each step has another name."""
    other = agent.with_texts({agent.registry.path: _other_text(agent, '"name": "', '"name": "The ')})
    return compare_flows(agent.flow, other.flow)


def _merged(agent: AgentFolder) -> object:
    """Two changes to each step made one."""
    from stepflow_gui.text.merge import merge

    ours = _other_text(agent, '"failFast": true', '"failFast": false')
    theirs = _other_text(agent, '"edition": "default"', '"edition": "other"')
    return merge(agent.registry.source, ours, theirs, json=True)


def _exported(format_id: str) -> Run:
    return lambda agent: FORMATS[format_id].content(agent, ExportOptions())


def _converted(target: str) -> Run:
    def run(agent: AgentFolder) -> object:
        from stepflow_gui.export.file_difference import file_difference
        from stepflow_gui.lint.fixing import FixedFile
        from stepflow_gui.project.converting.writing import changes_of

        made = convert(agent, target)
        assert not isinstance(made, Refusal)
        return ["".join(file_difference(FixedFile(*change), agent.root)) for change in changes_of(made)]

    return run


def _renamed(agent: AgentFolder) -> object:
    """A step's id, wherever it is used."""
    names = list(agent.flow.steps)
    made = plan(agent, RenameStep(names[len(names) // 2], "continuation.renamed", prompts=True, texts=True))
    assert not isinstance(made, Refusal)
    return made


_SMALL, _PIECE = (300, 3_000), (500, 4_000)
TASKS = (
    Task("read, empty steps", empty_steps, _read),
    Task("read", write_agent, _read),
    Task("lint, empty steps", empty_steps, lint),
    Task("lint", write_agent, lint),
    Task("explore", write_agent, _explored, _SMALL),
    Task("diff", write_agent, _compared),
    Task("merge", write_agent, _merged, _SMALL),
    Task("rename", write_agent, _renamed, _SMALL),
    Task("convert to c3l", write_agent, _converted("c3l"), _SMALL),
    Task("convert to adt-kind-address", write_agent, _converted("adt-kind-address"), _SMALL),
    Task("convert from complete", complete_flow, _converted("closing"), (100, 1_000)),
    Task("export mermaid", write_agent, _exported("mermaid")),
    Task("export dot", write_agent, _exported("dot")),
    Task("export text", write_agent, _exported("text")),
    Task("export json", write_agent, _exported("json"), _SMALL),
    Task("export svg", write_agent, _exported("svg"), _SMALL),
    Task("export html", write_agent, _exported("html"), _SMALL),
    Task("read workflow", workflow, _read, _PIECE),
    Task("lint workflow", workflow, lint, _PIECE),
    Task("export workflow mermaid", workflow, _exported("mermaid"), _PIECE),
    Task("export workflow svg", workflow, _exported("svg"), _SMALL),
)
