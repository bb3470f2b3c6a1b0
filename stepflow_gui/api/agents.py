"""Agents from Python: `load_agent(path)`, then `StepFlowRunner(agent, responder).run(args, cwd)`.

The same for every format that Stepflow reads.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.checks.vocabulary import RESULTS
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.choosing import NotChosen, choose_agent
from stepflow_gui.project.problem_text import describe
from stepflow_gui.run.agent_run import AgentRun, Listener, RunOptions, working_folder
from stepflow_gui.run.effects import Commands, NoAnswer, Responder, ResponderQuery
from stepflow_gui.run.host.host import HostEvent, Ran
from stepflow_gui.run.host.real_commands import RealCommands
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.machine.closure_checks import unknown_validator
from stepflow_gui.run.machine.state import Answered, NotAsked, ProgramEnded, Start, State, Validated, VisitCounts
from stepflow_gui.run.responders.scripted import ScriptResponder
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.json.tree import JsonValue

if TYPE_CHECKING:
    from stepflow_gui.run.scripts.script_file import Script


class AgentError(Exception):
    """An agent, script or option that can't be used; the message gives the reason, in the language in use."""


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent, as its files were when it was loaded. `name` is the name in agent.json, else that of the folder."""

    name: str
    folder: Path
    root: Path  # of its project
    format: str  # the id of the file format, such as "c3l"
    steps: tuple[str, ...]
    source: AgentFolder


@dataclass(frozen=True, slots=True)
class Question:
    """What a step asks, or its `check`.

    `prompt` is None if its file is missing; `schema` is the JSON Schema of the answer.
    """

    step: str
    iteration: int  # from 1
    prompt: str | None
    schema: Mapping[str, Any] | None
    intents: tuple[str, ...]
    model: str
    check: bool = False


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a validator or check. `message` is its output; "" if a validator passed."""

    name: str
    passed: bool
    message: str = ""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One visit to a step: its answer, the next step, and the checks that ran after it.

    `transition` is the intent as the gate read it, or for a check the keyword that was followed (next, fallback,
    retry, complete); `case` is the case of a condition, `to` the next step (None at the end), `error` the error that
    stopped the run here. `run` and `retries` count how often a step with checks ran in this visit, and its retries.
    """

    step: str
    iteration: int
    transition: str | None
    case: str | None
    to: str | None
    answer: Any
    checks: tuple[CheckResult, ...] = ()
    error: str | None = None
    run: int = 0
    retries: int = 0

    @property
    def check_result(self) -> CheckResult | None:
        """The check that decided: the first that failed, else the last; None if none ran."""
        return next((check for check in self.checks if not check.passed), self.checks[-1] if self.checks else None)


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a run.

    `completion_reason` describes how it ended; `end` is a word for programs: "closing", "complete", "null",
    "verdict", "abort", "limit", "validation", "check" (a check failed and defines no next step) or "unchecked" (a
    step without a check reached its number of runs) if the run reached an end, "error" if an error stopped it,
    "unanswered" if the responder had no answer. `error_code` is the stable code of an error.
    """

    success: bool
    final_step: str | None
    completion_reason: str
    end: str
    iterations: int
    history: tuple[HistoryEntry, ...]
    context: Mapping[str, Mapping[str, Any]]  # step -> the values that it handed over
    error_code: str | None = None
    shadow: str | None = None  # where a shadow run diverged, in words

    @property
    def path(self) -> tuple[str, ...]:
        """The steps in the order of their visits."""
        return tuple(entry.step for entry in self.history)


CHECK = "check"  # the name of a check's result, as checks have none

Answering = Callable[[Question], Any]
"""A function that answers: a JSON value, or None for no structured answer.

To a check: true or false, "ok" or "ng", an object with `result`, or any other text that a model might write.
"""


def load_agent(path: str | Path) -> Agent:
    """The agent at a path: a registry, an agent folder, a folder with one below it, or a name below `.agent`.

    Raises `AgentError` if there is none or it can't be read. Mistakes inside the files don't raise an error: a run
    continues until they matter.
    """
    found = choose_agent(path)
    if isinstance(found, NotChosen):
        raise AgentError(found.message)
    assert found.format is not None
    named = found.agent.name.value if found.agent and found.agent.name else None
    steps = tuple(found.flow.steps)
    return Agent(named or found.folder.name, found.folder, found.root, found.format, steps, found)


