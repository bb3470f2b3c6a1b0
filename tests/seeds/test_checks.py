"""The step flow design with checks: its registry opens, is drawn as its execution flow, and lints clean."""

import copy
from typing import Any

import pytest

from stepflow_gui.formats.checks.vocabulary import RESULTS
from stepflow_gui.formats.climpt.lookup import path_of_fields
from stepflow_gui.lint.engine.engine import lint
from tests.seeds.conftest import Expected, Write, due, said
from tests.seeds.diagrams import END, drawn, labels
from tests.seeds.documents import CHECKS, CHECKS_AGENT

# analyze → implement → review → complete; analyze retries, the others fall back.
EXECUTION_FLOW = {
    ("s_a8f3", "pass", "s_b2c1"),
    ("s_a8f3", "retry (max 2)", "s_a8f3"),
    ("s_b2c1", "pass", "s_c9d4"),
    ("s_b2c1", "fallback", "s_a8f3"),
    ("s_c9d4", "pass", END),
    ("s_c9d4", "fallback", "s_b2c1"),
}
PROMPTS = {
    "prompts/steps/phase/analyze/f_default.md",
    "prompts/steps/phase/implement/f_default.md",
    "prompts/steps/phase/review/f_default.md",
}
CHECK_PROMPTS = {
    "checks/step/analyze/f_default.md",
    "checks/step/implement/f_default.md",
    "checks/completion/final/f_default.md",
}
EXPECTED: list[Expected] = [
    ("SF804", "info", None, "the flat layout of agent.json is the one that the document shows"),
    ("SF801", "info", None, "the document's agent.json has no version; the runner fills it in"),
    ("SF910", "warning", "s_a8f3", "its retries are bounded and nothing follows: used up, they end as a success"),
    ("SF911", "info", "s_b2c1", "climpt doesn't read iterations.max beside a check"),
]


def changed(step: str, key: str, value: Any) -> dict[str, Any]:
    registry = copy.deepcopy(CHECKS)
    registry["steps"][step]["check"][key] = value
    return registry


def test_the_registry_opens(write: Write) -> None:
    agent = write(CHECKS, CHECKS_AGENT)
    flow = agent.flow
    assert flow.format == "checks"
    assert {step.id: step.title for step in flow.steps.values()} == {
        "s_a8f3": "Code Analysis",
        "s_b2c1": "Implementation",
        "s_c9d4": "Review",
    }
    assert flow.entry_target(None) == "s_a8f3"
    assert agent.agent is not None
    assert agent.agent.layout == "flat"
    assert agent.agent.verdict_type is not None
    assert agent.agent.verdict_type.value == "stepFlow"


def test_the_flow_is_drawn_as_its_execution(write: Write) -> None:
    flow = write(CHECKS, CHECKS_AGENT).flow
    assert labels(flow) == EXECUTION_FLOW
    assert {(step, intent.split(" ")[0], to) for step, intent, to in EXECUTION_FLOW} == drawn(flow)


def test_the_registry_lints_as_in_the_document(write: Write) -> None:
    assert said(write(CHECKS, CHECKS_AGENT)) == due(*EXPECTED)


def test_the_prompts_lie_in_the_directory_as_shown(write: Write) -> None:
    agent = write(CHECKS, CHECKS_AGENT)
    steps = agent.flow.steps.values()
    assert {agent.prompt_candidates(step)[0].relative_to(agent.folder).as_posix() for step in steps} == PROMPTS
    assert {path_of_fields(agent.flow, step.raw["check"]) for step in steps} == CHECK_PROMPTS


def test_a_prompt_may_be_named_by_its_path(write: Write) -> None:
    registry = copy.deepcopy(CHECKS)
    registry["steps"]["s_a8f3"]["prompt"] = {"path": "system.md"}
    agent = write(registry, CHECKS_AGENT)
    path = agent.prompt_candidates(agent.flow.steps["s_a8f3"])[0]
    assert path.relative_to(agent.folder).as_posix() == "prompts/system.md"


def test_the_answers_that_a_check_may_give() -> None:
    assert RESULTS == ("ok", "ng", "pass", "fail", True, False)


@pytest.mark.parametrize(
    ("key", "says", "edge"),
    [
        ("onPass", {"next": "s_c9d4"}, ("s_b2c1", "pass", "s_c9d4")),
        ("onPass", {"complete": True}, ("s_b2c1", "pass", END)),
        ("onFail", {"retry": True, "maxRetries": 2}, ("s_b2c1", "retry", "s_b2c1")),
        ("onFail", {"fallback": "s_a8f3"}, ("s_b2c1", "fallback", "s_a8f3")),
        ("onFail", {"next": "s_c9d4"}, ("s_b2c1", "fail", "s_c9d4")),
        ("onFail", {"complete": True}, ("s_b2c1", "fail", END)),
    ],
)
def test_every_property_of_a_transition_is_drawn(key: str, says: Any, edge: tuple[str, str, str], write: Write) -> None:
    assert edge in drawn(write(changed("s_b2c1", key, says), CHECKS_AGENT).flow)


@pytest.mark.parametrize("key", ["onPass", "onFail"])
def test_a_step_that_is_not_there_is_an_error(key: str, write: Write) -> None:
    """The document: “Step definition not found: Error termination”."""
    word = "next" if key == "onPass" else "fallback"
    (found,) = [
        each for each in lint(write(changed("s_b2c1", key, {word: "s_b2c9"}), CHECKS_AGENT)) if each.code == "SF301"
    ]
    assert (found.severity, found.step) == ("error", "s_b2c1")
    assert found.pointer == f"/steps/s_b2c1/check/{key}/{word}"


def test_a_step_is_needed_to_begin_with(write: Write) -> None:
    registry = copy.deepcopy(CHECKS)
    del registry["entryStep"]
    assert [each.code for each in lint(write(registry, CHECKS_AGENT)) if each.severity == "error"] == ["SF401"]
    registry["entryStep"] = "s_0000"
    assert [each.code for each in lint(write(registry, CHECKS_AGENT)) if each.severity == "error"] == ["SF402"]
