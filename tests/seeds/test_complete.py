"""The step flow design with `complete` intents: its example, layout, error texts and rules are as documented."""

import copy
from typing import Any

import pytest

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.runner_texts import incomplete_steps
from stepflow_gui.formats.climpt.vocabulary import ALIASES_COMPLETE, INTENTS_COMPLETE
from stepflow_gui.formats.read import read_flow
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.messages import use_language
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.run.session import Run
from tests.formats.test_shapes import document_of
from tests.seeds.conftest import Expected, Write, due, said
from tests.seeds.diagrams import END, drawn
from tests.seeds.documents import COMPLETE, COMPLETE_AGENT, COMPLETE_EXCERPT

# initial.<domain> → continuation.<domain>, both → complete.<domain>; repeat stays.
LAYOUT = {
    ("initial.issue", "next", "continuation.issue"),
    ("initial.issue", "repeat", "initial.issue"),
    ("initial.issue", "complete", "complete.issue"),
    ("continuation.issue", "next", "continuation.issue"),
    ("continuation.issue", "repeat", "continuation.issue"),
    ("continuation.issue", "complete", "complete.issue"),
}
AGENT: list[Expected] = [
    ("SF804", "info", None, "the flat layout of agent.json is the one of this format's time"),
]
EXCERPT: list[Expected] = [
    ("SF004", "warning", None, "the excerpt has neither agentId nor version, and its runner starts it anyway"),
    ("SF401", "error", None, "without entryStep and entryStepMapping the document demands an error"),
    (
        "SF301",
        "warning",
        "initial.issue",
        "complete.issue isn't shown; the runner never follows the target of complete",
    ),
    ("SF301", "warning", "continuation.issue", "likewise"),
    ("SF110", "info", None, "the domain lacks its third stage, complete.issue"),
]


def without(*keys: str) -> dict[str, Any]:
    """The whole registry without some fields of some steps (`step/field`) or of its own (`field`)."""
    registry: dict[str, Any] = copy.deepcopy(COMPLETE)
    for key in keys:
        step, _, field = key.rpartition("/")
        del (registry["steps"][step] if step else registry)[field]
    return registry


def message(agent: AgentFolder, code: str) -> str:
    return next(each.message for each in lint(agent) if each.code == code)


def test_the_example_opens_and_is_drawn_as_laid_out(write: Write) -> None:
    flow = write(COMPLETE_EXCERPT, COMPLETE_AGENT).flow
    assert flow.format == "complete"
    assert drawn(flow) == LAYOUT
    step = flow.steps["initial.issue"]
    assert step.schema_ref is not None
    assert step.schema_ref.schema is not None
    assert step.schema_ref.schema.value == "#/definitions/initial.issue"
    assert step.gate is not None
    assert [text.value for text in step.gate.handoff_fields] == [
        "analysis.understanding",
        "analysis.approach",
        "issue",
    ]


def test_the_whole_flow_has_three_stages(write: Write) -> None:
    flow = write(COMPLETE, COMPLETE_AGENT).flow
    assert flow.format == "complete"
    assert drawn(flow) == LAYOUT | {
        ("complete.issue", "repeat", "complete.issue"),
        ("complete.issue", "complete", END),
    }


def test_the_pointer_to_a_schema_is_resolved(write: Write) -> None:
    agent = write(COMPLETE, COMPLETE_AGENT)
    for step in agent.flow.steps.values():
        schema = agent.schema(step)
        assert schema.problem is None
        assert step.gate is not None
        assert [each.value for each in schema.intents] == [text.value for text in step.gate.intents]


def test_the_excerpt_lints_as_an_excerpt(write: Write) -> None:
    assert said(write(COMPLETE_EXCERPT, COMPLETE_AGENT)) == due(*EXCERPT, *AGENT)


def test_the_whole_flow_lints_clean(write: Write) -> None:
    assert said(write(COMPLETE, COMPLETE_AGENT)) == due(*AGENT)


def test_a_step_that_is_complete_and_runs_again_is_an_error(write: Write) -> None:
    """The document: no flow is complete and goes round in the same step."""
    registry = copy.deepcopy(COMPLETE)
    registry["steps"]["initial.issue"]["transitions"]["complete"]["target"] = "initial.issue"
    why = "complete goes back to its own step"
    assert said(write(registry, COMPLETE_AGENT)) == due(("SF318", "error", "initial.issue", why), *AGENT)


def test_the_prompts_lie_where_the_document_has_them(write: Write) -> None:
    agent = write(COMPLETE, COMPLETE_AGENT)
    assert [
        agent.prompt_candidates(step)[0].relative_to(agent.folder).as_posix() for step in agent.flow.steps.values()
    ] == [f"prompts/steps/{phase}/issue/f_default.md" for phase in ("initial", "continuation", "complete")]


