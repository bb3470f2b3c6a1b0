"""Leading a run with pauses: breakpoints, looking back, branches, comparing."""

import gc
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.run.debugging.branches import ON, ONE, Goal
from stepflow_gui.run.debugging.breakpoints import ANY, Breakpoint, breakpoint_of
from stepflow_gui.run.debugging.comparing import compare
from stepflow_gui.run.debugging.condition import Condition, ConditionProblem, read_condition
from stepflow_gui.run.debugging.context_usage import ContextUsage, Reader, written_at
from stepflow_gui.run.debugging.debugger import Debugger
from stepflow_gui.run.debugging.places import RunValues, known_paths, value_of
from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.machine.state import Answered, Effect, Event, Query, State, Validated
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.run.session import Run
from tests.run.flows import SIMPLE, Json, flow, registry, started, step, validated

LONG = Verdict("detect:keyword", {"maxIterations": 100_000})


def said(word: str, **more: object) -> Answered:
    return Answered({"next_action": {"action": word}, **more})


class Words:
    """Answers with these words, then has no more; validators pass."""

    def __init__(self, *words: str) -> None:
        self.rest = list(words)

    def __call__(self, state: State, effect: Effect) -> Event | NoAnswer:
        del state
        if not isinstance(effect, Query):
            return Validated(passed=True)
        return said(self.rest.pop(0)) if self.rest else NoAnswer("ended", "Nothing is left.")


def debugger(content: Json = SIMPLE, verdict: Verdict = LONG) -> Debugger:
    made = Debugger()
    run = Run(flow(content), verdict)
    run.start()
    made.open(run)
    return made


def position(made: Debugger) -> int:
    assert made.run is not None
    return made.run.position


def test_one_step_at_a_time_then_on_to_the_end() -> None:
    made = debugger()
    words = Words("next", "next", "handoff", "closing")
    assert made.drive(ONE, words).why == "step"
    assert position(made) == 2
    paused = made.drive(ON, words)
    assert paused.why == "ended"
    assert made.drive(ON, words).why == "nothing"


def test_running_to_a_step_pauses_before_it_is_asked() -> None:
    made = debugger()
    assert made.drive(Goal("to", "closure.issue"), Words("next", "next", "handoff")).why == "here"
    assert made.run is not None
    assert made.run.state.step == "closure.issue"
    assert made.pending == Query("closure.issue", 4, None)


def test_whoever_answers_may_have_no_answer_and_the_run_stays() -> None:
    made = debugger()
    paused = made.drive(ON, Words("next"))
    assert (paused.why, paused.message) == ("no_answer", "Nothing is left.")
    assert position(made) == 2
    assert made.drive(ON, Words("handoff", "closing")).why == "ended"


@pytest.mark.parametrize(
    ("point", "at"),
    [
        (Breakpoint("closure.issue"), "closure.issue"),
        (Breakpoint(intent="handoff"), "closure.issue"),
        (Breakpoint("initial.issue", "next"), "continuation.issue"),
        (Breakpoint(condition=Condition("", ())), "continuation.issue"),
    ],
)
def test_a_breakpoint_pauses_a_run(point: Breakpoint, at: str) -> None:
    made = debugger()
    made.breakpoints.add(point)
    paused = made.drive(ON, Words("next", "next", "handoff", "closing"))
    assert (paused.why, paused.breakpoint) == ("breakpoint", point)
    assert made.run is not None
    assert made.run.state.step == at


def test_a_breakpoint_that_is_off_or_whose_condition_fails_pauses_nothing() -> None:
    made = debugger()
    third = breakpoint_of("continuation.issue", "", "", "visit >= 3")
    assert isinstance(third, Breakpoint)
    made.breakpoints.add(Breakpoint("continuation.issue", enabled=False))
    made.breakpoints.add(third)
    assert made.drive(ON, Words("next", "next", "next", "handoff", "closing")).breakpoint == third
    assert made.run is not None
    assert made.run.visits["continuation.issue"] == 3


def test_a_breakpoint_before_any_validator() -> None:
    made = debugger(validated())
    made.breakpoints.add(Breakpoint(validator=ANY))
    assert made.drive(ON, Words("handoff", "closing")).why == "breakpoint"
    assert made.run is not None
    assert made.run.validator is not None
    assert made.drive(ON, Words()).why == "breakpoint"  # the second one


