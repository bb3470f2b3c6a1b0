"""TAKT pieces from Python: `run_piece(path, script)`."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stepflow_gui.api.agents import AgentError
from stepflow_gui.formats.takt.runners import RUNNER_NAMES, RUNNERS
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.problem_text import describe
from stepflow_gui.run.responders.script import ScriptProblem
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Begin, Entered, Event, Extended, PieceState, UserInput
from stepflow_gui.run.takt.opening import piece_in, runner_of
from stepflow_gui.run.takt.picking import MovementPick, answer_to
from stepflow_gui.run.takt.scripts.script import PieceScript, read_piece_script, rule_meant
from stepflow_gui.run.takt.scripts.scripted import Scripted, drive, path_of
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.run.takt.words import end_words
from stepflow_gui.text.files.store import ReadProblem, read

Decide = Callable[[str, tuple[str, ...], int], int | str | None]
"""A function of the name of a movement or sub-step, the conditions of its rules, and the number of its run, from 1.

It returns the number of a rule, from 1, or its condition; None means undecided. A workflow that a step calls is run
if it can be opened: its steps are named `CALL/STEP`, where CALL is the name in the calling step.
"""


@dataclass(frozen=True, slots=True)
class PieceResult:
    """The result of a run. `end`: `complete`, or why the piece was aborted; `path`: the movements in starting order."""

    success: bool
    end: str
    message: str
    movement: str
    iterations: int
    path: tuple[str, ...]
    reports: Mapping[str, str]
    inputs: tuple[str, ...]


def run_piece(
    path: str | Path,
    script: Mapping[str, Any] | str | Path | Decide | None = None,
    *,
    era: str | None = None,
    task: str | None = None,
    interactive: bool = False,
) -> PieceResult:
    """Run a piece to its end, by a script (a file or its contents) or by a function.

    Raises `AgentError` for a file that is not a piece, a piece that the runner refuses, and a script that doesn't fit.
    """
    agent = _open_piece(Path(path))
    if era is not None and era not in RUNNER_NAMES:
        message = _("Unknown runtime “{era}”: choose from {eras}.")
        raise AgentError(message.format(era=era, eras=", ".join(RUNNERS)))
    machine = _machine(agent, era, interactive=interactive)
    if callable(script):
        setup, next_event = PieceScript(), _Function(script).next_event
    else:
        setup = _read_script({} if script is None else script, machine)
        machine = _machine(agent, era or setup.era, interactive=interactive or setup.interactive)
        next_event = Scripted(setup).next_event
    run = PieceRun(machine)
    run.send(Begin(setup.task if task is None else task, setup.start, setup.state))
    for _position in drive(run, next_event):
        pass
    end = run.state.end
    if end is None:
        raise AgentError(_("The run was given up after very many events."))
    return PieceResult(
        end.success,
        end.kind,
        end_words(end, run.machine.piece_at(run.state)),
        end.movement,
        end.iterations,
        path_of(run),
        dict(run.state.reports),
        run.state.inputs,
    )


class _Function:
    """Answers by a function, which is called once for each run of a movement."""

    def __init__(self, decide: Decide) -> None:
        self._decide = decide
        self._picks: dict[tuple[str, int], MovementPick] = {}

    def next_event(self, machine: PieceMachine, state: PieceState) -> Event:
        """What comes next; the person doesn't exist, and no iterations are granted."""
        if state.waits == "input":
            return UserInput(None, possible=False)
        if state.waits == "limit":
            return Extended(0)
        call = machine.calls(state)[0]
        if machine.callee(state, call.task) is not None:
            return Entered(call.task)
        name = machine.named(state, call.task)
        key = name, machine.runs_of(state, call.task)
        if key not in self._picks:
            movement = machine.asked_of(state, call)
            choice = self._decide(name, tuple(rule.text for rule in movement.rules), key[1])
            rule = rule_meant(choice, movement)
            if isinstance(rule, str):
                raise AgentError(rule)
            self._picks[key] = MovementPick(rule)
        return answer_to(machine, state, call, self._picks[key])


def _open_piece(path: Path) -> AgentFolder:
    agent = open_agent(path)
    if isinstance(agent, ReadProblem):
        raise AgentError(describe(agent))
    if agent.format != "takt":
        raise AgentError(_("{path} is not a TAKT piece.").format(path=path))
    return agent


def _machine(agent: AgentFolder, era: str | None, *, interactive: bool) -> PieceMachine:
    runner = runner_of(agent, era)
    piece = piece_in(agent, runner)
    if isinstance(piece, PieceRefusal):
        raise AgentError(f"{agent.registry.path}: {piece.message}")
    return PieceMachine(piece, runner, interactive=interactive)


def _read_script(given: Mapping[str, Any] | str | Path, machine: PieceMachine) -> PieceScript:
    if isinstance(given, str | Path):
        source = read(Path(given))
        if isinstance(source, ReadProblem):
            raise AgentError(describe(source))
        text, name = source.text, Path(given).name
    else:
        try:
            text, name = json.dumps(dict(given)), "script.json"
        except (TypeError, ValueError) as error:
            raise AgentError(_("The script is not JSON: {reason}").format(reason=error)) from error
    script = read_piece_script(text, name, machine.piece)
    if isinstance(script, ScriptProblem):
        raise AgentError(f"{name}:{script.line}: {script.message}")
    return script
