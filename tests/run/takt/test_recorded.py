"""A run that is written down as a script is run again by it, to the same end."""

from collections.abc import Callable
from pathlib import Path

import pytest

from stepflow_gui.formats.takt.runners import GUIDE, PIECES
from stepflow_gui.run.responders.script import ScriptProblem
from stepflow_gui.run.takt.loading import load_piece
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.run.takt.machine.state import Begin, Event, Extended, Moment, PieceState, Replied, UserInput
from stepflow_gui.run.takt.picking import MovementPick
from stepflow_gui.run.takt.scripts.recorded import recorded
from stepflow_gui.run.takt.scripts.script import PieceScript, read_piece_script
from stepflow_gui.run.takt.scripts.script_check import misses, unused_answers
from stepflow_gui.run.takt.scripts.scripted import Chance, Scripted, drive, path_of
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree
from tests.run.takt.projects import STEPS, Project
from tests.run.takt.test_called_workflows import CHILD, PARENT, SUBS, _files

NextEvent = Callable[[PieceMachine, PieceState], Event]


def _run(machine: PieceMachine, begin: Begin, next_event: NextEvent) -> PieceRun:
    run = PieceRun(machine)
    run.send(begin)
    for _position in drive(run, next_event):
        pass
    return run


def _again(run: PieceRun) -> tuple[PieceRun, PieceScript]:
    """The run of the script that a run was written down as, which fits it."""
    script = read_piece_script(recorded(run), "s.json", run.machine.piece)
    assert not isinstance(script, ScriptProblem), (script, recorded(run))
    again = _run(run.machine, Begin(script.task, script.start, script.state), Scripted(script).next_event)
    assert misses(again, script) == []
    assert unused_answers(again, script) == []
    assert again.state.end == run.state.end
    assert path_of(again) == path_of(run)
    return again, script


@pytest.mark.parametrize("seed", range(4))
def test_runs_by_chance_of_real_pieces(seed: int, corpus: Path) -> None:
    for file in sorted(corpus.joinpath("takt", "seed-era").rglob("builtins/en/pieces/*.yaml"))[:6]:
        tree = read_yaml_tree(Source(file.read_text(encoding="utf-8")))
        assert tree.root is not None
        for runner in (PIECES, GUIDE):
            piece = load_piece(tree.root.value, lambda _path: None, runner)
            assert isinstance(piece, Piece)
            _again(_run(PieceMachine(piece, runner), Begin("T"), Chance(seed).next_event))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("text", [PARENT, SUBS])
def test_runs_through_called_workflows(text: str, seed: int, project: Project) -> None:
    machine = project.machine(text, "0.60", _files(CHILD))
    _again(_run(machine, Begin("T"), Chance(seed).next_event))


def test_what_else_was_said_is_written_down(project: Project) -> None:
    text = f"""max_steps: 2
{STEPS}  - name: a
    persona: x
    rules: [{{condition: again, next: a, requires_user_input: true}}, {{condition: done, next: b}}]
  - name: b
    persona: x
    rules: [{{condition: done, next: COMPLETE}}]
"""
    machine = project.machine(text, "0.60")
    picked = Scripted(PieceScript({"a": (MovementPick(0), MovementPick(1, "fine"))})).next_event

    def answer(machine: PieceMachine, state: PieceState) -> Event:
        if state.waits == "input":
            return UserInput("go on")
        return Extended(5) if state.waits == "limit" else picked(machine, state)

    run, script = _again(_run(machine, Begin("Mend it", facts={"context": {"x": 1}}), answer))
    assert run.state.end is not None
    assert run.state.end.success
    assert (script.task, script.inputs, script.limits, script.state) == (
        "Mend it",
        ("go on",),
        (5,),
        {"context": {"x": 1}},
    )
    assert [pick.rule for pick in script.answers["a"]] == [0, 1]
    assert script.answers["a"][1].text == "fine"


def test_a_run_that_goes_on_expects_its_path_so_far(project: Project) -> None:
    run = PieceRun(project.machine(PARENT, "0.60", _files(CHILD)))
    run.send(Begin("T"))
    run.pick("plan", 0)
    script = read_piece_script(recorded(run), "s.json", run.machine.piece)
    assert not isinstance(script, ScriptProblem)
    assert script.expected is not None
    assert (script.expected.path, script.expected.end) == (("plan", "delegate"), None)
    assert isinstance(run.moments[1].event, Replied)


def test_a_long_run_is_gone_through_as_often_as_a_short_one(project: Project) -> None:
    machine = project.machine(
        f"{STEPS}  - name: a\n    persona: x\n    rules: [{{condition: again, next: a}}]\n", "0.60"
    )
    calls: list[PieceRun] = []

    class Counting(PieceRun):
        @property
        def moments(self) -> tuple[Moment, ...]:
            calls.append(self)
            return super().moments

    counts = []
    for limit in (3, 30):
        long = PieceMachine(machine.piece._replace(limit=limit), machine.runner)
        run = Counting(long)
        run.extend(_run(long, Begin("T"), Chance(0).next_event).moments)
        calls.clear()
        recorded(run)
        counts.append(len(calls))
    assert counts[0] == counts[1]