def load_script(path: str | Path) -> "Script":
    """The script in a JSON, JSON Lines or YAML file, as `StepFlowRunner` takes it. Raises `AgentError`."""
    from stepflow_gui.run.responders.script import ScriptProblem
    from stepflow_gui.run.scripts.script_file import read_script_file
    from stepflow_gui.text.files.store import read

    source = read(Path(path))
    if isinstance(source, ReadProblem):
        raise AgentError(describe(source))
    found = read_script_file(source.text, Path(path).name)
    if isinstance(found, ScriptProblem):
        raise AgentError(f"{path}:{found.line}: {found.message}")
    return found


class StepFlowRunner:
    """Runs an agent. Holds no state between runs.

    `responder` answers the steps: a function that gets a `Question` and returns a JSON value; a script, from
    `load_script` or as a list of its lines; or any `stepflow_gui.run.effects.Responder`. `run_commands` runs
    validators and closure programs on this machine; otherwise all pass except those in `failing` (name -> its
    output). `era` and `shadow` are names of runtimes, `guide` by default. A runtime without built-in prompts stops the
    run at a step whose prompt is missing or can't be filled in.
    """

    def __init__(
        self,
        agent: Agent,
        responder: "Responder | Answering | Script | Sequence[Mapping[str, Any]]",
        *,
        run_commands: bool = False,
        failing: Mapping[str, str] | None = None,
        era: str | None = None,
        shadow: str | None = None,
        max_iterations: int | None = None,
    ) -> None:
        from stepflow_gui.formats.climpt.eras import ERAS

        for name in (era, shadow):
            if name is not None and name not in ERAS:
                text = _("There is no runner “{era}”. Known: {known}.")
                raise AgentError(text.format(era=name, known=_(", ").join(ERAS)))
        if max_iterations is not None and max_iterations < 1:
            raise AgentError(_("max_iterations is at least 1, not {number}.").format(number=max_iterations))
        self._agent = agent
        self._responder = responder
        self._run_commands = run_commands
        self._failing = failing
        self._era = era
        self._shadow = shadow
        self._max_iterations = max_iterations

    def run(
        self,
        args: Mapping[str, Any] | None = None,
        cwd: str | Path | None = None,
        *,
        entry: str | None = None,
        input_text: str | None = None,
        on_step: Callable[[HistoryEntry], None] | None = None,
        trace: str | Path | None = None,
    ) -> RunResult:
        """Run to the end. Blocks; an error in the run raises no exception: the result reports it.

        A script that can't be used, an unknown validator in `failing`, and parameters or answers of your own function
        that are not JSON raise `AgentError`; exceptions of your own function are passed on.

        `args` are the agent's parameters and override the defaults of agent.json; `cwd` is where commands run
        (default: the project's root); `entry` is another step to begin at; `on_step` is called after each visit. The
        run is written to the file `trace`; if that fails, `AgentError` is raised.
        """
        from stepflow_gui.lint.config.config import Configs

        given = {name: _json(value, name) for name, value in (args or {}).items()}
        options = RunOptions(
            entry,
            given,
            {},
            input_text,
            self._era,
            self._shadow,
            self._max_iterations,
            fresh=self._run_commands,
            spare_prompts=dict.fromkeys(Configs().of(self._agent.source.registry.path).fallback_keys),
        )

        problem = unknown_validator(self._agent.source.flow, self._failing or ())
        if problem is not None:
            raise AgentError(problem)
        run = AgentRun(self._agent.source, options)
        folder = working_folder(self._agent.source, Path(cwd) if cwd is not None else None)
        commands: Commands = RealCommands(folder) if self._run_commands else Simulated(self._failing)
        responder = self._responder_of(run, commands)
        history = _History(on_step)
        commands = responder if isinstance(responder, ScriptResponder) else commands
        with _traced(run, trace, self._shadow, self._max_iterations) as listeners:
            ran = run.drive(responder, commands, history.add, *listeners)
        history.finish()
        return _result(ran, history.entries, run.parting.message if run.parting else None)

    def _responder_of(self, run: AgentRun, commands: Commands) -> Responder:
        from stepflow_gui.run.scripts.script_file import Script

        given, machine = self._responder, run.machine
        if isinstance(given, Script):
            return ScriptResponder(given.lines, machine.flow, machine.era, commands)
        if isinstance(given, list | tuple):
            return ScriptResponder(_lines(given), machine.flow, machine.era, commands)
        if isinstance(given, Responder):
            return given
        assert callable(given)
        return _Function(given, machine.flow)


