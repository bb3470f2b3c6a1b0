"""What an agent consists of, as it is listed."""

from pathlib import Path

import pytest

from stepflow_gui.project import agent_listing
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.agent_listing import AgentListing, listing_of
from stepflow_gui.project.finding.find import is_repository
from tests.project.conftest import AGENT, REGISTRY, Project


def listed(path: Path) -> AgentListing:
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    return listing_of(agent)


def test_files_are_described_by_their_type(project: Project) -> None:
    project.write(".agent/demo/schemas/unused.json", {})
    project.write(".agent/demo/prompts/.hidden", "")
    project.prompt.unlink()
    listing = listed(project.registry)
    shown = {file.path.relative_to(project.agent).as_posix(): (file.role, file.there) for file in listing.files}
    assert shown == {
        "agent.json": ("agent", True),
        "prompts/steps/initial/issue/f_default.md": ("prompt", False),
        "prompts/system.md": ("prompt", False),
        "schemas/issue.schema.json": ("schema", True),
        "schemas/unused.json": ("schema", True),
        "steps_registry.json": ("registry", True),
    }
    assert next(file for file in listing.files if file.path == project.prompt).asked_by == ("initial.issue",)
    assert (listing.name, listing.format, listing.cut) == ("demo", "closing", False)


def test_an_agent_json_that_isnt_there_is_missing(project: Project) -> None:
    project.agent_file.unlink()
    agents = [(file.path, file.there) for file in listed(project.registry).files if file.role == "agent"]
    assert agents == [(project.agent_file, False)]


def test_a_registry_elsewhere_belongs_to_the_agent_that_names_it(project: Project) -> None:
    moved = project.write(".agent/demo/flows/main.json", REGISTRY)
    project.registry.unlink()
    flow = {**AGENT["runner"]["flow"], "prompts": {"registry": "flows/main.json"}}
    project.write(".agent/demo/agent.json", {**AGENT, "runner": {**AGENT["runner"], "flow": flow}})
    listing = listed(project.agent)
    assert (listing.registry, listing.folder) == (moved, project.agent)


def test_a_folder_without_end_is_cut(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_listing, "MOST", 5)
    for number in range(9):
        project.write(f".agent/demo/prompts/{number}.md", "")
    listing = listed(project.registry)
    assert (listing.cut, len(listing.files)) == (True, 5)
    assert any(file.role == "registry" for file in listing.files)


def test_a_repository_has_several_agents_and_is_none_itself(project: Project) -> None:
    assert not is_repository(project.root)
    project.write(".agent/other/steps_registry.json", REGISTRY)
    assert is_repository(project.root)
    assert not is_repository(project.agent)
    project.write("steps_registry.json", REGISTRY)
    assert not is_repository(project.root)


def test_a_folder_of_pieces_is_a_repository_too(tmp_path: Path) -> None:
    pieces = tmp_path / ".takt" / "pieces"
    pieces.mkdir(parents=True)
    for name in ("one", "two"):
        (pieces / f"{name}.yaml").write_text(f"name: {name}\nmovements: []\n", "utf-8")
    assert is_repository(pieces)
    assert is_repository(tmp_path)
