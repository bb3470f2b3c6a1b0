"""A converted agent in a folder of its own: it reads its own files there, and is called as that folder."""

import json
import shutil
from pathlib import Path

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.fixing import FixedFile, save
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.converting.writing import changes_of, notes_of, removals_of, write_copy
from tests.project.converting.agents import converted, from_template, opened, value


def _said(agent: AgentFolder) -> list[str]:
    return sorted(f"{each.code} {each.severity}" for each in lint(agent) if each.severity != "info")


@pytest.fixture(params=["complete-flow", "check-flow"])
def agent(request: pytest.FixtureRequest, tmp_path: Path, checkout: Path) -> AgentFolder:
    return from_template(tmp_path / "project", checkout, request.param)


@pytest.mark.parametrize("target", ["closing", "c3l"])
@pytest.mark.parametrize("place", ["project/.agent/other", "project/elsewhere/other", "new/.agent/other", "alone"])
def test_a_copy_has_the_findings_that_it_has_in_place(
    target: str, place: str, agent: AgentFolder, tmp_path: Path
) -> None:
    to = tmp_path / place
    (tmp_path / "new" / ".git").mkdir(parents=True)
    found = converted(agent, target)
    assert isinstance(write_copy(found, to), list)
    shutil.copytree(agent.root, tmp_path / "in-place")
    twin = converted(opened(tmp_path / "in-place" / ".agent" / "demo"), target)
    done = save([FixedFile(*change, twin.before.root) for change in changes_of(twin)], removals_of(twin))
    assert isinstance(done, list)
    patterns = any("patterns" in note and "not written" in note for note in notes_of(found, to))  # they are SF514's
    new = set(_said(opened(to))) - set(_said(opened(twin.before.folder)))
    assert new <= ({"SF514 warning"} if patterns else set())


def test_a_copy_reads_nothing_of_the_original(agent: AgentFolder, tmp_path: Path) -> None:
    to = tmp_path / "project" / ".agent" / "other"
    assert isinstance(write_copy(converted(agent, "closing"), to), list)
    shutil.rmtree(agent.folder)
    made = opened(to)
    assert not {"SF506", "SF701", "SF808"} & {each.code for each in lint(made)}
    root = made.registry.root
    assert root is not None
    assert (root.value["agentId"], root.value["userPromptsBase"]) == ("other", ".agent/other/prompts")


def test_its_other_name_is_told(agent: AgentFolder, tmp_path: Path) -> None:
    found = converted(agent, "closing")
    inside, beside = tmp_path / "project" / ".agent" / "other", tmp_path / "elsewhere"
    assert "The copy is named “other”, like its folder in .agent" in notes_of(found, inside)
    assert not any("is called" in note for note in notes_of(found, beside))
    assert not any("is called" in note for note in notes_of(found))


def test_shared_schemas_that_are_not_copied_are_named(tmp_path: Path, checkout: Path) -> None:
    agent = from_template(tmp_path / "project", checkout, "issue-flow")
    shutil.move(agent.folder / "schemas", agent.root / "shared")
    text = agent.registry.source.text.replace(".agent/demo/schemas", "shared")
    agent.registry.path.write_text(text, "utf-8")
    found = converted(opened(agent.folder))
    (tmp_path / "new" / ".git").mkdir(parents=True)
    text = "shared, which steps_registry.json names, lies outside the agent's folder: not copied"
    assert text in notes_of(found, tmp_path / "new" / ".agent" / "other")
    assert text not in notes_of(found, agent.root / ".agent" / "other")


def test_a_prompt_that_changes_and_goes_is_not_written_before(tmp_path: Path, checkout: Path) -> None:
    """A variable of a prompt gets another name, and the prompt another place."""
    complete = from_template(tmp_path, checkout, "complete-flow")
    registry = value(complete)
    step = registry["steps"]["initial.issue"]
    old = complete.folder / "prompts/steps/initial/issueFlow/f_default.md"
    old.parent.mkdir(parents=True)
    shutil.move(complete.folder / "prompts/steps/initial/issue/f_default.md", old)
    step |= {"c3": "issueFlow", "uvVariables": ["issue_number"]}
    complete.registry.path.write_text(json.dumps(registry), "utf-8")
    old.write_text("Issue {uv-issue_number}\n", "utf-8")
    found = converted(opened(complete.folder))
    assert old in found.unused
    assert old not in found.edits
    done = save([FixedFile(*change, found.before.root) for change in changes_of(found)], removals_of(found))
    assert isinstance(done, list)
    assert not old.exists()
