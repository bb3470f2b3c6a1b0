"""Names in a registry with checks: steps by their ids, prompts of steps and of checks."""

import json
from pathlib import Path

import pytest

from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.assist.address_names import address_names
from stepflow_gui.project.assist.go_to import definitions_at, references_at, why_no_definition
from stepflow_gui.project.assist.renaming import renaming
from stepflow_gui.project.assist.target_lookup import target_at
from stepflow_gui.text.edit import apply
from tests.seeds.documents import CHECKS

FIRST = "s_a8f3"


@pytest.fixture
def agent(tmp_path: Path) -> AgentFolder:
    """The design document's registry, the prompt of its second check missing, one more named by its path."""
    registry = json.loads(json.dumps(CHECKS))
    registry["steps"]["s_c9d4"]["prompt"] = {"path": "reviews/last.md"}
    path = tmp_path / "steps_registry.json"
    path.write_text(json.dumps(registry, indent=2), "utf-8")
    for prompt in ("steps/phase/analyze/f_default", "checks/step/analyze/f_default", "reviews/last"):
        file = tmp_path / "prompts" / f"{prompt}.md"
        file.parent.mkdir(parents=True)
        file.write_text("Look.\n", "utf-8")
    opened = open_agent(path)
    assert isinstance(opened, AgentFolder)
    return opened


def place(agent: AgentFolder, pointer: str, *, key: bool = False) -> int:
    """An offset inside the value, or the key, at a pointer."""
    tree = agent.registry.tree
    node, span = tree.at(pointer), tree.key_span(pointer)
    assert node is not None
    assert span is not None
    return (span.start if key else node.start) + 1


@pytest.mark.parametrize(
    ("pointer", "file"),
    [
        (f"/steps/{FIRST}/prompt/c3", "steps/phase/analyze/f_default.md"),
        (f"/steps/{FIRST}/check/prompt/c1", "checks/step/analyze/f_default.md"),
        ("/steps/s_c9d4/prompt/path", "reviews/last.md"),
    ],
)
def test_a_prompt_is_gone_to_by_any_part_of_its_address(pointer: str, file: str, agent: AgentFolder) -> None:
    (found,) = definitions_at(agent, agent.registry, place(agent, pointer))
    assert found.document.path == agent.folder / "prompts" / file


def test_a_prompt_that_is_missing_is_reported(agent: AgentFolder) -> None:
    at = place(agent, "/steps/s_b2c1/check/prompt/c3")
    assert definitions_at(agent, agent.registry, at) == []
    assert "doesn’t exist" in why_no_definition(agent, agent.registry, at)


@pytest.mark.parametrize("pointer", ["/entryStep", "/steps/s_b2c1/check/onFail/fallback", f"/steps/{FIRST}/id"])
def test_an_id_goes_to_its_step_and_all_its_places(pointer: str, agent: AgentFolder) -> None:
    at = place(agent, pointer)
    (found,) = definitions_at(agent, agent.registry, at)
    assert found.pointer == f"/steps/{FIRST}"
    places = {each.pointer for each in references_at(agent, agent.registry, at)}
    assert places == {
        f"/steps/{FIRST}",
        f"/steps/{FIRST}/id",
        "/steps/s_b2c1/check/onFail/fallback",
        "/entryStep",
    }


def test_in_the_source_an_id_is_renamed_wherever_it_stands(agent: AgentFolder) -> None:
    subject = target_at(agent, agent.registry, place(agent, f"/steps/{FIRST}", key=True))
    assert subject is not None
    made = renaming(agent, subject, "s_0001").plan
    assert isinstance(made, Plan)
    text = agent.registry.source.text
    assert apply(text, made.edits[agent.registry.path]) == text.replace(FIRST, "s_0001")
    assert isinstance(renaming(agent, subject, "analyze").plan, Refusal)


def test_paths_of_prompts_are_offered(agent: AgentFolder) -> None:
    offered = [name.text for name in address_names(agent, "/steps/s_c9d4/prompt/path")]
    assert "reviews/last.md" in offered