def test_what_was_taken_back_is_gone_over_again_without_an_answer_and_pauses_too() -> None:
    made = debugger()
    made.drive(ON, Words("next", "next", "handoff", "closing"))
    while position(made) > 1:
        made.back()
    made.breakpoints.toggle("closure.issue")
    assert made.drive(ON, Words()).why == "breakpoint"
    assert made.drive(ON, Words()).why == "ended"


def test_another_answer_takes_the_place_of_what_was_taken_back() -> None:
    made = debugger()
    made.drive(ON, Words("next", "next", "handoff", "closing"))
    made.back()
    made.back()
    made.send(said("next"))
    assert len(made.branches) == 1
    assert made.run is not None
    assert made.run.length == 4


def test_an_answer_at_a_moment_that_was_only_looked_at_makes_a_branch() -> None:
    made = debugger()
    made.drive(ON, Words("next", "next", "handoff", "closing"))
    whole = made.run
    assert whole is not None
    made.look_at(2)
    assert made.looks
    assert whole.length == 5
    made.send(said("handoff"))
    assert [branch.number for branch in made.branches] == [1, 2]
    assert made.current is not None
    assert (made.current.of, made.current.at, made.current.run.length) == (1, 2, 3)
    assert whole.length == 5
    made.switch(1)
    assert made.run is whole


def test_a_fork_leaves_the_run_as_it_is_and_shares_its_states() -> None:
    made = debugger()
    made.drive(ON, Words("next", "next"))
    first = made.run
    branch = made.fork()
    assert first is not None
    assert branch is not None
    assert branch.run.state is first.state
    assert branch.run.visits == first.visits
    made.send(said("handoff"))
    assert (first.length, branch.run.length) == (3, 4)
    assert compare(first, branch.run).common == 3
    assert not compare(first, branch.run).same


def test_restarting_keeps_what_was_and_begins_where_it_began() -> None:
    made = debugger()
    made.drive(ON, Words("next", "next"))
    made.restart()
    assert made.run is not None
    assert (len(made.branches), made.run.length, made.run.state.step) == (2, 1, "initial.issue")
    made.restart()
    assert len(made.branches) == 2


def test_runs_beside_each_other_show_where_they_part() -> None:
    one, other = debugger(), debugger()
    one.drive(ON, Words("next", "next", "handoff", "closing"))
    other.drive(ON, Words("next", "handoff", "closing"))
    assert one.run is not None
    assert other.run is not None
    found = compare(one.run, other.run)
    assert (found.common, found.first, found.second) == (2, 5, 4)
    assert compare(one.run, one.run).same


def test_watching_reads_context_inputs_and_single_values() -> None:
    content = registry(
        step("initial.issue", gate={"handoffFields": ["issue.number", "title"]}, next="continuation.issue"),
        step("continuation.issue", next="continuation.issue") | {"inputs": {"n": {"from": "initial.issue.number"}}},
    )
    run = started(content, LONG)
    run.answer({"next_action": {"action": "next"}, "issue": {"number": 7}, "title": "a.b"})
    scope = RunValues(run.machine.config, run.state, run.visits)
    assert value_of("context.initial.issue.number", scope) == 7
    assert value_of("initial.issue.title", scope) == "a.b"
    assert value_of("handoff.number", scope) == 7
    assert value_of("inputs.initial_issue_number", scope) == "7"
    assert value_of("answer.issue.number", scope) == 7
    assert value_of("step", scope) == "continuation.issue"
    assert value_of("visit", scope) == 1
    assert value_of("context.nowhere.x", scope) is ABSENT
    assert "context.initial.issue.number" in known_paths(scope)
    for text, holds in (
        ("handoff.number == 7 and visit < 2", True),
        ("handoff.number >= 8", False),
        ("handoff.issue is missing", True),
        ("context.initial.issue.title is present", True),
        ("title contains b", False),
        ("handoff.title contains b", True),
        ('handoff.title == "a.b"', True),
        ("step != initial.issue", True),
        ("handoff.title > 3", False),
        ("visit == 9 or handoff.number == 7", True),
        ("handoff.number == 7 or visit == 9 and title is missing", True),
        ("visit == 9 and handoff.number == 7 or visit == 8", False),
        ("visit == 9 OR visit == 8 or step is present", True),
    ):
        read = read_condition(text)
        assert isinstance(read, Condition)
        assert read.holds(scope) is holds, text


