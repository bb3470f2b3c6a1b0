"""`stepflow convert`: a dry run with its difference, writing in place and elsewhere, exit codes, JSON."""

import json
from pathlib import Path

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder
from tests.cli.conftest import Run
from tests.project.converting.agents import from_template, opened


@pytest.fixture
def agent(tmp_path: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> AgentFolder:
    monkeypatch.chdir(tmp_path)
    return from_template(tmp_path, checkout, "complete-flow")


def texts(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_without_a_wish_to_write_only_the_difference_is_shown(agent: AgentFolder, run: Run) -> None:
    before = texts(agent.root)
    ran = run("convert", "demo", "--to", "closing")
    assert ran.code == 1
    assert "+++ b/.agent/demo/steps_registry.json" in ran.out
    assert '+        "handoff": { "target": "closure.issue" }' in ran.out
    assert "What can't be kept" in ran.err
    assert ".agent/demo/prompts/steps/complete/issue/f_default.md" in ran.err
    assert texts(agent.root) == before


def test_written_in_place_it_lints_and_is_done(agent: AgentFolder, run: Run) -> None:
    ran = run("convert", ".agent/demo", "--to", "closing", "--write")
    assert (ran.code, ran.out) == (0, "")
    assert not (agent.folder / "prompts/steps/complete").exists()
    assert (agent.folder / "prompts/steps/closure/issue/f_default.md").is_file()
    assert not [each for each in lint(opened(agent.folder)) if each.severity == "error"]
    again = run("convert", ".agent/demo", "--to", "closing")
    assert (again.code, again.out) == (0, "")
    assert "nothing has to change" in again.err


def test_written_elsewhere_the_agent_stays(agent: AgentFolder, run: Run) -> None:
    before = texts(agent.folder)
    assert run("convert", ".agent/demo", "--to", "c3l", "--output", "new").code == 0
    assert texts(agent.folder) == before
    made = opened(Path("new"))
    assert made.flow.format == "c3l"
    assert set(texts(Path("new"))) == {name.replace("steps/complete", "steps/closure") for name in before}
    assert run("convert", ".agent/demo", "--to", "c3l", "--output", "new").code == 2


def test_as_json_it_has_everything(agent: AgentFolder, run: Run) -> None:
    ran = run("convert", str(agent.folder), "--to", "closing", "--format", "json")
    said = json.loads(ran.out)
    assert (ran.code, said["from"], said["to"], said["written"]) == (1, "complete", "closing", False)
    assert said["steps"]["complete.issue"] == ["closure.issue"]
    assert {"file", "pointer", "what", "why"} == set(said["lost"][0])
    assert [file["path"] for file in said["files"] if file["new"]] == [
        ".agent/demo/prompts/steps/closure/issue/f_default.md"
    ]


def test_what_cant_be_converted_is_reported_with_its_place(agent: AgentFolder, run: Run) -> None:
    agent.registry.path.write_text('{"steps": {,}}')
    ran = run("convert", ".agent/demo", "--to", "closing", "--write")
    assert ran.code == 2
    why = "“steps_registry.json” has a syntax error in line 1: fix it first"
    assert f".agent/demo/steps_registry.json: {why}" in ran.err
    assert run("convert", "nowhere", "--to", "closing").code == 2
    assert run("convert", ".agent/demo", "--to", "takt").code == 2


def test_a_settings_file_is_shown_as_written_only_where_it_is(agent: AgentFolder, run: Run) -> None:
    name = ".agent/climpt/config/claude.settings.climpt.agents.demo.json"
    copied = run("convert", ".agent/demo", "--to", "adt-kind-address", "--output", "new")
    assert copied.code == 0
    assert f"{name}, where tools and permission mode belong now, lies outside the agent's folder" in copied.err
    assert "are now in" not in copied.err
    assert not Path(name).exists()
    written = run("convert", ".agent/demo", "--to", "adt-kind-address", "--write")
    assert (written.code, Path(name).is_file()) == (0, True)
    assert f"Tools and permission mode are now in {name}" in written.err
