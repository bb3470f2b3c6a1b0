"""Runs of the guide's first two patterns, step by step, and what stops a run."""

import pytest

from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.state import START, Answered, Ended, Ignored, Query, Start, Stopped, Validated
from stepflow_gui.run.machine.verdict import Verdict
from tests.run.flows import FIELD, PROJECT, SIMPLE, Json, flow, path, registry, say, started, step


def test_the_issue_flow_runs_to_its_end() -> None:
    run = started(SIMPLE)
    say(run, "repeat", "next", "next", "handoff", "closing")
    assert path(run) == ["initial.issue", "initial.issue", "continuation.issue", "continuation.issue", "closure.issue"]
    outcome = run.state.outcome
    assert outcome is not None
    assert (outcome.success, outcome.kind, outcome.step, outcome.iterations) == (True, "closing", "closure.issue", 5)
    assert run.state.waits == "nothing"


def test_repeat_of_a_review_goes_to_its_target() -> None:
    run = started(PROJECT)
    say(run, "handoff", "repeat", "next", "handoff", "handoff", "closing")
    assert path(run) == [
        "initial.project.preparation",
        "initial.project.review",
        "initial.project.again",
        "continuation.project.again",
        "initial.project.review",
        "initial.project.closure",
    ]
    assert run.state.outcome is not None
    assert run.state.outcome.success


def test_repeat_that_names_no_step_stays_and_reports_it() -> None:
    run = started(registry(step("initial.a", "work", repeat="ghost")))
    say(run, "repeat")
    assert run.state.step == "initial.a"
    assert run.state.last is not None
    assert run.state.last.transition is not None
    assert run.state.last.transition.warning == "repeat_target_unknown"


@pytest.mark.parametrize(
    ("intent", "kind"), [("next", "work"), ("repeat", "work"), ("escalate", "verification"), ("handoff", "work")]
)
def test_a_null_target_ends_the_run_for_every_intent(intent: str, kind: str) -> None:
    run = started(registry(step("first.a", kind, **{intent: None})))
    say(run, intent)
    assert run.state.outcome is not None
    assert (run.state.outcome.success, run.state.outcome.kind) == (True, "null")


@pytest.mark.parametrize("listed", [True, False])
def test_abort_fails_the_run_whether_listed_or_not(listed: bool) -> None:
    rules: Json = {"abort": {"target": "initial.a"}} if listed else {}
    run = started(registry(step("initial.a", "work", next="initial.a", **rules)))
    say(run, "abort")
    assert run.state.outcome is not None
    assert (run.state.outcome.success, run.state.outcome.kind) == (False, "abort")


def test_without_a_rule_initial_goes_to_its_continuation() -> None:
    run = started(
        registry(step("initial.a", "work", gate={"allowedIntents": ["next"]}), step("continuation.a", "work"))
    )
    say(run, "next")
    assert run.state.step == "continuation.a"


CONDITIONAL = registry(
    step(
        "initial.a",
        "work",
        gate={"handoffFields": ["report.status"]},
        next={
            "condition": "status",
            "targets": {"ready": "continuation.a", "done": None, "bad": "ghost", "default": "continuation.b"},
        },
        handoff={"condition": "status", "targets": {"ready": "closure.a"}},
    ),
    step("continuation.a", "work", next="continuation.a"),
    step("continuation.b", "work", next="continuation.b"),
    step("closure.a", "closure", closing=None),
)


@pytest.mark.parametrize(
    ("status", "lands"),
    [("ready", "continuation.a"), ("other", "continuation.b"), (None, "continuation.b"), (["ready"], "continuation.a")],
)
def test_a_condition_picks_the_case_of_its_value(status: object, lands: str) -> None:
    run = started(CONDITIONAL)
    say(run, "next", report={"status": status})
    assert run.state.step == lands


def test_a_case_without_target_ends_the_run() -> None:
    run = started(CONDITIONAL)
    say(run, "next", report={"status": "done"})
    assert run.state.outcome is not None
    assert run.state.outcome.kind == "null"


def test_a_condition_without_a_fitting_case_or_default_ends_the_run() -> None:
    run = started(CONDITIONAL)
    say(run, "handoff", report={"status": "odd"})
    assert run.state.outcome is not None
    assert run.state.outcome.kind == "null"


