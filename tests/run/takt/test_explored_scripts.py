"""Scripts that exploring a piece writes, and what they cover."""

from stepflow_gui.formats.takt.runners import PIECES
from stepflow_gui.run.takt.exploring import explore
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.run.takt.machine.state import Begin
from stepflow_gui.run.takt.scripts.explored import scripts_of_piece
from stepflow_gui.run.takt.scripts.piece_coverage import coverage_of, rules_taken
from stepflow_gui.run.takt.scripts.script import PieceScript, read_piece_script
from stepflow_gui.run.takt.scripts.script_check import misses
from stepflow_gui.run.takt.scripts.scripted import Scripted, drive
from stepflow_gui.run.takt.session import PieceRun
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
