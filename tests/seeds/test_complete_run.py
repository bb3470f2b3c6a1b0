"""The step flow design with `complete` intents, run as an agent: as its document describes, and as climpt does it."""

import copy
from typing import Any

import pytest

from stepflow_gui.api import RunResult, StepFlowRunner, load_agent, load_script
from stepflow_gui.formats.climpt.vocabulary import ALIASES_COMPLETE
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.agent_run import AgentRun
from stepflow_gui.run.exploring.entries import explore_from
from stepflow_gui.run.exploring.scripts import scripts_of
from stepflow_gui.run.machine.state import Start
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.run.session import Run
from tests.seeds.conftest import Write
from tests.seeds.documents import COMPLETE, COMPLETE_AGENT

Json = dict[str, Any]
CLIMPT = "climpt-2026-01-18"
COMES_TO_ITS_END = ["next", "complete", "complete"]


def changed(step: str, **fields: Any) -> Json:
    """The registry with other fields of a step; None takes one away."""
    registry = copy.deepcopy(COMPLETE)
    registry["steps"][step] = {
        key: value for key, value in {**registry["steps"][step], **fields}.items() if value is not None
    }
    return registry


def gate(step: str, **fields: Any) -> Json:
    """The gate of a step with other fields."""
    merged = {**COMPLETE["steps"][step]["structuredGate"], **fields}
    return {key: value for key, value in merged.items() if value is not None}


def ran(agent: AgentFolder, *answers: Any, era: str | None = None) -> RunResult:
    """A run that is answered with words, or with whole answers."""
    said = iter(answers)

    def answer(_question: object) -> Any:
        word = next(said)
        return {"next_action": {"action": word}, "issue": 7} if isinstance(word, str) else word

    return StepFlowRunner(load_agent(agent.folder), answer, era=era).run(args={"issue": 7})


def test_the_entry_is_that_of_the_completion_type(write: Write) -> None:
    other = {**COMPLETE, "entryStepMapping": {"issue": "continuation.issue"}, "entryStep": "initial.issue"}
    assert ran(write(other, COMPLETE_AGENT), "complete", "complete").path[0] == "continuation.issue"
    fallback = {**other, "entryStepMapping": {"project": "continuation.issue"}}
    assert ran(write(fallback, COMPLETE_AGENT), *COMES_TO_ITS_END).path[0] == "initial.issue"


@pytest.mark.parametrize(("era", "ends_at"), [(None, "complete.issue"), (CLIMPT, "continuation.issue")])
def test_complete_visits_its_step_in_the_document_and_not_in_climpt(
    write: Write, era: str | None, ends_at: str
) -> None:
    result = ran(write(COMPLETE, COMPLETE_AGENT), *COMES_TO_ITS_END, era=era)
    assert (result.success, result.end, result.final_step) == (True, "complete", ends_at)


@pytest.mark.parametrize(("word", "intent"), ALIASES_COMPLETE.items())
def test_every_word_of_the_table_means_its_intent(write: Write, word: str, intent: str) -> None:
    wide = changed("initial.issue", structuredGate=gate("initial.issue", allowedIntents=[intent, "next"]))
    result = ran(write(wide, COMPLETE_AGENT), word.upper(), "complete", "complete", "complete")
    assert result.history[0].transition == intent


def test_a_jump_goes_where_the_answer_points(write: Write) -> None:
    jumping = changed("initial.issue", structuredGate=gate("initial.issue", allowedIntents=["jump", "next"]))
    agent = write(jumping, COMPLETE_AGENT)

    def jump(target: str) -> Json:
        return {"next_action": {"action": "jump", "details": {"target": target}}}

    assert ran(agent, jump("complete.issue"), "complete").path == ("initial.issue", "complete.issue")
    result = ran(agent, jump("complete.other"))
    assert (result.success, result.error_code) == (False, "SR-TRANS-010")
    assert ran(agent, jump("complete.other"), era=CLIMPT).error_code == "AGENT_QUERY_ERROR"


@pytest.mark.parametrize(
    ("answer", "intent"),
    [
        ({"next_action": {"action": "repeat"}, "intent": "next"}, "repeat"),
        ({"intent": "retry", "action": "next"}, "repeat"),
        ({"action": "wait"}, "repeat"),
        ({"status": "retry"}, "repeat"),
        ({"next_action": {"type": "repeat"}}, "repeat"),
        ({"nothing": 1}, "next"),
    ],
)
@pytest.mark.parametrize("era", [None, CLIMPT])
def test_a_gate_without_a_field_guesses(write: Write, answer: Json, intent: str, era: str | None) -> None:
    guessing = changed("initial.issue", structuredGate=gate("initial.issue", intentField=None))
    assert ran(write(guessing, COMPLETE_AGENT), answer, *COMES_TO_ITS_END, era=era).history[0].transition == intent


@pytest.mark.parametrize(("era", "code"), [(None, "FAILED_STEP_ROUTING"), (CLIMPT, "AGENT_QUERY_ERROR")])
def test_no_answer_after_the_first_iteration_ends_the_run_with_the_documents_words(
    write: Write, era: str | None, code: str
) -> None:
    result = ran(write(COMPLETE, COMPLETE_AGENT), None, "next", None, era=era)
    assert (result.success, result.error_code, result.path) == (
        False,
        code,
        ("initial.issue", "initial.issue", "continuation.issue"),
    )
    assert '[StepFlow] No intent produced for iteration 3 on step "continuation.issue".' in result.completion_reason


