"""Runs in climpt's own eras, where these read less than one would think, or stop at something else."""

from collections.abc import Iterator
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.run.machine.gate import Interpretation, interpret
from stepflow_gui.run.machine.handlers import NOTHING_REPORTED, kept_verdict
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.run_config import AgentSettings
from stepflow_gui.run.machine.state import START, Answered, AtBoundary, Event, Start, State, Validated
from stepflow_gui.run.machine.step_inputs import InputError, variables_of_inputs
from stepflow_gui.run.machine.verdict import Verdict
from tests.run.flows import SIMPLE, Json, flow, registry, step, validated

MARCH, APRIL_1, APRIL_8, APRIL_20 = (ERAS[f"climpt-2026-{day}"] for day in ("03-14", "04-01", "04-08", "04-20"))
JANUARY = ERAS["climpt-2026-01-18"]


def said(word: str, **more: Any) -> Answered:
    """An answer with a word where the gates look for it."""
    return Answered({"next_action": {"action": word}, **more}, ("text",))


def states(content: Json, era: Any, *events: Event, verdict: Verdict | None = None) -> Iterator[State]:
    """What a run comes through by these events, its start first."""
    machine = Machine(flow(content), verdict or Verdict("detect:graph"), era)
    state = START
    for event in (Start(), *events):
        state, _effects = machine.step(state, event)
        yield state


def last(content: Json, era: Any, *events: Event, verdict: Verdict | None = None) -> State:
    """The last of these."""
    return list(states(content, era, *events, verdict=verdict))[-1]


@pytest.mark.parametrize("era", [MARCH, APRIL_1, APRIL_20, JANUARY, ERAS["guide"]])
def test_a_step_without_a_gate_reads_nothing_of_the_answer(era: Any) -> None:
    bare = flow({"steps": {"a": {"stepId": "a", "stepKind": "work", "c2": "initial"}}}).steps["a"]
    found = interpret(bare, {"next_action": {"action": "repeat"}, "message": "because"}, era)
    assert found == Interpretation("next", cause="no_gate")


@pytest.mark.parametrize(
    ("declared", "march", "later"),
    [
        ({"from": "plain", "default": "D"}, {"uv-v": "D"}, "bad_from"),
        ({"from": "plain"}, {}, "bad_from"),
        ({"from": ".q", "default": 0}, {"uv-v": "0"}, "bad_from"),
        ({"from": "plain", "required": True}, "required_input_missing", "bad_from"),
        ({"from": 7}, "bad_from", "bad_from"),
        ({"from": "", "default": None}, {"uv-v": "null"}, {"v": "null"}),
        ({"from": "a.b.k", "default": "D"}, {"uv-v": "D"}, {"a_b_k": "seen"}),
        ({"from": "a.b.none", "required": 1}, "required_input_missing", "required_input_missing"),
        ({"from": "a.b.none", "required": ""}, {}, {}),
        ({"required": True, "default": False}, {"uv-v": "false"}, {"v": "false"}),
    ],
)
def test_inputs(declared: Json, march: Any, later: Any) -> None:
    for era, expected in ((MARCH, march), (APRIL_1, later), (APRIL_20, later)):
        found = variables_of_inputs({"v": declared}, {"a.b": {"k": "seen"}}, era)
        assert (found.kind if isinstance(found, InputError) else found) == expected


@pytest.mark.parametrize("kind", ["detect:graph", "poll:state", "count:iteration"])
def test_only_the_boundary_of_a_closure_gives_the_verdict(kind: str) -> None:
    answers = (said("next", verdict="early"), said("handoff", verdict="late"))
    start = Start(args={"issue": 1})
    machine = Machine(flow(SIMPLE), Verdict(kind, {"maxIterations": 9}), APRIL_20)
    for closing, expected in ((said("closing"), None), (said("closing", verdict="fine"), "fine")):
        state = START
        for event in (start, *answers, closing):
            state, _effects = machine.step(state, event)
        assert state.outcome is not None
        assert state.outcome.verdict == expected


def test_a_count_reports_the_verdict_of_the_summary_it_was_handed_last() -> None:
    plain = registry(step("initial.a", "work", next="initial.a"))
    del plain["steps"]["initial.a"]["structuredGate"]
    answers = [Answered({"verdict": "one"}, ("text",)), Answered({}, ("text",))]
    for count, expected in ((1, "one"), (2, None)):
        verdict = Verdict("count:iteration", {"maxIterations": count})
        state = last(plain, APRIL_20, *answers[:count], verdict=verdict)
        assert state.outcome is not None
        assert (state.outcome.kind, state.outcome.verdict) == ("verdict", expected)
    told = NOTHING_REPORTED.summary({"verdict": "x"}, ()).handed()
    assert kept_verdict(Verdict("detect:graph"), told, APRIL_20) is None
    assert kept_verdict(Verdict("count:iteration"), told, APRIL_8) is None


