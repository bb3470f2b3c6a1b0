"""Tests of a piece: scripts in `flow_tests/NAME` beside it, each with what it expects."""

import re
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.takt.runners import TaktRunner, runner_named
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.problem_text import describe
from stepflow_gui.run.responders.script import ScriptProblem
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Begin, PieceEnd, PieceState
from stepflow_gui.run.takt.opening import piece_in, runner_of
from stepflow_gui.run.takt.scripts.piece_coverage import rules_taken
from stepflow_gui.run.takt.scripts.script import read_piece_script
from stepflow_gui.run.takt.scripts.script_check import ScriptMismatch, misses
from stepflow_gui.run.takt.scripts.scripted import Scripted, drive
from stepflow_gui.run.takt.session import PieceRun, TakenRule
from stepflow_gui.run.takt.words import end_words
from stepflow_gui.text.files.store import ReadProblem, read

FOLDER = "flow_tests"
_ENDINGS = frozenset({".json", ".yaml", ".yml"})


class PieceTested(NamedTuple):
    """A script that was run. It has passed where there are no `failures`. `visited`: whatever ran, by name."""

    file: Path
    failures: tuple[ScriptMismatch, ...]
    end: PieceEnd | None = None
    taken: frozenset[TakenRule] = frozenset()
    visited: frozenset[str] = frozenset()
    outcome: str = ""  # how it ended, in words


def files_of(piece: Path) -> tuple[Path, list[Path]]:
    """The folder of a piece's scripts, and the scripts by path."""
    folder = piece.parent / FOLDER / piece.stem
    found = (path for path in folder.rglob("*") if path.suffix.lower() in _ENDINGS and path.is_file())
    return folder, sorted(path for path in found if not path.name.startswith("."))


def new_test_file(piece: Path, state: PieceState) -> Path:
    """A file for a test of a run, named by its end, that doesn't exist yet."""
    folder, _files = files_of(piece)
    name = "-".join(
        re.findall(r"[\w.]+", f"{state.end.kind} {state.end.movement}" if state.end is not None else "test")
    )
    numbers = ("", *(f"-{at}" for at in range(2, 1000)))
    return next(file for at in numbers if not (file := folder / f"{name}{at}.json").exists())


def run_piece_test(
    agent: AgentFolder, file: Path, runner: TaktRunner | None = None, usual: TaktRunner | None = None
) -> PieceTested:
    """Run one script, as a runner, the one that it names, or the usual one.

    Without `expect` the piece is to be completed.
    """
    source = read(file)
    if isinstance(source, ReadProblem):
        return PieceTested(file, (ScriptMismatch(1, describe(source)),))
    usual = runner or usual or runner_of(agent, None)
    piece = piece_in(agent, usual)
    if isinstance(piece, PieceRefusal):
        return PieceTested(file, (ScriptMismatch(1, piece.message),))
    script = read_piece_script(source.text, file.name, piece)
    if isinstance(script, ScriptProblem):
        return PieceTested(file, (ScriptMismatch(script.line, script.message),))
    if runner is None and script.era is not None:
        usual = runner_named(script.era) or usual
        again = piece_in(agent, usual)
        if isinstance(again, PieceRefusal):
            return PieceTested(file, (ScriptMismatch(1, again.message),))
        piece = again
    run = PieceRun(PieceMachine(piece, usual, interactive=script.interactive))
    run.send(Begin(script.task, script.start, script.state))
    for _position in drive(run, Scripted(script).next_event):
        pass
    end = run.state.end
    wrong = misses(run, script)
    if script.expected is None and (end is None or not end.success):
        wrong = [
            ScriptMismatch(
                1, end_words(end, piece) if end is not None else _("The run was given up after very many events.")
            )
        ]
    outcome = end_words(end, piece) if end else ""
    return PieceTested(file, tuple(wrong), end, rules_taken(run), frozenset(run.visits), outcome)
