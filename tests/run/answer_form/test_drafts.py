"""Drafts of answers are kept for their moment of a run."""

import json
import shutil
from pathlib import Path

import pytest

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.answer_form.drafts import Drafts
from stepflow_gui.run.session import Run


@pytest.fixture
def agent(checkout: Path, tmp_path: Path) -> AgentFolder:
    root = tmp_path / "project"
    shutil.copytree(checkout / "resources" / "examples" / "issue-flow", root)
    found = open_agent(root)
    assert isinstance(found, AgentFolder)
    return found


@pytest.fixture
def run(agent: AgentFolder) -> Run:
    run = Run(agent.flow)
    run.start("initial.issue")
    return run


def test_a_draft_is_found_again_when_the_run_is_stepped_back(agent: AgentFolder, run: Run) -> None:
    drafts = Drafts()
    first = drafts.of(run, agent)
    assert first is not None
    assert drafts.of(run, agent) is first
    first.set("/summary", "half")
    run.send(first.answered() or pytest.fail("no answer"))
    second = drafts.of(run, agent)
    assert second is not None
    assert second.step.id == "continuation.issue"
    run.back()
    assert drafts.of(run, agent) is first
    assert first.value["summary"] == "half"


def test_each_visit_and_each_run_has_its_own(agent: AgentFolder, run: Run) -> None:
    drafts = Drafts()
    first = drafts.of(run, agent)
    run.answer({"next_action": {"action": "repeat"}})
    again = drafts.of(run, agent)
    assert again is not None
    assert again.step.id == "initial.issue"
    assert again is not first
    other = Run(agent.flow)
    other.start("initial.issue")
    assert drafts.of(other, agent) is not first


def test_what_was_written_outlives_a_changed_schema(agent: AgentFolder, run: Run) -> None:
    drafts = Drafts()
    first = drafts.of(run, agent)
    assert first is not None
    first.write('{"half": ')
    file = next(agent.folder.glob("schemas/*.json"))
    content = json.loads(file.read_text("utf-8"))
    content["initial.issue"]["required"].append("analysis")
    content["initial.issue"]["properties"]["mood"] = {"type": "string"}
    file.write_text(json.dumps(content), "utf-8")
    second = drafts.of(run, agent.reread([file]))
    assert second is not None
    assert second is not first
    assert second.text == '{"half": '
    assert "mood" in second.schema["properties"]


def test_the_files_draft_is_taken(agent: AgentFolder, run: Run) -> None:
    draft = Drafts().of(run, agent)
    assert draft is not None
    assert draft._dialect == "http://json-schema.org/draft-07/schema#"


def test_a_run_that_waits_for_no_answer_has_none(agent: AgentFolder, run: Run) -> None:
    drafts = Drafts()
    assert drafts.of(Run(agent.flow), agent) is None
    run.answer({"next_action": {"action": "nonsense"}})
    assert run.state.error is not None
    assert drafts.of(run, agent) is not None, "another answer can be given"
