"""Runs of a piece are paused at movements, sub-steps and results, whoever answers; scripts go on where a run stands."""

import pytest

from stepflow_gui.run.debugging.branches import ON, ONE, Goal, Paused
from stepflow_gui.run.debugging.breakpoints import Breakpoint, Breakpoints, breakpoint_of
from stepflow_gui.run.debugging.condition import ConditionProblem
from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.takt.debugging import PieceRuns, missing_in_piece, names_in
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Event, UserInput
from stepflow_gui.run.takt.picking import MovementPick
from stepflow_gui.run.takt.scripts.script import PieceScript
from stepflow_gui.run.takt.scripts.scripted import Scripted, drive
from stepflow_gui.run.takt.scripts.trace import PieceTrace, Replayed, read_trace, trace_text
from stepflow_gui.run.takt.session import PieceRun
from tests.run.takt.pieces import PARALLEL, TWO, piece_of

FIXED_ONCE = PieceScript({"style": (MovementPick(1), MovementPick(0)), "safety": (MovementPick(0),)})


def gone_through(text: str, script: PieceScript) -> PieceRuns:
    """A run by a script, at its beginning, with all that happened kept."""
    run = PieceRun(PieceMachine(piece_of(text)))
    run.begin()
    for _position in drive(run, Scripted(script).next_event):
        pass
    run.go_to(1)
    runs = PieceRuns()
    runs.open(run)
    return runs


def point(step: str = "", result: str = "", condition: str = "") -> Breakpoint:
    made = breakpoint_of(step, result, "", condition)
    assert not isinstance(made, ConditionProblem)
    return made


def pauses(runs: PieceRuns, *points: Breakpoint) -> list[tuple[str | None, tuple[str, ...]]]:
    """Where a run that goes on pauses, each time: the movement, and the sub-steps that are still at work."""
    runs.breakpoints = Breakpoints(points)
    found: list[tuple[str | None, tuple[str, ...]]] = []
    while True:
        paused = runs.replay(ON)
        assert runs.run is not None
        if paused is None or paused.why != "breakpoint":
            return found
        state = runs.run.state
        found.append((state.movement, tuple(task.name for task in state.tasks if task.phase != "done")))


def test_a_movement_is_paused_at_each_time_it_begins() -> None:
    runs = gone_through(PARALLEL, FIXED_ONCE)
    assert pauses(runs, point("reviewers")) == [("reviewers", ("style", "safety"))]
    runs = gone_through(PARALLEL, FIXED_ONCE)
    assert pauses(runs, point("fix")) == [("fix", ("fix",))]


def test_a_sub_step_is_paused_at_before_it_works_and_after_its_result() -> None:
    runs = gone_through(PARALLEL, FIXED_ONCE)
    assert pauses(runs, point("safety")) == [("reviewers", ("safety",))] * 2
    runs = gone_through(PARALLEL, FIXED_ONCE)
    assert pauses(runs, point("style", "needs_fix")) == [("reviewers", ("safety",))]
    runs = gone_through(PARALLEL, FIXED_ONCE)
    assert pauses(runs, point("", 'any("needs_fix")')) == [("fix", ("fix",))]


@pytest.mark.parametrize(
    ("condition", "times"),
    [
        ("visit >= 2", 1),
        ("iteration = 3", 1),
        ("reports.notes.md is present", 0),
        ("step = safety", 2),
        ("previous is present", 1),
    ],
)
def test_conditions_ask_for_what_a_piece_has(condition: str, times: int) -> None:
    assert len(pauses(gone_through(PARALLEL, FIXED_ONCE), point("safety", "", condition))) == times


def test_a_step_is_a_whole_choice_forth_and_back() -> None:
    runs = gone_through(PARALLEL, FIXED_ONCE)
    run = runs.run
    assert run is not None
    stands = []
    while runs.replay(ONE) == Paused("step"):
        stands.append(run.position)
        before = run.position
        runs.back()
        back = run.position
        assert runs.replay(ONE) is not None
        assert run.position == before
        assert back in {1, *stands}
    assert len(stands) == 4
    assert run.position == run.length


def test_a_run_goes_on_to_a_movement() -> None:
    runs = gone_through(PARALLEL, FIXED_ONCE)
    assert runs.replay(Goal("to", "fix")) == Paused("here")


def test_what_a_breakpoint_names_is_there_or_reported() -> None:
    piece = piece_of(PARALLEL)
    assert names_in(piece) == ["reviewers", "style", "safety", "fix", "_loop_judge_reviewers_fix"]
    assert missing_in_piece(piece, point("safety", "approved", "visit > 1")) is None
    assert "ghost" in (missing_in_piece(piece, point("ghost")) or "")
    assert "perfect" in (missing_in_piece(piece, point("", "perfect")) or "")
    assert "handoff.x" in (missing_in_piece(piece, point("fix", "", "handoff.x is missing")) or "")


def test_a_script_goes_on_after_the_answers_that_were_given() -> None:
    script = PieceScript({"check": (MovementPick(1), MovementPick(1), MovementPick(0))}, inputs=("first", "second"))
    run = PieceRun(PieceMachine(piece_of(TWO)))
    run.begin()
    for _position in drive(run, Scripted(script).next_event):
        if run.state.inputs == ("first",):
            break
    events = [moment.event for moment in run.moments]
    for _position in drive(run, Scripted(script, events).next_event):
        pass
    assert run.state.inputs == ("first", "second")


def test_a_trace_answers_until_the_run_leaves_it() -> None:
    runs = gone_through(PARALLEL, FIXED_ONCE)
    run = runs.run
    assert run is not None
    run.go_to(run.length)
    trace = read_trace(trace_text(run))
    assert isinstance(trace, PieceTrace)
    again = PieceRun(run.machine)
    again.begin()
    found: list[Event | NoAnswer] = []
    recorded = Replayed(trace)
    while again.state.waits != "nothing":
        event = recorded.next_event(again.machine, again.state)
        found.append(event)
        assert not isinstance(event, NoAnswer)
        again.send(event)
    assert again.state == run.state
    over = recorded.next_event(again.machine, again.state)
    assert isinstance(over, NoAnswer)
    assert over.kind == "ended"
    other = Replayed(trace._replace(events=(trace.events[0], UserInput("nobody asked")))).next_event(
        run.machine, run.moment_at(1).state
    )
    assert isinstance(other, NoAnswer)
    assert other.kind == "misfit"


def test_counts_of_what_was_taken_follow_back_and_forth_and_forks() -> None:
    runs = gone_through(PARALLEL, FIXED_ONCE)
    run = runs.run
    assert run is not None
    assert run.taken == {}
    run.go_to(run.length)
    whole = dict(run.taken)
    assert sum(whole.values()) == 3
    fork = run.fork()
    run.go_to(1)
    assert run.taken == {}
    assert fork.taken == whole
    assert fork.length == fork.position
