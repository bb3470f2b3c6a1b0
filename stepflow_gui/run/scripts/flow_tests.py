"""Tests of a flow: scripts below an agent's `flow_tests` folder, each with the path and end that it expects."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.problem_text import describe
from stepflow_gui.run.agent_run import AgentRun, Listener, RunOptions
from stepflow_gui.run.effects import Commands
from stepflow_gui.run.host.host import HostEvent, Ran
from stepflow_gui.run.machine.state import State, TraceEntry
from stepflow_gui.run.responders.script import ScriptProblem
from stepflow_gui.run.responders.scripted import ScriptResponder
from stepflow_gui.run.scripts.script_file import Expectation, Script, misfits, not_needed, read_script_file
from stepflow_gui.text.files.store import ReadProblem, read

FOLDER = "flow_tests"
_ENDINGS = frozenset({".json", ".jsonl", ".ndjson", ".yaml", ".yml"})
_SUCCESS = Expectation(success=True)
_AROUND = 2  # steps shown before the one where a path parts


class FlowTestFailure(NamedTuple):
    """What is not as expected; `line` of the script, from 1."""

    line: int
    message: str


class Tested(NamedTuple):
    """A test that was run. It has passed where there are no `failures`."""

    file: Path
    title: str | None
    failures: tuple[FlowTestFailure, ...]
    path: tuple[str, ...]
    entries: tuple[TraceEntry, ...]
    ran: Ran | None
    seconds: float


def flow_test_files(agent: AgentFolder) -> list[Path]:
    """The scripts of an agent, by path."""
    folder = agent.folder / FOLDER
    found = (path for path in folder.rglob("*") if path.suffix.lower() in _ENDINGS and path.is_file())
    return sorted(path for path in found if not path.name.startswith("."))


def new_test_file(agent: AgentFolder, state: State) -> Path:
    """A file for a test of a run, named by its end, that doesn't exist yet."""
    outcome = state.outcome
    name = "-".join(re.findall(r"[\w.]+", f"{outcome.kind} {outcome.step}" if outcome is not None else "test"))
    files = (agent.folder / FOLDER / f"{name}{number}.jsonl" for number in ("", *(f"-{at}" for at in range(2, 1000))))
    return next(file for file in files if not file.exists())


def run_flow_test(
    agent: AgentFolder, file: Path, commands: Commands, wishes: RunOptions, *listeners: Listener
) -> Tested:
    """Run one script. The `wishes` override the script's settings. Each listener is notified of each event."""
    began = time.monotonic()
    source = read(file)
    if isinstance(source, ReadProblem):
        return Tested(file, None, (FlowTestFailure(1, describe(source)),), (), (), None, 0.0)
    script = read_script_file(source.text, file.name)
    problems = [script] if isinstance(script, ScriptProblem) else misfits(script, agent.flow)
    if isinstance(script, ScriptProblem) or problems:
        failures = tuple(FlowTestFailure(each.line, each.message) for each in problems)
        return Tested(file, getattr(script, "title", None), failures, (), (), None, time.monotonic() - began)
    run = AgentRun(agent, _wishes(script, wishes))
    responder = ScriptResponder(script.lines, run.machine.flow, run.machine.era, commands)
    entries: list[TraceEntry] = []

    def keep(happened: HostEvent) -> None:
        entries.append(happened.entry)

    ran = run.drive(responder, responder, keep, *listeners)
    path = tuple(entry.step for entry in entries if entry.step is not None and entry.is_visit)
    failures = tuple(failures_of(script, responder, ran, path))
    return Tested(file, script.title, failures, path, tuple(entries), ran, time.monotonic() - began)


def _wishes(script: Script, wishes: RunOptions) -> RunOptions:
    return wishes._replace(
        entry=wishes.entry or script.entry,
        args={**script.args, **wishes.args},
        input_text=wishes.input_text or script.input_text,
        era=wishes.era or script.era,
        max_iterations=wishes.max_iterations or script.max_iterations,
    )


def failures_of(
    script: Script, responder: ScriptResponder, ran: Ran, path: tuple[str, ...]
) -> Iterator[FlowTestFailure]:
    """What in a run isn't as its script expects; without an expectation a good end is expected."""
    expected = script.expected or _SUCCESS
    at = expected.line
    cut = ran.unanswered is not None and expected.path is not None and path == expected.path[: len(path)]
    if expected.path is not None and path != expected.path and not cut:
        yield FlowTestFailure(at, _parted(expected.path, path))
    if ran.unanswered is not None and path == expected.path and expected == Expectation(at, path):
        return  # a run that was written down before its end
    if ran.unanswered is not None:
        yield FlowTestFailure(at, ran.unanswered.message)
        return
    yield from (FlowTestFailure(at, message) for message in _of_end(expected, ran))
    yield from (FlowTestFailure(each.line, each.message) for each in not_needed(responder.unused))


def _of_end(expected: Expectation, ran: Ran) -> Iterator[str]:
    if ran.stopped is not None:
        error = ran.stopped.error
        if expected.error is None:
            yield _("The run was stopped: {reason}").format(reason=error.message)
        elif expected.error not in {error.kind, error.code}:
            text = _("Stopped by “{kind}”, not by “{expected}”: {reason}")
            yield text.format(kind=error.kind, expected=expected.error, reason=error.message)
        at = ran.stopped.step or ran.state.step
        if expected.step is not None and expected.error is not None and at != expected.step:
            yield _("Stopped at {step}, not at {expected}.").format(step=at, expected=expected.step)
        return
    assert ran.outcome is not None
    outcome = ran.outcome
    if expected.error is not None:
        text = _("Not stopped by “{expected}”: {reason}")
        yield text.format(expected=expected.error, reason=outcome.message)
    if expected.kind is not None and outcome.kind != expected.kind:
        text = _("The end is “{kind}”, not “{expected}”: {reason}")
        yield text.format(kind=outcome.kind, expected=expected.kind, reason=outcome.message)
    if expected.step is not None and expected.error is None and outcome.step != expected.step:
        yield _("Ended at {step}, not at {expected}.").format(step=outcome.step, expected=expected.step)
    if expected.success is not None and outcome.success is not expected.success:
        text = _("A success was not expected: {reason}") if outcome.success else _("No success: {reason}")
        yield text.format(reason=outcome.message)


def _parted(expected: tuple[str, ...], path: tuple[str, ...]) -> str:
    """Where two paths part, with the steps just before."""
    same = next(
        (at for at, pair in enumerate(zip(expected, path, strict=False)) if pair[0] != pair[1]),
        min(len(expected), len(path)),
    )
    before = path[max(0, same - _AROUND) : same]
    shown = " → ".join(("… " if same > _AROUND else "") + step if not at else step for at, step in enumerate(before))
    text = _("The path diverges at visit {number}: {now} instead of {expected}{after}.")
    return text.format(
        number=same + 1,
        now=path[same] if same < len(path) else _("the end"),
        expected=expected[same] if same < len(expected) else _("the end"),
        after=_(" after {steps}").format(steps=shown) if shown else "",
    )