@contextmanager
def _traced(
    run: AgentRun, file: str | Path | None, shadow: str | None, limit: int | None
) -> Iterator[tuple[Listener, ...]]:
    """The listener that writes the trace, if there is to be one."""
    if file is None:
        yield ()
        return
    from stepflow_gui.run.traces.trace import TraceProblem
    from stepflow_gui.run.traces.trace_writing import header_of, open_trace

    header = header_of(run.agent, run.machine, run.start, shadow, limit)
    writer = open_trace(Path(file), header, run.agent.root)
    if isinstance(writer, TraceProblem):
        raise AgentError(writer.message)
    with writer:
        yield (writer.write,)
    if writer.problem is not None:
        raise AgentError(writer.problem.message)


def _lines(given: Sequence[Mapping[str, Any]]) -> Any:
    from stepflow_gui.run.responders.script import ScriptProblem, read_lines

    lines = read_lines(
        [(number, dict(line) if isinstance(line, Mapping) else line) for number, line in enumerate(given, 1)]
    )
    if isinstance(lines, ScriptProblem):
        raise AgentError(lines.message)
    return lines


class _Function:
    """A function as a responder."""

    name = ""
    costs_money = False

    def __init__(self, function: Answering, flow: Flow) -> None:
        self._function = function
        self._flow = flow

    def answer(self, request: ResponderQuery, _state: State) -> Answered | NoAnswer:
        query = request.query
        step = self._flow.steps[query.step]
        intents = tuple(intent.value for intent in step.gate.intents) if step.gate else ()
        question = Question(
            query.step, query.iteration, request.prompt.text, request.schema, intents, request.model, query.check
        )
        answer = self._function(question)
        if isinstance(answer, Answered | NoAnswer):
            return answer
        value = _json(answer, question.step)
        if query.check and isinstance(value, str) and value not in RESULTS:
            return Answered(None, (value,))
        return Answered({"result": value} if query.check and isinstance(value, str | bool) else value)


def _json(value: Any, of: str) -> JsonValue:
    """A value as JSON has it: tuples as lists, keys as texts."""
    try:
        made: JsonValue = json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        text = _("What is given for “{name}” is not a JSON value ({reason}).")
        raise AgentError(text.format(name=of, reason=error)) from error
    return made


class _History:
    """Collects events into visits."""

    def __init__(self, on_step: Callable[[HistoryEntry], None] | None) -> None:
        self.entries: list[HistoryEntry] = []
        self._on_step = on_step
        self._open: HistoryEntry | None = None
        self._counts = VisitCounts()

    def add(self, happened: HostEvent) -> None:
        """Add an event."""
        entry, event = happened.entry, happened.entry.event
        counts, self._counts = self._counts, happened.state.counts
        if isinstance(event, Start):
            return
        opened = self._open
        error = entry.error.message if entry.error else None
        if isinstance(event, Validated) and opened is not None:
            check = CheckResult(entry.validator or "", event.passed, event.fault or event.error)
            checks, error = (*opened.checks, check), error or opened.error
            self._open = replace(opened, checks=checks, to=entry.to, error=error)
            return
        if entry.judged is not None and opened is not None:
            result, transition = entry.judged
            checks = (*opened.checks, CheckResult(CHECK, result.passed, result.message))
            self._open = replace(opened, checks=checks, transition=transition or None, to=entry.to, error=error)
            return
        if isinstance(event, NotAsked) and event.why == "check" and opened is not None:
            self._open = replace(opened, to=entry.to, error=error)
            return
        self.finish()
        answer = event.answer if isinstance(event, Answered) else None
        if isinstance(event, ProgramEnded):
            answer = event.stdout
        read, taken = entry.interpretation, entry.transition
        self._open = HistoryEntry(
            entry.step or "",
            entry.iteration,
            read.intent if read else None,
            taken.case if taken else None,
            entry.to,
            answer,
            (),
            error,
            *counts,
        )

    def finish(self) -> None:
        """The visit that is open is over."""
        if self._open is not None:
            self.entries.append(self._open)
            if self._on_step is not None:
                self._on_step(self._open)
        self._open = None


def _result(ran: Ran, history: list[HistoryEntry], shadow: str | None) -> RunResult:
    state, outcome = ran.state, ran.outcome
    code: str | None = None
    if outcome is not None:
        end, reason, code = str(outcome.kind), outcome.message, outcome.code
    elif ran.stopped is not None:
        error = ran.stopped.error
        end, reason, code = "error", error.message, error.code or error.kind
    else:
        assert ran.unanswered is not None
        end, reason, code = "unanswered", ran.unanswered.message, ran.unanswered.kind
    final = ran.stopped.step if ran.stopped and ran.stopped.step else state.step
    return RunResult(
        outcome is not None and outcome.success,
        final,
        reason,
        end,
        outcome.iterations if outcome else state.iteration,
        tuple(history),
        state.context,
        code,
        shadow,
    )
