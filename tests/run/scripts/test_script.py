"""Scripted runs: what a script may contain, and what is reported when it doesn't fit."""

import json
from typing import Any

import pytest

from stepflow_gui.bundled import resource
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.machine.verdict import NO_VERDICT, Verdict, verdict_of
from stepflow_gui.run.responders.script import ScriptProblem, read_script
from stepflow_gui.run.scripts.script_file import read_script_file
from stepflow_gui.run.scripts.scripted import ScriptResult, run_script
from tests.run.flows import SIMPLE, Json, flow, registry, step, validated


def play(content: Json, *lines: Any, verdict: Verdict = NO_VERDICT, entry: str | None = None) -> ScriptResult:
    script = read_script("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    assert not isinstance(script, ScriptProblem), script
    return run_script(flow(content), script, verdict, entry)


HAPPY = [
    {"step": "initial.issue", "intent": "next"},
    {"intent": "handoff"},
    {"answer": {"next_action": {"action": "done"}}},
]


def test_a_script_runs_to_the_end() -> None:
    result = play(SIMPLE, *HAPPY)
    assert result.success
    assert (len(result.trace), result.unused, result.error) == (4, 0, None)


def test_blank_lines_and_a_byte_order_mark_are_no_matter() -> None:
    assert play(SIMPLE, "\ufeff" + json.dumps(HAPPY[0]), "", "  ", *HAPPY[1:]).success


def test_lines_left_over_are_counted() -> None:
    assert play(SIMPLE, {"intent": "abort"}, *HAPPY).unused == 3


def test_a_script_that_ends_early_names_the_waiting_step() -> None:
    result = play(SIMPLE, HAPPY[0])
    assert not result.success
    assert result.error is not None
    assert result.error.kind == "script_ended"
    assert "continuation.issue" in result.error.message


def test_a_script_that_names_another_step_reports_both() -> None:
    result = play(SIMPLE, HAPPY[0], {"step": "closure.issue", "intent": "closing"})
    assert result.error is not None
    assert result.error.kind == "script_misfit"
    assert "continuation.issue" in result.error.message
    assert "closure.issue" in result.error.message


def test_an_intent_that_no_answer_can_mean_is_reported_with_its_line() -> None:
    result = play(SIMPLE, {"intent": "escalate"})
    assert result.error is not None
    assert result.error.kind == "script_misfit"


def test_an_error_of_the_flow_stops_the_script() -> None:
    result = play(SIMPLE, {"answer": {"next_action": {"action": "sideways"}}}, *HAPPY)
    assert result.error is not None
    assert result.error.kind == "fail_fast"
    assert result.unused == 3


def test_cases_and_targets_can_be_given() -> None:
    content = registry(
        step(
            "a.a",
            gate={"handoffFields": ["status"], "targetField": "to"},
            next={"condition": "status", "targets": {"ready": "a.b"}},
            jump=None,
        ),
        step("a.b", closing=None),
    )
    assert play(content, {"intent": "next", "case": "ready"}, {"intent": "closing"}).success
    assert play(content, {"intent": "jump", "target": "a.b"}, {"intent": "closing"}).success


def test_validators_pass_unless_the_script_fails_them() -> None:
    closing = [{"intent": "handoff"}, {"intent": "closing"}]
    assert play(validated(), *closing).success
    failing = {"validator": "git-clean", "passed": False, "error": " M a"}
    result = play(validated(maxAttempts=1), *closing, failing, *closing, {"passed": True})
    assert result.success
    assert result.state.failures == {"closure.issue": 1}
    result = play(validated(), *closing, {"validator": "type-check", "passed": True})
    assert result.error is not None
    assert result.error.kind == "script_misfit"
    result = play(validated(), {"passed": True})
    assert result.error is not None
    assert result.error.kind == "script_misfit"


def test_an_external_verdict_and_texts_can_be_entered() -> None:
    told = {"intent": "next", "verdict": True}
    assert play(SIMPLE, told, verdict=Verdict("poll:state")).success
    texts = {"answer": {"next_action": {"action": "next"}}, "texts": ["all DONE"]}
    assert play(SIMPLE, texts, verdict=Verdict("detect:keyword", {"verdictKeyword": "DONE"})).success


def test_a_run_that_can_not_start_reports_it() -> None:
    result = play(SIMPLE, entry="nowhere")
    assert result.error is not None
    assert result.error.kind == "no_entry"
    assert not result.success


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not a JSON object"),
        ('{"step": "initial.issue"}', "neither"),
        ('{"intent": "next", "anwser": {}}', "anwser"),
        ('{"answer": {}, "case": "x"}', "case"),
        ('{"intent": 3}', "intent"),
        ('{"answer": {}, "texts": [1]}', "texts"),
        ('{"passed": "yes"}', "passed"),
        ('{"answer": {}, "verdict": null}', "verdict"),
    ],
)
def test_a_line_that_is_wrong_is_named(line: str, word: str) -> None:
    found = read_script(json.dumps(HAPPY[0]) + "\n\n" + line)
    assert isinstance(found, ScriptProblem)
    assert found.line == 3
    assert word in found.message


def test_the_bundled_example_closes() -> None:
    from importlib.resources import as_file

    with as_file(resource("examples", "issue-flow")) as folder:
        agent = open_agent(folder)
        assert isinstance(agent, AgentFolder)
        script = read_script_file((agent.folder / "flow_tests" / "happy.jsonl").read_text("utf-8"), "happy.jsonl")
        assert not isinstance(script, ScriptProblem)
        result = run_script(agent.flow, script.lines, verdict_of(agent.agent))
    assert result.error is None
    assert result.success
    assert result.unused == 0