def test_a_dangling_case_stops_the_run_at_its_place() -> None:
    run = started(CONDITIONAL)
    say(run, "next", report={"status": "bad"})
    error = run.state.error
    assert error is not None
    assert (error.kind, error.code) == ("target_not_found", "SR-TRANS-001")
    assert error.pointer == "/steps/initial.a/transitions/next/targets/bad"


def test_a_handoff_may_be_conditional() -> None:
    run = started(CONDITIONAL)
    say(run, "handoff", report={"status": "ready"})
    assert run.state.step == "closure.a"


def test_a_jump_goes_to_the_step_that_the_answer_names() -> None:
    jumps = registry(
        step("initial.a", "work", gate={"targetField": "next_action.to"}, jump="initial.b"), step("initial.b", "work")
    )
    run = started(jumps)
    run.answer({"next_action": {"action": "jump", "to": "initial.b"}})
    assert run.state.step == "initial.b"
    run = started(jumps)
    run.answer({"next_action": {"action": "jump", "to": "nowhere"}})
    assert run.state.error is not None
    assert run.state.error.code == "SR-TRANS-010"


def test_an_error_keeps_the_state_so_that_another_answer_goes_on() -> None:
    run = started(SIMPLE)
    say(run, "next", "sideways")
    error = run.state.error
    assert error is not None
    assert (error.kind, error.cause, error.step) == ("fail_fast", "unknown_value", "continuation.issue")
    assert (run.state.step, run.state.iteration, run.state.waits) == ("continuation.issue", 2, "answer")
    assert "continuation.issue" not in run.state.context
    say(run, "handoff")
    assert run.state.error is None
    assert (run.state.step, run.state.iteration) == ("closure.issue", 3)


def test_the_context_keeps_the_handoff_or_else_the_whole_answer() -> None:
    content = registry(
        step("initial.a", "work", gate={"handoffFields": ["analysis.understanding"]}, next="initial.b"),
        step("initial.b", "work", next="initial.b"),
    )
    run = started(content)
    say(run, "next", analysis={"understanding": "U", "approach": "A"})
    assert run.state.context == {"initial.a": {"understanding": "U"}}
    say(run, "next", note="N")
    assert run.state.context["initial.b"] == {"next_action": {"action": "next"}, "note": "N", "iteration": 2}


def test_an_answer_under_another_step_id_is_corrected() -> None:
    run = started(SIMPLE)
    say(run, "next", stepId="closure.issue")
    assert run.state.context["initial.issue"]["stepId"] == "initial.issue"
    assert run.state.last is not None
    assert run.state.last.wrong_step_id == "closure.issue"


def test_no_answer_is_forgiven_once_at_the_start_only() -> None:
    run = started(SIMPLE)
    run.answer(None)
    assert (run.state.step, run.state.iteration, run.state.error) == ("initial.issue", 2, None)
    run.answer(None)
    assert run.state.error is not None
    assert run.state.error.code == "FAILED_STEP_ROUTING"


def test_a_failed_query_leaves_its_trace_in_the_context() -> None:
    run = started(SIMPLE)
    run.send(Answered(None, failed="no network"))
    assert run.state.context["initial.issue"] == {"iteration": 1, "hasErrors": True, "errorCount": 1}


@pytest.mark.parametrize("form", [{}, {"fallbackIntent": "repeat"}])
def test_without_fail_fast_the_fallback_goes_on(form: Json) -> None:
    run = started(
        registry(
            step("initial.a", "work", gate={"failFast": False} | form, next="initial.b", repeat="initial.a"),
            step("initial.b", "work"),
        )
    )
    say(run, "sideways")
    assert run.state.step == ("initial.a" if form else "initial.b")


