"""Changes of steps with kind and address: what they write, climpt 1.14 takes."""

from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.changes import (
    AddEntry,
    AddFailurePattern,
    AddStep,
    AddValidationStep,
    AddValidator,
    RenameStep,
)
from stepflow_gui.formats.climpt.eras import CLIMPT_1_14
from stepflow_gui.formats.climpt.whole_check import boot_faults
from stepflow_gui.lint.examples.agent import files_of
from stepflow_gui.lint.examples.example import changed
from stepflow_gui.run.machine.loading import load
from tests.formats.changes.hand import Agent


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    folder = tmp_path / ".agent" / "issue-flow"
    for name, text in files_of(changed(base="adt-kind-address")).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return Agent.open(folder)


def refusals(agent: Agent) -> list[str | None]:
    """What climpt 1.14 has against the agent."""
    error = load(agent.folder, CLIMPT_1_14, None).error
    return [*([error.code] if error else []), *(fault.code for fault in boot_faults(agent.folder.flow))]


def registry(agent: Agent) -> dict[str, Any]:
    root = agent.folder.registry.root
    assert root is not None
    value: dict[str, Any] = root.value
    return value


@pytest.mark.parametrize(
    "change",
    [
        AddStep("initial.project", "work"),
        AddStep("verification.issue", "verification"),
        AddStep("closure.project", "closure"),
        AddStep("section.rules", "section"),
        AddEntry("count:iteration", "initial.issue"),
        RenameStep("continuation.issue", "continuation.project", prompts=True),
    ],
    ids=lambda change: f"{type(change).__name__} {change[0]}",
)
def test_the_agent_is_taken_after_a_change(agent: Agent, change: Any) -> None:
    assert refusals(agent) == []
    assert refusals(agent.done(change).agent) == []


def test_an_entry_is_a_pair_whose_continuation_goes_with_its_first_step(agent: Agent) -> None:
    after = agent.done(AddEntry("count:iteration", "initial.issue")).agent
    pair = registry(after)["entryStepMapping"]["count:iteration"]
    assert pair == {"initial": "initial.issue", "continuation": "continuation.issue"}


def test_a_new_step_has_kind_and_address_and_nothing_of_before(agent: Agent) -> None:
    after = agent.done(AddStep("verification.issue", "verification")).agent
    step = after.steps["verification.issue"]
    assert step["kind"] == "verification"
    assert step["address"] == {"c1": "steps", "c2": "verification", "c3": "issue", "edition": "default"}
    assert not {"stepKind", "c2", "c3", "edition"} & step.keys()


def test_checks_run_after_the_query_and_find_their_retry_prompt(agent: Agent) -> None:
    after = agent.done(AddFailurePattern("dirty", "Changes", params=("files",))).agent
    after = after.done(AddValidator("clean", "git status --porcelain", "dirty", "empty")).agent
    after = after.done(AddValidationStep("closure.polling", ("clean",))).agent
    value = registry(after)
    assert value["validators"]["clean"]["phase"] == "postllm"
    step = value["validationSteps"]["closure.polling"]
    assert step["postLLMConditions"] == [{"validator": "clean"}]
    assert (step["c2"], step["c3"]) == (step["address"]["c2"], step["address"]["c3"])
    assert refusals(after) == []