def test_the_intents_and_their_words() -> None:
    assert set(INTENTS_COMPLETE) == {"next", "repeat", "jump", "complete", "abort"}
    table = {"continue": "next", "retry": "repeat", "escalate": "abort", "wait": "repeat"}
    assert table.items() <= ALIASES_COMPLETE.items()


# The error texts


def test_the_error_of_a_missing_entry(write: Write) -> None:
    agent = write(without("entryStepMapping"), COMPLETE_AGENT)
    text = (
        '[StepFlow] No entry step configured for completionType "issue".\n'
        'Define either "entryStepMapping.issue" or "entryStep" in steps_registry.json.'
    )
    assert text.replace("\n", " ") in message(agent, "SF401")
    run = Run(agent.flow, Verdict("issue"))
    run.start()
    assert run.state.error is not None
    assert text.replace("\n", " ") in run.state.error.message


def test_the_error_of_steps_without_gate_or_transitions(write: Write) -> None:
    agent = write(
        without("initial.issue/structuredGate", "initial.issue/transitions", "complete.issue/structuredGate"),
        COMPLETE_AGENT,
        format_id="complete",
    )
    found = [each.message for each in lint(agent) if each.code == "SF107"]
    assert len(found) == 2
    assert incomplete_steps(["initial.issue", "complete.issue"], ["initial.issue"]) in found[0]
    assert "StepFlow" not in found[1]  # it is reported once


def test_the_error_of_incomplete_steps_reads_as_shown() -> None:
    shown = """
[StepFlow] Flow validation failed. All Flow steps must define structuredGate and transitions.
Steps missing structuredGate: initial.issue, continuation.issue
Steps missing transitions: initial.issue
See agents/docs/design/08_step_flow_design.md for requirements.
"""
    assert incomplete_steps(["initial.issue", "continuation.issue"], ["initial.issue"]) == " ".join(shown.split())


def test_the_error_of_an_answer_without_an_intent(write: Write) -> None:
    run = Run(write(COMPLETE, COMPLETE_AGENT).flow, Verdict("issue"))
    run.start()
    for _ in range(2):
        run.answer({"next_action": {"action": "next"}})
    run.answer(None)
    shown = """
[StepFlow] No intent produced for iteration 3 on step "continuation.issue".
Flow steps must produce structured output with a valid intent.
Check that the step's schema includes next_action.action and the LLM returns valid JSON.
"""
    assert run.state.error is not None
    assert " ".join(shown.split()) in run.state.error.message


def test_the_errors_are_quoted_unchanged_in_japanese(write: Write) -> None:
    agent = write(without("entryStepMapping"), COMPLETE_AGENT)
    use_language("ja")
    assert '[StepFlow] No entry step configured for completionType "issue".' in message(agent, "SF401")


# What is reported about runs


def run_of(flow: Flow) -> Run:
    run = Run(flow, Verdict("issue"))
    run.start()
    return run


def test_complete_visits_the_complete_step_and_ends_there(write: Write) -> None:
    run = run_of(write(COMPLETE, COMPLETE_AGENT).flow)
    for action, step in (("continue", "continuation.issue"), ("retry", "continuation.issue")):
        run.answer({"next_action": {"action": action}})
        assert run.state.step == step
    run.answer({"next_action": {"action": "complete"}})
    assert (run.state.step, run.state.outcome) == ("complete.issue", None)
    run.answer({"next_action": {"action": "complete"}})
    assert run.state.outcome is not None
    assert run.state.outcome.success


def test_escalate_means_abort(write: Write) -> None:
    run = run_of(write(COMPLETE, COMPLETE_AGENT).flow)
    run.answer({"next_action": {"action": "escalate"}})
    assert run.state.outcome is not None
    assert (run.state.outcome.kind, run.state.outcome.success) == ("abort", False)


def test_what_is_handed_off_stays_readable_at_the_end(write: Write) -> None:
    run = run_of(write(COMPLETE, COMPLETE_AGENT).flow)
    run.answer({"next_action": {"action": "complete"}, "analysis": {"understanding": "u", "approach": "a"}, "issue": 7})
    assert run.state.context["initial.issue"] == {"understanding": "u", "approach": "a", "issue": 7}


@pytest.mark.parametrize("step", ["initial.issue", "continuation.issue"])
def test_a_complete_that_goes_back_is_no_change_of_format(step: str) -> None:
    registry = copy.deepcopy(COMPLETE)
    registry["steps"][step]["transitions"]["complete"]["target"] = step
    assert read_flow(document_of(registry)).format == "complete"
