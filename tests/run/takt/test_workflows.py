"""Workflows: one label by the judge, the state, failing sub-steps."""

from stepflow_gui.formats.takt.runners import WORKFLOWS
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Begin, JudgeReply, Replied
from stepflow_gui.run.takt.session import PieceRun
from tests.run.takt.pieces import piece_of

STATES = """
name: states
steps:
  - name: count
    rules:
      - {condition: when(structured.count.left == 0), next: COMPLETE}
      - {condition: again && when(context.run.quick), next: count}
      - {condition: again, next: slow}
      - {condition: never, next: ABORT}
  - name: slow
    rules: [{condition: done, next: count}]
"""

FAILING = """
name: failing
steps:
  - name: both
    parallel:
      - {name: one, rules: [{condition: ok}]}
      - {name: two, rules: [{condition: ok}]}
    rules:
      - {condition: all(ok), next: COMPLETE}
      - {condition: any(error), next: both}
"""


def _run(text: str, **facts: bool) -> PieceRun:
    run = PieceRun(PieceMachine(piece_of(text, notation="workflow"), WORKFLOWS))
    run.send(Begin("task", facts={"context": {"run": facts}}))
    return run


def test_the_judge_is_asked_for_one_of_the_labels() -> None:
    run = _run(STATES, quick=False)
    run.send(Replied("count", "counted", structured={"left": 2}))
    [call] = run.calls
    assert (call.kind, call.texts) == ("judge", ((0, "again"), (1, "never")))
    run.send(JudgeReply("count", 0))
    assert run.state.movement == "slow"


def test_the_first_rule_that_holds_is_taken() -> None:
    run = _run(STATES, quick=True)
    run.send(Replied("count", "counted", structured={"left": 2}))
    run.send(JudgeReply("count", 0))
    assert run.state.counts["count"] == 2
    run.send(Replied("count", "counted", structured={"left": 0}))
    run.send(JudgeReply("count", 1))
    assert run.state.end is not None
    assert run.state.end.success


def test_a_label_is_picked() -> None:
    run = _run(STATES, quick=False)
    run.send(Replied("count", "counted", structured={"left": 2}))
    run.pick("count", 3)
    assert run.state.end is not None
    assert run.state.end.kind == "abort_transition"


def test_one_label_is_not_asked_for() -> None:
    run = _run(STATES, quick=False)
    run.send(Replied("count", "counted", structured={"left": 2}))
    run.send(JudgeReply("count", 0))
    run.send(Replied("slow", "slowly"))
    assert run.state.movement == "count"


def test_a_state_that_is_not_there_ends_it() -> None:
    run = _run(STATES)
    run.send(Replied("count", "nothing counted"))
    run.send(JudgeReply("count", 0))
    assert run.state.end is not None
    assert run.state.end.kind == "state_unreadable"


def test_a_failing_sub_step_is_a_result() -> None:
    run = _run(FAILING)
    run.send(Replied("one", "fine"))
    run.send(Replied("two", "broken", "error"))
    assert run.state.counts["both"] == 2


def test_a_failing_step_ends_it() -> None:
    run = _run(STATES)
    run.send(Replied("count", "broken", "error"))
    assert run.state.end is not None
    assert (run.state.end.kind, run.state.end.detail) == ("movement_failed", "count")
