"""When a run is over by the agent's own measure."""

from typing import Any

import pytest

from stepflow_gui.formats.climpt.agent.agent_file import read_agent
from stepflow_gui.run.machine.verdict import NO_VERDICT, Verdict, verdict_of
from tests.run.flows import SIMPLE, Json, flow, say, started


@pytest.mark.parametrize(
    ("verdict", "limit"),
    [
        (NO_VERDICT, 20),
        (Verdict("poll:state"), 20),
        (Verdict("count:iteration"), 10),
        (Verdict("detect:graph", {"maxIterations": 7}), 7),
        (Verdict("detect:graph", {"maxIterations": 0}), 20),
        (Verdict("detect:graph", {"maxIterations": "7"}), 20),
        (Verdict("detect:graph", {"maxIterations": True}), 20),
        (Verdict("detect:graph", {"maxIterations": 1e400}), 20),
    ],
)
def test_limits(verdict: Verdict, limit: int) -> None:
    assert verdict.limit == limit


@pytest.mark.parametrize(
    ("verdict", "kind", "iterations"),
    [
        (Verdict("count:iteration", {"maxIterations": 3}), "verdict", 3),
        (Verdict("count:check", {"maxChecks": 2}), "verdict", 2),
        (Verdict("poll:state", {"maxIterations": 4}), "limit", 4),
        (NO_VERDICT, "limit", 20),
    ],
)
def test_a_count_completes_a_run_and_any_other_limit_stops_it(verdict: Verdict, kind: str, iterations: int) -> None:
    run = started(SIMPLE, verdict)
    say(run, *["repeat"] * 30)
    outcome = run.state.outcome
    assert outcome is not None
    assert (outcome.kind, outcome.iterations, outcome.success) == (kind, iterations, kind == "verdict")
    assert outcome.code == (None if outcome.success else "AGENT_MAX_ITERATIONS")


STRUCTURED: Json = {"signalType": "done-signal"}


@pytest.mark.parametrize(
    ("kind", "config", "answer", "reached"),
    [
        ("detect:graph", {}, {"status": "completed"}, True),
        ("detect:graph", {}, {"complete": True}, True),
        ("detect:graph", {}, {"complete": 1}, False),
        ("detect:graph", {}, ["completed"], False),
        ("detect:structured", STRUCTURED, {"type": "done-signal"}, True),
        ("detect:structured", STRUCTURED, {"signal": "done-signal"}, True),
        ("detect:structured", STRUCTURED, {"type": "other"}, False),
        ("detect:structured", STRUCTURED | {"requiredFields": ["a"]}, {"type": "done-signal"}, False),
        ("detect:structured", STRUCTURED | {"requiredFields": ["a"]}, {"type": "done-signal", "a": 0}, True),
        ("detect:structured", STRUCTURED | {"requiredFields": {"a": 1}}, {"type": "done-signal", "a": 2}, False),
        ("detect:structured", STRUCTURED | {"requiredFields": {"a": 1}}, {"type": "done-signal", "a": 1}, True),
        ("detect:keyword", {}, {}, False),
        ("meta:custom", {}, {}, False),
        ("issue", {}, {}, False),
    ],
)
def test_what_an_answer_contains(kind: str, config: Json, answer: Any, reached: bool) -> None:
    assert Verdict(kind, config).reached(1, answer, (), external=False) is reached


def test_a_keyword_is_looked_for_in_the_texts() -> None:
    assert Verdict("detect:keyword").reached(1, None, ("so: TASK_COMPLETE.",), external=False)
    assert not Verdict("detect:keyword", {"verdictKeyword": "Done"}).reached(1, None, ("done",), external=False)


@pytest.mark.parametrize(("operator", "reached"), [("and", False), ("or", True), ("first", True)])
def test_members_are_joined(operator: str, reached: bool) -> None:
    members = [{"type": "count:iteration", "config": {"maxIterations": 2}}, {"type": "poll:state", "config": {}}, 3]
    verdict = Verdict("meta:composite", {"operator": operator, "conditions": members})
    assert verdict.is_external
    assert verdict.reached(2, {}, (), external=False) is reached
    assert verdict.reached(2, {}, (), external=True)


def test_members_inside_members_end_somewhere() -> None:
    config: Json = {"operator": "or", "conditions": []}
    for _ in range(2000):
        config = {"operator": "or", "conditions": [{"type": "meta:composite", "config": config}]}
    assert not Verdict("meta:composite", config).reached(1, {}, (), external=True)


@pytest.mark.parametrize(
    ("content", "verdict"),
    [
        (
            {"runner": {"verdict": {"type": "poll:state", "config": {"maxIterations": 5}}}},
            Verdict("poll:state", {"maxIterations": 5}),
        ),
        ({"runner": {}}, Verdict("count:iteration")),
        (
            {"behavior": {"completionType": "issue", "completionConfig": {"maxIterations": 5}}},
            Verdict("poll:state", {"maxIterations": 5}, "issue"),
        ),
    ],
)
def test_an_agent_declares_its_verdict(content: Json, verdict: Verdict) -> None:
    assert verdict_of(read_agent(flow(content).document)) == verdict


def test_without_an_agent_there_is_none() -> None:
    assert verdict_of(None) == NO_VERDICT
