"""A long run by chance, its trace written to a file as it goes on: `python -m benchmarks.long_run 1000000`."""

import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from benchmarks.chance import Chance
from benchmarks.generate import registry_text
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.agent_run import AgentRun, RunOptions
from stepflow_gui.run.effects import ResponderQuery
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.machine.choices import choices
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.picks import PickRefusal, answer_for
from stepflow_gui.run.machine.state import Answered, State
from stepflow_gui.run.traces.trace import TraceProblem
from stepflow_gui.run.traces.trace_writing import header_of, open_trace


class LongRun(NamedTuple):
    """How it went. `memory` is the peak of the process in MiB (Linux), `trace` the size of the file in bytes."""

    iterations: int
    seconds: float
    memory: int
    trace: int


class GoingOn:
    """Answers by chance, but never so that the run ends."""

    name = "going on"
    costs_money = False

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._chance = Chance(1)
        self._answers: dict[str, list[Answered]] = {}

    def answer(self, _asked: ResponderQuery, state: State) -> Answered:
        """One that goes on."""
        assert state.step is not None
        known = self._answers.get(state.step)
        if known is None:
            known = self._answers[state.step] = self._leading_on(state.step)
        return self._chance.choice(known)

    def _leading_on(self, at: str) -> list[Answered]:
        step, era = self._machine.flow.steps[at], self._machine.era
        offered = choices(self._machine.flow, at, era)
        answers = [answer_for(step, choice.pick, era) for choice in offered if choice.next_step is not None]
        return [Answered(answer) for answer in answers if not isinstance(answer, PickRefusal)]


def run_long(iterations: int, steps: int = 20) -> LongRun:
    """Run a made-up agent as `stepflow run --trace` does: prompts and schemas are looked for at each iteration."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / ".agent" / "generated"
        folder.mkdir(parents=True)
        (folder / "steps_registry.json").write_text(registry_text(steps), "utf-8")
        agent = open_agent(folder / "steps_registry.json")
        assert isinstance(agent, AgentFolder)
        run = AgentRun(agent, RunOptions(entry=next(iter(agent.flow.steps)), max_iterations=iterations))
        file = Path(name) / "trace.jsonl"
        writer = open_trace(file, header_of(agent, run.machine, run.start), agent.root)
        assert not isinstance(writer, TraceProblem)
        began = perf_counter()
        with writer:
            ran = run.drive(GoingOn(run.machine), Simulated(), writer.write)
        seconds = perf_counter() - began
        assert ran.outcome is not None, ran
        assert ran.outcome.kind == "limit"
        return LongRun(ran.outcome.iterations, seconds, _peak(), file.stat().st_size)


def _peak() -> int:
    status = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))


if __name__ == "__main__":
    sys.stdout.write(f"{run_long(int(sys.argv[1]))}\n")
