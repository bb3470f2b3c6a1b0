"""How an answer became a move."""

import pytest

from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.run.explanation import Explanation, explain, failed_validator, in_words
from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.machine.gate import Interpretation, interpret
from stepflow_gui.run.machine.route import EndRun, route
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import Answered, TraceEntry
from tests.run.flows import FIELD, Json, flow, registry, say, started, step, validated

CONTENT = registry(
    step(
        "initial.a",
        "work",
        gate={"handoffFields": ["report.status", "notes"], "failFast": False, "fallbackIntent": "repeat"},
        next={"condition": "status", "targets": {"ready": "continuation.a"}},
        repeat="initial.a",
        handoff="closure.a",
    ),
    step("continuation.a", "work", next="initial.a"),
    step("closure.a", "closure", closing=None),
)


def explained(word: object, content: Json = CONTENT, **more: object) -> Explanation:
    run = started(content)
    run.answer({"next_action": {"action": word}} | more)
    assert run.state.last is not None
    found = explain(run.machine.flow, run.state.last, ["next", "repeat"])
    assert found is not None
    return found


def test_every_link_from_answer_to_move_is_reported() -> None:
    found = explained("Continue", report={"status": "ready"}, message="why not")
    assert found == Explanation(
        "initial.a",
        "next",
        ("next", "repeat"),
        FIELD,
        "Continue",
        "Continue",
        None,
        "/steps/initial.a/transitions/next/targets/ready",
        "case",
        "ready",
        "continuation.a",
        {"status": "ready"},
        ("notes",),
        None,
        "why not",
    )
    assert in_words(found) == [
        "The schema allowed next, repeat.",
        "“Continue” at next_action.action means “next”, which is allowed.",
        "The transition “next” goes to continuation.a in the case “ready”.",
        "Handed over: status.",
        "Not in the answer: notes.",
    ]


@pytest.mark.parametrize(
    ("word", "cause", "said"),
    [
        (None, "no_value", "next_action.action has no value"),
        ("sideways", "unknown_value", "“sideways” at next_action.action is not an intent"),
        ("jump", "not_allowed", "“jump” at next_action.action isn't allowed"),
    ],
)
def test_a_fallback_explains_why(word: object, cause: str, said: str) -> None:
    found = explained(word)
    assert (found.intent, found.cause) == ("repeat", cause)
    assert said in " ".join(in_words(found))


def test_a_default_case_points_at_what_is_there() -> None:
    found = explained("next")
    assert found.raw == "next"
    assert found.rule == "/steps/initial.a/transitions/next"
    assert "No case of the transition “next” fits" in " ".join(in_words(found))


def test_warnings_are_reported() -> None:
    found = explained("handoff")
    assert found.warning == "handoff_from_initial"
    assert "An initial step is not meant to hand off." in in_words(found)


def test_every_other_transition_is_reported() -> None:
    content = registry(
        step(
            "initial.a",
            "work",
            gate={"targetField": "next_action.to", "allowedIntents": ["next", "repeat", "jump"]},
            jump="initial.a",
        ),
        step("continuation.a", "work", gate={"failFast": False, "intentField": "x"}, next="initial.a"),
    )
    run = started(content)
    told = []
    for answer in (
        {"action": "repeat"},
        {"action": "jump", "to": "initial.a"},
        {"action": "next"},
        {"action": "none"},
        {"action": "abort"},
    ):
        run.answer({"next_action": answer, "stepId": "me"})
        assert run.state.last is not None
        found = explain(run.machine.flow, run.state.last)
        assert found is not None
        told.append(in_words(found))
    assert [said[-1] for said in told] == [
        "The step runs again.",
        "The answer named initial.a as the step to jump to.",
        "No transition is declared, so continuation.a follows.",
        "The transition “next” goes to initial.a.",
        "“abort” asks for the end.",
    ]
    assert told[0][0] == "The answer called itself “me”; it was taken as initial.a's."


def test_a_repeat_that_names_no_step_is_reported() -> None:
    found = explained("repeat", registry(step("initial.a", "work", repeat="ghost")))
    assert in_words(found)[-1] == "The transition “repeat” names no step, so the step runs again."


def test_upstream_ends_without_a_rule_are_reported() -> None:
    it = flow(registry(step("wrap.a", next="wrap.a", gate={"allowedIntents": ["jump"]})))
    read = interpret(it.steps["wrap.a"], {"next_action": {"action": "jump"}}, ERAS["climpt-2026-03-14"])
    assert isinstance(read, Interpretation)
    way = route(it, "wrap.a", read, ERAS["climpt-2026-03-14"])
    assert isinstance(way, EndRun)
    found = explain(it, TraceEntry(Answered({}), "wrap.a", 1, read, way))
    assert found is not None
    assert in_words(found)[-1] == "No transition is declared, so the run ends."


def test_a_long_value_is_cut() -> None:
    assert all(len(sentence) < 200 for sentence in in_words(explained("x" * 10_000)))


def test_a_step_without_a_gate_is_reported() -> None:
    first = {"stepId": "initial.a", "transitions": {"next": {"target": "continuation.a"}}}
    found = explained("anything", registry(first, step("continuation.a", next="initial.a")))
    assert (found.cause, found.how, found.raw) == ("no_gate", "rule", ABSENT)
    assert in_words(found)[1] == "The step has no gate, so it means “next”."


def test_the_start_has_no_explanation() -> None:
    run = started(CONTENT)
    assert run.state.last is not None
    assert explain(run.machine.flow, run.state.last) is None


def test_a_route_that_fails_is_explained_up_to_the_break() -> None:
    run = started(registry(step("initial.a", "work", next="ghost")))
    say(run, "next")
    assert run.state.last is not None
    found = explain(run.machine.flow, run.state.last)
    assert found is not None
    assert (found.intent, found.how, found.target) == ("next", None, None)


def test_a_condition_that_no_case_fits_says_so() -> None:
    run = started(CONTENT)
    run.answer({"next_action": {"action": "next"}, "report": {"status": "shut"}})
    outcome, entry = run.state.outcome, run.state.last
    assert outcome is not None
    assert entry is not None
    assert outcome.message == (
        "The run is complete: no case of the transition from initial.a fits the answer, and there is no default."
    )
    found = explain(run.machine.flow, entry)
    assert found is not None
    assert "No case of the transition “next” fits, and there is no default, so the run ends." in in_words(found)
    refused = route(flow(CONTENT), "initial.a", Interpretation("next"), ERAS["climpt-2026-04-20"])
    assert isinstance(refused, RunError)
    assert refused.message.startswith("No case of “next” of initial.a fits the answer")


def test_what_follows_a_failed_validator() -> None:
    content = validated(action="retry", maxAttempts=3)
    run = started(content)
    say(run, "next", "handoff", "closing")
    assert failed_validator(run.state) == ""
    run.validated(passed=False)
    assert failed_validator(run.state).endswith("(attempt 1). 2 of 3 retries are left.")
