"""Scripts that exploring a piece writes, and what they cover."""

import json

import pytest

from stepflow_gui.formats.takt.runners import PIECES
from stepflow_gui.run.takt.exploring import explore
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.run.takt.machine.state import Begin, Event, Happening, PieceState
from stepflow_gui.run.takt.scripts import explored
from stepflow_gui.run.takt.scripts.explored import scripts_of_piece
from stepflow_gui.run.takt.scripts.piece_coverage import coverage_of, rules_taken
from stepflow_gui.run.takt.scripts.script import PieceScript, read_piece_script
from stepflow_gui.run.takt.scripts.script_check import misses
from stepflow_gui.run.takt.scripts.scripted import Scripted, drive
from stepflow_gui.run.takt.session import MOST_EVENTS, PieceRun
from tests.run.takt.pieces import PARALLEL, TWO, piece_of

ASKING = """
max_iterations: 3
movements:
  - name: a
    output_contracts: {report: [{Plan: plan.md}]}
    rules: [{condition: x, next: b}, {condition: y, next: COMPLETE, requires_user_input: true}]
  - name: b
    rules: [{condition: x, next: a}, {condition: y, next: ABORT}]
"""


def _run(machine: PieceMachine, text: str) -> PieceRun:
    script = read_piece_script(text, "explored.json", machine.piece)
    assert isinstance(script, PieceScript), script
    run = PieceRun(machine)
    run.send(Begin(script.task, script.start))
    for _position in drive(run, Scripted(script).next_event):
        pass
    assert misses(run, script) == []
    return run


def _covered(piece: Piece) -> tuple[set[str], list[str]]:
    """The ends of the scripts that are written, and what these don't come to."""
    machine = PieceMachine(piece, PIECES)
    runs = [_run(machine, text) for text in scripts_of_piece(machine, explore(machine))]
    visited = (name for run in runs for name in run.visits)
    covered = coverage_of(piece, visited, (rule for run in runs for rule in rules_taken(run)))
    return {run.state.end.kind for run in runs if run.state.end is not None}, list(covered.missing())


def test_scripts_cover_all_movements_rules_and_ends() -> None:
    for text in (TWO, PARALLEL):
        ends, missing = _covered(piece_of(text))
        assert missing == []
        assert {"complete", "abort_transition", "blocked", "movement_failed"} <= ends
    ends, missing = _covered(piece_of(ASKING))
    assert missing == []
    assert {"abort_transition", "input_cancelled", "no_input_handler", "report_empty"} <= ends
    assert {"blocked", "movement_failed", "max_iterations"} <= ends


def test_what_scripts_do_not_come_to_is_listed() -> None:
    piece = piece_of(TWO)
    covered = coverage_of(piece, ["work"], [])
    assert (covered.share("steps").covered, covered.share("steps").total) == (1, 2)
    assert next(iter(covered.missing())) == "check"
    assert list(covered.shortfalls({"rules": 0.0, "steps": 75.0})) == ["movements: 50 % covered, 75 % required"]


class _Counting(PieceMachine):
    """A machine that counts the events that are sent to it."""

    sent = 0

    def step(self, state: PieceState, event: Event) -> tuple[PieceState, tuple[Happening, ...]]:
        self.sent += 1
        return super().step(state, event)


_NEVER_ENDING = """
max_steps: infinite
movements:
  - {name: a, rules: [{condition: w, next: a}, {condition: x, next: b}, {condition: y, next: a}]}
  - {name: b, rules: [{condition: w, next: a}, {condition: x, next: b}, {condition: y, next: a}]}
"""


def test_runs_that_never_end_are_given_up_early() -> None:
    machine = _Counting(piece_of(_NEVER_ENDING), PIECES)
    assert machine.piece.limit is None
    assert scripts_of_piece(machine, explore(PieceMachine(machine.piece, PIECES)))
    assert machine.sent < MOST_EVENTS


def test_a_high_cap_does_not_make_every_run_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explored, "_MOST_BY_CHANCE", 500)
    machine = _Counting(piece_of(_NEVER_ENDING)._replace(limit=100), PIECES)
    texts = scripts_of_piece(machine, explore(PieceMachine(machine.piece, PIECES)))
    assert any(json.loads(text)["expect"]["end"] == "max_iterations" for text in texts)
    assert machine.sent < 2_000