def test_the_entry_is_mapped_by_the_verdict_type() -> None:
    content = SIMPLE | {"entryStepMapping": {"poll:state": "continuation.issue", "detect:graph": "ghost"}}
    assert started(content, Verdict("poll:state")).state.step == "continuation.issue"
    assert started(content, Verdict("count:iteration")).state.step == "initial.issue"
    assert started(content, Verdict("poll:state"), entry="closure.issue").state.step == "closure.issue"
    broken = started(content, Verdict("detect:graph")).state
    assert broken.error is not None
    assert (broken.error.code, broken.error.pointer) == ("SR-ENTRY-003", "/entryStepMapping/detect:graph")


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ({}, "SR-ENTRY-001"),
        ({"entryStepMapping": {"poll:state": "initial.issue"}}, "SR-ENTRY-004"),
        ({"entryStep": "ghost"}, "SR-ENTRY-002"),
    ],
)
def test_a_run_without_a_usable_entry_explains_why(entries: Json, code: str) -> None:
    content = {key: value for key, value in SIMPLE.items() if key != "entryStep"} | entries
    state = started(content, Verdict("count:iteration")).state
    assert state.error is not None
    assert state.error.code == code
    assert state.waits == "start"


def test_flows_without_gates_or_transitions_repeat_their_entry_to_the_limit() -> None:
    bare = {
        "entryStep": "initial.a",
        "steps": {"initial.a": {"c2": "initial"}, "continuation.a": {"c2": "continuation"}},
    }
    run = started(bare, Verdict("detect:graph", {"maxIterations": 3}))
    for _ in range(3):
        run.answer({"status": "busy"})
    assert path(run) == ["initial.a"] * 3
    assert run.state.outcome is not None
    assert run.state.outcome.kind == "limit"


def test_an_event_that_does_not_fit_changes_nothing() -> None:
    machine = Machine(flow(SIMPLE))
    state, effects = machine.step(START, Answered({}))
    assert state is START
    assert isinstance(effects[0], Ignored)
    state, effects = machine.step(START, Start())
    assert effects == (Query("initial.issue", 1, None),)
    assert machine.step(state, Validated(passed=True))[0] is state
    state, effects = machine.step(state, Answered({"next_action": {"action": "abort"}}))
    assert isinstance(effects[0], Ended)
    assert machine.step(state, Answered({}))[0] is state


def test_a_step_that_left_the_registry_stops_the_run() -> None:
    run = started(SIMPLE)
    say(run, "next")
    run.use(flow(registry(step("initial.issue", "work", next="initial.issue"))), Verdict())
    say(run, "next")
    assert run.state.error is not None
    assert run.state.error.kind == "no_step"


def test_a_closing_that_the_kind_forbids_stops_the_run() -> None:
    run = started(registry(step("initial.a", "work", closing="closure.a"), step("closure.a", "closure", closing=None)))
    effects = run.answer({"next_action": {"action": "closing"}})
    assert isinstance(effects[0], Stopped)
    assert effects[0].error.code == "SR-INTENT-001"


class TestComplete:
    """The older format: `complete` visits `complete.<domain>`, then the run ends."""

    CONTENT = registry(
        step("initial.issue", next="continuation.issue", complete="complete.issue"),
        step("continuation.issue", next="continuation.issue", gate={"allowedIntents": ["next", "complete"]}),
        step("complete.issue", complete=None, repeat="complete.issue"),
    )

    def test_complete_visits_its_step_once(self) -> None:
        run = started(self.CONTENT)
        say(run, "next", "done", "repeat", "complete")
        assert path(run) == ["initial.issue", "continuation.issue", "complete.issue", "complete.issue"]
        assert run.state.outcome is not None
        assert (run.state.outcome.success, run.state.outcome.kind) == (True, "complete")

    def test_escalate_aborts(self) -> None:
        run = started(self.CONTENT)
        say(run, "escalate")
        assert run.state.outcome is not None
        assert run.state.outcome.kind == "abort"

    def test_an_unknown_word_falls_back_as_there_is_no_fail_fast(self) -> None:
        run = started(self.CONTENT)
        say(run, "sideways")
        assert run.state.step == "continuation.issue"

    def test_an_answer_for_another_step_is_refused(self) -> None:
        run = started(self.CONTENT)
        say(run, "next", stepId="complete.issue")
        assert run.state.error is not None
        assert run.state.error.code == "AGENT_STEP_ID_MISMATCH"

    def test_the_field_of_the_intent_is_guessed_where_none_is_given(self) -> None:
        content = registry(
            step("initial.a", gate={"intentField": ""}, next="initial.a", complete="complete.a"),
            step("complete.a", complete=None),
        )
        run = started(content)
        run.answer({"status": "finished"})
        assert run.state.step == "complete.a"
        assert FIELD not in content["steps"]["initial.a"]["structuredGate"].values()