def test_checks_are_counted_only_where_the_handler_is_asked() -> None:
    verdict = Verdict("count:check", {"maxChecks": 2, "maxIterations": 9})
    words = ("next", "handoff", "done", "done")
    seen = list(states(SIMPLE, APRIL_20, *map(said, words), verdict=verdict))
    assert [state.outcome is None for state in seen] == [True, True, True, True, False]
    assert seen[-1].outcome is not None
    assert seen[-1].outcome.kind == "verdict"


@pytest.mark.parametrize("first", [said("next"), Answered(None)])
def test_an_issue_that_is_closed_already_ends_the_run_after_its_first_answer_in_march(first: Answered) -> None:
    machine = Machine(flow(SIMPLE), Verdict("poll:state", {"maxIterations": 9}), MARCH)
    state, _effects = machine.step(START, Start(args={"issue": 1}))
    state, _effects = machine.step(state, first._replace(verdict_reached=True))
    assert state.outcome is not None
    assert (state.outcome.kind, state.outcome.success) == ("verdict", True)


def test_later_it_is_looked_at_in_the_closure_alone() -> None:
    machine = Machine(flow(SIMPLE), Verdict("poll:state", {"maxIterations": 9}), APRIL_20)
    state, _effects = machine.step(START, Start(args={"issue": 1}))
    for word in ("next", "handoff", "repeat"):
        state, _effects = machine.step(state, said(word)._replace(verdict_reached=True))
        assert state.outcome is None
    state, _effects = machine.step(state, said("done")._replace(verdict_reached=True))
    assert state.outcome is not None
    assert state.outcome.kind == "verdict"


def test_a_jump_to_no_step_is_a_plain_target_in_january() -> None:
    content = registry(step("initial.a", gate={"targetField": "to"}, jump="initial.a", complete=None))
    answer = Answered({"next_action": {"action": "jump"}, "to": "ghost"})
    for era, expected in (
        (JANUARY, ("target_not_found", "AGENT_QUERY_ERROR")),
        (MARCH, ("jump_target_not_found", "ROUTING_ERROR")),
        (APRIL_20, ("jump_target_not_found", "SR-TRANS-010")),
    ):
        error = last(content, era, answer).error
        assert error is not None
        assert (error.kind, error.code) == expected


def test_only_the_guide_warns_of_a_repeat_to_no_step() -> None:
    content = registry(step("closure.a", "closure", repeat="ghost", closing=None))
    warned = {}
    for era in (ERAS["guide"], MARCH, APRIL_20):
        state = last(content, era, said("repeat"))
        assert state.step == "closure.a"
        assert state.last is not None
        warned[era.name] = state.last.transition is not None and state.last.transition.warning
    assert warned == {"guide": "repeat_target_unknown", MARCH.name: None, APRIL_20.name: None}


def test_after_an_abort_the_last_step_is_the_one_moved_to() -> None:
    content = validated("closure.graph", action="abort")
    gate = content["steps"]["continuation.issue"]["structuredGate"]
    gate["intentField"] = "intent"
    answer = Answered({"intent": "handoff", "next_action": {"action": "closing"}}, ("text",))
    state = last(content, APRIL_8, answer, Validated(passed=False, error="dirty"))
    assert state.outcome is not None
    assert (state.outcome.kind, state.outcome.step, state.step) == (
        "validation",
        "continuation.issue",
        "closure.issue",
    )


@pytest.mark.parametrize("era", [MARCH, APRIL_1, APRIL_8, APRIL_20])
@pytest.mark.parametrize("absent", [True, False])
def test_a_failed_validator_without_extract_params_stops_the_run(era: Any, absent: bool) -> None:
    content = validated("closure.graph")
    validator = content["validators"]["git-clean"]
    if absent:
        del validator["extractParams"]
    else:
        validator["extractParams"] = None
    ways: tuple[Event, ...] = (said("handoff"), said("closing"))
    if era.preflight:
        ways = (said("handoff"),)
    state = last(content, era, *ways, Validated(passed=False, error=" M a.ts"))
    assert state.error is not None
    assert state.error.code == "AGENT_QUERY_ERROR"
    assert "Cannot convert undefined or null to object" in state.error.message
    assert last(content, era, *ways, Validated(passed=True)).error is None


def test_the_guide_goes_on_without_extract_params() -> None:
    content = validated()
    del content["validators"]["git-clean"]["extractParams"]
    state = last(content, None, said("handoff"), said("closing"), Validated(passed=False, error=" M a.ts"))
    assert state.error is None
    assert state.retry is not None


def test_labels_of_the_issue_are_set_by_one_call() -> None:
    settings = AgentSettings("label-and-close", ("done", "seen"), ("wip",))
    machine = Machine(flow(SIMPLE), Verdict("poll:state", {"maxIterations": 9}), APRIL_20, settings)
    state, effects = machine.step(START, Start(args={"issue": 7}))
    for word in ("next", "handoff", "closing"):
        state, effects = machine.step(state, said(word))
    assert isinstance(effects[0], AtBoundary)
    assert effects[0].calls == ("issue edit 7 --add-label done,seen --remove-label wip", "issue close 7")