def test_an_intent_that_cannot_be_read_ends_the_run_too_unless_the_gate_has_a_fallback(write: Write) -> None:
    assert ran(write(COMPLETE, COMPLETE_AGENT), "next", "hm", "complete", "complete").success  # its fallbackIntent
    bare = changed("continuation.issue", structuredGate=gate("continuation.issue", fallbackIntent=None))
    result = ran(write(bare, COMPLETE_AGENT), "next", "hm")
    assert (result.error_code, result.final_step) == ("FAILED_STEP_ROUTING", "continuation.issue")
    assert "[StepFlow] No intent produced for iteration 2" in result.completion_reason
    assert ran(write(bare, COMPLETE_AGENT), "next", "hm", "complete", era=CLIMPT).success


def test_steps_without_gate_or_transitions_are_refused_at_the_start(write: Write) -> None:
    registry = changed("initial.issue", structuredGate=None, transitions=None)
    registry["steps"]["section.notes"] = {"stepId": "section.notes", "name": "n", "c2": "section", "c3": "notes"}
    result = ran(write(registry, COMPLETE_AGENT))
    assert (result.end, result.error_code, result.history) == ("error", "incomplete", ())
    assert (
        "[StepFlow] Flow validation failed. All Flow steps must define structuredGate and transitions."
        " Steps missing structuredGate: initial.issue"
        " Steps missing transitions: initial.issue"
    ) in result.completion_reason


def test_a_step_without_a_gate_goes_to_no_next_iteration(write: Write) -> None:
    flow = write(changed("initial.issue", structuredGate=None), COMPLETE_AGENT, format_id="complete").flow
    run = Run(flow, Verdict("issue"))
    run.start()
    run.answer({"next_action": {"action": "next"}})
    shown = """
[StepFlow] No routed step ID for iteration 2.
All Flow steps must define structuredGate with transitions.
Check steps_registry.json for missing gate configuration.
"""
    assert run.state.error is not None
    assert " ".join(shown.split()) in run.state.error.message


@pytest.mark.parametrize(("era", "code"), [(None, "FAILED_SCHEMA_RESOLUTION"), (CLIMPT, "AGENT_QUERY_ERROR")])
def test_a_schema_that_cannot_be_resolved_is_forgiven_once(write: Write, era: str | None, code: str) -> None:
    agent = write(COMPLETE, COMPLETE_AGENT)
    schemas = agent.folder / "schemas" / "issue.schema.json"
    schemas.write_text(
        schemas.read_text("utf-8").replace('"continuation.issue": {', '"continuation.other": {'), "utf-8"
    )
    result = ran(agent, "next", era=era)
    assert (result.success, result.error_code) == (False, code)
    assert result.path == ("initial.issue", "continuation.issue", "continuation.issue")


@pytest.mark.parametrize("era", [None, CLIMPT])
def test_an_answer_under_another_steps_id_ends_the_run(write: Write, era: str | None) -> None:
    answer = {"stepId": "complete.issue", "next_action": {"action": "next"}}
    result = ran(write(COMPLETE, COMPLETE_AGENT), answer, era=era)
    assert (result.success, result.error_code) == (False, "AGENT_STEP_ID_MISMATCH")


def test_exploring_stops_at_a_schema_that_cannot_be_resolved(write: Write) -> None:
    agent = write(COMPLETE, COMPLETE_AGENT)
    schemas = agent.folder / "schemas" / "issue.schema.json"
    schemas.write_text(
        schemas.read_text("utf-8").replace('"continuation.issue": {', '"continuation.other": {'), "utf-8"
    )
    found = explore_from(AgentRun(agent).host, [Start()]).each[0]
    (dead,) = found.dead_ends
    assert (dead.step, dead.answer, dead.error.code) == ("continuation.issue", "schema", "FAILED_SCHEMA_RESOLUTION")
    assert (dead.route.path, dead.route.plays) == (("initial.issue", "continuation.issue", "continuation.issue"), True)
    assert found.coverage.missing_steps == []
    (script,) = [each.text for each in scripts_of(found.graph).scripts if "no_schema" in each.text]
    path = agent.folder / "found.jsonl"
    path.write_text(script, "utf-8")
    result = StepFlowRunner(load_agent(agent.folder), load_script(path)).run()
    assert (result.path, result.error_code) == (dead.route.path, "FAILED_SCHEMA_RESOLUTION")


def test_all_of_the_flow_is_found_by_exploring(write: Write) -> None:
    found = explore_from(AgentRun(write(COMPLETE, COMPLETE_AGENT)).host, [Start()]).each[0]
    assert (found.coverage.missing_steps, found.coverage.missing_edges, found.unreached) == ([], [], ())
    assert {end.kind for end in found.ends} == {"complete", "abort", "verdict", "limit"}
    assert [end.steps for end in found.ends if end.kind == "complete"] == [("complete.issue",)]