@pytest.mark.parametrize(
    "text", ["visit", "visit >= ", "visit >= 3 xor step = a", "or step = a", ">= 3", "a is", "a == 1 b == 2"]
)
def test_a_condition_that_can_t_be_read_shows_from_where_on(text: str) -> None:
    found = read_condition(text)
    assert isinstance(found, ConditionProblem)
    assert 0 <= found.at <= len(text)
    assert breakpoint_of("", "", "", text) == found


@given(st.text(max_size=60))
def test_reading_any_condition_never_raises(text: str) -> None:
    read = read_condition(text)
    if isinstance(read, Condition):
        run = started(SIMPLE)
        assert read.holds(RunValues(run.machine.config, run.state, run.visits)) in {True, False}


def test_who_wrote_and_who_reads_each_key() -> None:
    content = registry(
        step("initial.issue", gate={"handoffFields": ["issue.number", "title"]}, next="continuation.issue"),
        step("continuation.issue", next="continuation.issue", handoff="closure.issue")
        | {"inputs": {"n": {"from": "initial.issue.number"}, "gone": {"from": "initial.issue.absent"}}},
        step("closure.issue", closing=None) | {"inputs": {"t": {"from": "initial.issue.title"}}},
    )
    run = started(content, LONG)
    run.answer({"next_action": {"action": "next"}, "issue": {"number": 7}, "title": "x"})
    run.answer({"next_action": {"action": "next"}})
    use = ContextUsage(run.machine.flow, run.machine.era, lambda step: {"initial_issue_number"} if step.c2 else set())
    rows = {(row.step, row.key): row for row in use.rows(run)}
    number = rows["initial.issue", "number"]
    assert (number.value, number.written, number.changed) == (7, 2, False)
    assert number.readers == (Reader("continuation.issue", "prompt", "initial_issue_number"),)
    assert rows["initial.issue", "title"].readers == (Reader("closure.issue", "inputs", "initial_issue_title"),)
    assert not rows["initial.issue", "absent"].here
    assert rows["continuation.issue", "next_action"].changed
    assert use.declared("initial.issue") == ("number", "title")


Acts = st.lists(st.sampled_from(["next", "handoff", "closing", "back", "forward", "look", "fork", "restart"]))


@given(Acts, st.integers(0, 8))
def test_counts_belong_to_where_the_run_stands_whatever_was_done(acts: list[str], look: int) -> None:
    made = debugger()
    for act in acts:
        match act:
            case "back":
                made.back()
            case "forward":
                made.forward()
            case "look":
                made.look_at(look)
            case "fork":
                made.fork()
            case "restart":
                made.restart()
            case word:
                made.send(said(word))
    for branch in made.branches:
        run = branch.run
        again = Run(flow(SIMPLE), LONG)
        again.take([(state.last.event, state) for state in run.states[1:] if state.last is not None])
        assert again.visits == run.visits
        assert again.taken == run.taken
        assert again.state == run.state


def test_ten_thousand_steps_are_led_looked_at_and_compared_at_once() -> None:
    def led(count: int) -> tuple[Debugger, float]:
        made = debugger()
        made.breakpoints.add(Breakpoint("closure.issue"))
        collects = gc.isenabled()
        gc.collect()
        gc.disable()  # else everything that other tests left is gone through again and again
        begun = time.process_time()
        made.drive(ON, Words(*["next"] * count))
        taken = time.process_time() - begun
        if collects:
            gc.enable()
        return made, taken

    few = min(led(1_000)[1] for _each in range(2))
    made, many = led(10_000)
    run = made.run
    assert run is not None
    assert run.length == 10_001
    begun = time.process_time()
    for at in (5_000, 1, 9_000, 10_001, 2):
        made.look_at(at)
        assert written_at(run, "continuation.issue") in {None, at}
    made.fork()
    assert made.run is not None
    compare(run, made.run)
    assert time.process_time() - begun < many  # none of them takes the whole path again
    assert many < 40 * few
