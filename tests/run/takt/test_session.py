"""A piece led by hand: picks, input, steps back; and whatever else happens."""

from hypothesis import given, settings
from hypothesis import strategies as st

from stepflow_gui.formats.takt.runners import GUIDE, PIECES
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import (
    Begin,
    CycleFound,
    Event,
    Extended,
    JudgeReply,
    Replied,
    Status,
    UserInput,
)
from stepflow_gui.run.takt.session import PieceRun, TakenRule
from tests.run.takt.pieces import PARALLEL, TWO, piece_of
from tests.sampling import examples

_NAMES = ["work", "check", "reviewers", "style", "safety", "fix", "ghost", "_loop_judge_reviewers_fix"]
_TEXTS = st.sampled_from(["", "x", "[WORK:1]", "[CHECK:2]", "[CHECK:9]", "[STYLE:2]", "[SAFETY:1]", "cannot determine"])
_STATUS: st.SearchStrategy[Status] = st.sampled_from(["done", "blocked", "error"])
_EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.tuples(st.sampled_from(_NAMES), _TEXTS, _STATUS).map(lambda said: Replied(*said)),
    st.tuples(st.sampled_from(_NAMES), st.none() | st.integers(-1, 4)).map(lambda said: JudgeReply(*said)),
    st.tuples(st.none() | _TEXTS, st.booleans()).map(lambda said: UserInput(*said)),
    st.integers(-1, 3).map(Extended),
    st.sampled_from(_NAMES).map(lambda name: Begin("t", name)),
)


def _run(text: str) -> PieceRun:
    run = PieceRun(PieceMachine(piece_of(text), PIECES))
    run.begin("the task")
    return run


def test_rules_are_picked_to_the_end() -> None:
    run = _run(TWO)
    run.pick("work", 0, "written")
    run.pick("check", 0)
    assert run.state.end is not None
    assert run.state.end.success
    assert run.state.reports == {"notes.md": "written"}
    assert run.taken == {TakenRule("work", 0): 1, TakenRule("check", 0): 1}


def test_a_rule_that_the_judge_holds_is_picked_by_its_tag() -> None:
    run = _run(TWO)
    run.pick("work", 0)
    run.pick("check", 2)
    assert run.state.movement == "work"


def test_the_person_is_asked_and_the_same_movement_runs_again() -> None:
    run = _run(TWO)
    run.pick("work", 0)
    run.pick("check", 1)
    assert run.state.waits == "input"
    run.input("like this")
    assert (run.state.movement, run.state.inputs, run.state.counts["check"]) == ("check", ("like this",), 2)


def test_nothing_answered_ends_the_run() -> None:
    run = _run(TWO)
    run.pick("work", 0)
    run.pick("check", 1)
    run.input(None)
    assert run.state.end is not None
    assert run.state.end.kind == "input_cancelled"


def test_sub_steps_wait_together_and_are_picked_in_any_order() -> None:
    run = _run(PARALLEL)
    assert [call.task for call in run.calls] == ["style", "safety"]
    run.pick("safety", 1)
    assert [call.task for call in run.calls] == ["style"]
    run.pick("style", 0)
    assert run.state.movement == "fix"
    assert run.taken == {TakenRule("reviewers", 1): 1}


def test_a_monitor_puts_its_judge_between() -> None:
    run = _run(PARALLEL)
    for _round in range(2):
        run.pick("style", 1)
        run.pick("safety", 1)
        run.pick("fix", 0)
    assert any(isinstance(each, CycleFound) for each in run.moments[-1].happened)
    [judge] = {call.task for call in run.calls}
    run.pick(judge, 1)
    assert run.state.end is not None
    assert run.state.end.kind == "abort_transition"


def test_back_and_on_again() -> None:
    run = _run(TWO)
    run.pick("work", 0)
    there = run.state
    assert run.back()
    assert run.state.movement == "work"
    run.go_to(run.length)
    assert run.state == there
    run.go_to(1)
    run.pick("work", 1)
    assert run.state.end is not None
    assert run.length == run.position


def test_iterations_are_used_up_and_granted() -> None:
    run = _run(TWO)
    for _round in range(3):
        run.pick("work", 0)
        run.pick("check", 2)
    assert (run.state.waits, run.calls) == ("limit", ())
    run.send(Extended(2))
    assert [call.task for call in run.calls] == ["work"]
    assert run.state.limit == 8


def test_a_judge_that_gives_no_tag_ends_it_in_the_older_runner_alone() -> None:
    for runner, ends in ((PIECES, True), (GUIDE, False)):
        run = PieceRun(PieceMachine(piece_of(TWO), runner))
        run.begin()
        for _reply in range(5):
            if run.calls and run.calls[0].kind != "judge":
                run.send(Replied("work", "no tag here"))
        end = run.state.end
        assert (end is not None and end.kind == "judgment_failed") is ends
        assert [call.kind for call in run.calls] == ([] if ends else ["judge"])


def test_listeners_hear_of_every_change_until_they_leave() -> None:
    run, heard = _run(TWO), []
    leave = run.on_change(lambda: heard.append(run.position))
    run.send(Replied("work", "text"))
    run.back()
    leave()
    run.send(Replied("work", "text"))
    assert heard == [2, 1]


@settings(max_examples=examples(60))
@given(
    text=st.sampled_from([TWO, PARALLEL]),
    events=st.lists(_EVENTS, max_size=30),
    runner=st.sampled_from([PIECES, GUIDE]),
)
def test_any_events_in_any_order_can_be_taken_back(text: str, events: list[Event], runner: object) -> None:
    run = PieceRun(PieceMachine(piece_of(text), runner if runner is GUIDE else PIECES))
    states = []
    for event in [Begin("t"), *events]:
        run.send(event)
        states.append(run.state)
    seen = [run.moment_at(at).state for at in range(1, run.length + 1)]
    while run.back():
        pass
    again = PieceRun(run.machine)
    for at in range(1, run.length + 1):
        happened = run.moment_at(at).event
        assert happened is not None
        again.send(happened)
    assert [again.moment_at(at).state for at in range(1, again.length + 1)] == seen
