"""An agent opens from any of its files, sees unsaved texts first, and reads nothing outside its project."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source

from .conftest import AGENT, REGISTRY, SCHEMA, Project


def opened(path: Path, **more: Any) -> AgentFolder:
    agent = open_agent(path, **more)
    assert isinstance(agent, AgentFolder)
    return agent


def refused(path: Path) -> ReadProblem:
    problem = open_agent(path)
    assert isinstance(problem, ReadProblem)
    return problem


def enum(agent: AgentFolder) -> list[Any]:
    return [value.value for value in agent.schema(agent.flow.steps["initial.issue"]).enum]


def kind(agent: AgentFolder) -> str | None:
    problem = agent.schema(agent.flow.steps["initial.issue"]).problem
    return problem.kind if problem else None


@pytest.mark.parametrize("name", ["root", "agent", "registry", "agent_file", "schema", "prompt"])
def test_every_path_of_the_agent_opens_its_registry(project: Project, name: str) -> None:
    agent = opened(getattr(project, name))
    assert agent.registry.path == project.registry
    assert (agent.root, agent.folder, agent.format) == (project.root, project.agent, "closing")
    assert agent.agent is not None
    assert agent.agent.verdict_type is not None
    assert agent.agent.verdict_type.value == "poll:state"
    assert enum(agent) == ["next", "repeat"]


def test_a_relative_path_opens_too(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.agent / "schemas")
    assert opened(Path("issue.schema.json")).registry.path == project.registry
    assert opened(Path("..")).registry.path == project.registry


def test_a_schema_that_lies_elsewhere_belongs_to_the_registry_that_names_it(project: Project) -> None:
    project.write(".agent/demo/steps_registry.json", {**REGISTRY, "schemasBase": "shared/schemas"})
    shared = project.write("shared/schemas/issue.schema.json", SCHEMA)
    assert opened(shared).registry.path == project.registry


def test_without_agent_json_everything_else_is_there(project: Project) -> None:
    project.agent_file.unlink()
    agent = opened(project.registry)
    assert (agent.agent, agent.agent_document) == (None, None)
    assert enum(agent) == ["next", "repeat"]


def test_the_registry_that_agent_json_names_comes_first(project: Project) -> None:
    named = {**AGENT, "runner": {"flow": {"prompts": {"registry": "flows/mine.json"}}}}
    project.write(".agent/demo/agent.json", named)
    mine = project.write(".agent/demo/flows/mine.json", REGISTRY)
    agent = opened(project.agent)
    assert agent.registry.path == mine
    assert agent.folder == project.agent
    assert opened(project.registry).registry.path == project.registry


def test_a_registry_json_counts_beside_an_agent_json(project: Project) -> None:
    other = project.registry.rename(project.agent / "registry.json")
    assert opened(project.agent).registry.path == other
    project.agent_file.unlink()
    assert refused(project.agent).kind == "no-registry"


def test_what_is_not_there(project: Project) -> None:
    assert refused(project.root / "gone.json").kind == "missing"
    (project.root / "empty").mkdir()
    assert refused(project.root / "empty").kind == "no-registry"
    assert refused(project.write("notes/readme.md", "text")).kind == "no-registry"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"steps": 3}', "null", "# no json"])
def test_a_registry_that_holds_none_opens_with_an_empty_flow(project: Project, text: str) -> None:
    project.registry.write_text(text, encoding="utf-8")
    agent = opened(project.registry)
    assert (agent.format, agent.flow.format, agent.flow.steps) == (None, "", {})
    assert agent.agent is not None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_not_taken_for_missing(project: Project) -> None:
    os.mkfifo(project.root / "pipe")
    assert refused(project.root / "pipe").kind == "unreadable"
    assert refused(project.root / "none").kind == "missing"


@pytest.mark.parametrize("name", ["schema", "prompt"])
def test_a_file_of_a_folder_without_a_project_belongs_to_the_registry_above_that_names_it(
    project: Project, tmp_path: Path, name: str
) -> None:
    taken_out = tmp_path / "elsewhere" / "demo"
    taken_out.parent.mkdir()
    project.agent.rename(taken_out)
    path = taken_out / getattr(project, name).relative_to(project.agent)
    agent = opened(path)
    assert agent.registry.path == taken_out / "steps_registry.json"
    assert agent.root == taken_out
    other = path.with_name("other.json")
    other.write_text("{}")
    assert opened(other).registry.path == other


def test_another_json_file_stands_for_itself(tmp_path: Path) -> None:
    other = tmp_path / "package.json"
    other.write_text('{"name": "x"}', encoding="utf-8")
    agent = opened(other)
    assert agent.registry.path == other
    assert agent.format is None


def test_bytes_that_are_no_text_are_a_problem(project: Project) -> None:
    project.registry.write_bytes(b'{"steps": {}, "x": "\xff"}')
    assert refused(project.registry).kind == "not-utf8"


def test_the_format_can_be_given(project: Project) -> None:
    assert opened(project.registry, format_id="complete").flow.format == "complete"


# Where schemas and prompts lie.


def test_schemas_are_looked_for_in_this_order(project: Project) -> None:
    flow = {**AGENT["runner"]["flow"], "schemas": {"base": "own"}}
    project.write(".agent/demo/agent.json", {**AGENT, "runner": {**AGENT["runner"], "flow": flow}})
    project.write(".agent/demo/steps_registry.json", {**REGISTRY, "schemasBase": "base"})
    project.schema.unlink()
    agent = opened(project.registry)
    candidates = [path.relative_to(project.root).as_posix() for path in agent.schema_candidates("s.json")]
    assert candidates == ["base/s.json", "own/s.json", ".agent/demo/own/s.json", ".agent/demo/schemas/s.json"]
    assert kind(agent) == "file-missing"
    for folder in reversed(["base", "own", ".agent/demo/own", ".agent/demo/schemas"]):
        changed = json.loads(json.dumps(SCHEMA).replace('"next"', json.dumps(folder)))
        project.write(f"{folder}/issue.schema.json", changed)
        assert enum(opened(project.registry))[0] == folder


def test_a_missing_schema_is_named_by_its_first_candidate(project: Project) -> None:
    project.schema.unlink()
    agent = opened(project.registry)
    problem = agent.schema(agent.flow.steps["initial.issue"]).problem
    assert problem is not None
    assert problem.file == project.schema


def test_a_folder_taken_out_of_its_project_still_works(project: Project, tmp_path: Path) -> None:
    taken = project.agent.rename(tmp_path / "taken")
    agent = opened(taken)
    assert agent.root == taken
    assert enum(agent) == ["next", "repeat"]


def test_prompts_are_looked_for_in_this_order(project: Project) -> None:
    agent = opened(project.registry)
    step = agent.flow.steps["initial.issue"]
    tail = "steps/initial/issue/f_default.md"
    assert agent.prompt_candidates(step) == [project.agent / "prompts" / tail]
    flow = {"prompts": {"registry": "steps_registry.json", "fallbackDir": "spare"}}
    project.write(".agent/demo/agent.json", {**AGENT, "runner": {"flow": flow}})
    changed = json.loads(json.dumps({**REGISTRY, "userPromptsBase": "base"}))
    changed["steps"]["initial.issue"]["adaptation"] = "short"
    project.write(".agent/demo/steps_registry.json", changed)
    agent = opened(project.registry)
    step = agent.flow.steps["initial.issue"]
    tail = "steps/initial/issue/f_default_short.md"
    assert [path.relative_to(project.root).as_posix() for path in agent.prompt_candidates(step)] == [
        f"base/{tail}",
        f".agent/demo/prompts/{tail}",
        f".agent/demo/spare/{tail}",
    ]


# Nothing outside the project is read.


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.json"
    path.write_text(json.dumps(SCHEMA), encoding="utf-8")
    return path


def test_a_schema_outside_is_refused(project: Project, secret: Path) -> None:
    for file in ("../../../../secret.json", str(secret)):
        changed = json.loads(json.dumps(REGISTRY))
        changed["steps"]["initial.issue"]["outputSchemaRef"]["file"] = file
        project.write(".agent/demo/steps_registry.json", changed)
        assert kind(opened(project.registry)) == "file-outside"


def test_a_link_that_points_outside_is_refused(project: Project, secret: Path) -> None:
    project.schema.unlink()
    project.schema.symlink_to(secret)
    assert kind(opened(project.registry)) == "file-outside"
    project.schema.unlink()
    project.schema.parent.rmdir()
    (secret.parent / "issue.schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    project.schema.parent.symlink_to(secret.parent, target_is_directory=True)
    assert kind(opened(project.registry)) == "file-outside"


def test_a_registry_that_a_link_points_outside_is_refused(project: Project, secret: Path) -> None:
    secret.write_text("password=hunter2", encoding="utf-8")
    project.registry.unlink()
    project.registry.symlink_to(secret)
    for path in (project.registry, project.agent, project.agent / "agent.json"):
        problem = refused(path)
        assert (problem.kind, problem.path, problem.detail) == ("outside", project.registry, str(secret))
        assert "hunter2" not in describe(problem)
        assert str(secret) in describe(problem)


def test_a_piece_that_a_link_points_outside_is_refused(project: Project, tmp_path: Path) -> None:
    target = tmp_path / "beyond.yaml"
    target.write_text("password: hunter2\n", encoding="utf-8")
    piece = project.root / ".takt" / "pieces" / "demo.yaml"
    piece.parent.mkdir(parents=True)
    piece.symlink_to(target)
    assert refused(piece).kind == "outside"


def test_a_link_to_an_agent_in_the_project_and_a_project_below_a_link_are_opened(project: Project) -> None:
    inner = project.root / "lone" / "steps_registry.json"
    inner.parent.mkdir()
    inner.symlink_to(project.registry)
    assert opened(inner).registry.path == inner
    linked = project.root.parent / "linked"
    linked.symlink_to(project.root, target_is_directory=True)
    below = linked / project.registry.relative_to(project.root)
    assert opened(below).registry.path == below


def test_a_registry_that_becomes_a_link_outside_stays_as_it_was_read(project: Project, secret: Path) -> None:
    agent = opened(project.registry)
    project.registry.unlink()
    project.registry.symlink_to(secret)
    assert agent.reread([project.registry]).registry is agent.registry
    assert not agent.carry_on({}, None)


def test_a_ref_that_points_outside_is_refused(project: Project, secret: Path) -> None:
    assert secret.exists()
    project.write(".agent/demo/schemas/issue.schema.json", {"initial.issue": {"$ref": "../../../../secret.json#/a"}})
    assert kind(opened(project.registry)) == "file-outside"


def test_dots_that_stay_inside_are_no_matter(project: Project) -> None:
    project.write(".agent/demo/steps_registry.json", {**REGISTRY, "schemasBase": ".agent/../.agent/demo/schemas"})
    assert enum(opened(project.registry)) == ["next", "repeat"]


@pytest.mark.parametrize("name", ["a\0b.json", "x" * 5000])
def test_a_name_that_no_file_can_have_is_a_problem(project: Project, name: str) -> None:
    changed = json.loads(json.dumps(REGISTRY))
    changed["steps"]["initial.issue"]["outputSchemaRef"]["file"] = name
    project.write(".agent/demo/steps_registry.json", changed)
    assert kind(opened(project.registry)) in {"file-missing", "file-outside", "file-unreadable"}


def test_a_folder_in_place_of_a_schema_is_a_problem(project: Project) -> None:
    project.schema.unlink()
    project.schema.mkdir()
    assert kind(opened(project.registry)) == "file-unreadable"


# Unsaved texts.


def test_unsaved_texts_come_before_the_files(project: Project) -> None:
    text = project.schema.read_text(encoding="utf-8").replace('"repeat"', '"jump"')
    agent = opened(project.registry, buffers={project.schema: Source(text)})
    assert enum(agent) == ["next", "jump"]
    assert enum(agent.with_buffers({})) == ["next", "repeat"]


def test_an_edit_of_one_file_rereads_that_file_alone(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    before = opened(project.registry)
    assert enum(before) == ["next", "repeat"]
    schema = before.document(project.schema)
    read: list[Path] = []
    original = ParsedFile.read.__func__  # type: ignore[attr-defined]

    def counting(cls: type[ParsedFile], path: Path, source: Source) -> ParsedFile:
        read.append(path)
        return original(cls, path, source)  # type: ignore[no-any-return]

    monkeypatch.setattr(ParsedFile, "read", classmethod(counting))
    text = before.registry.source.text.replace("initial_issue", "initial_x")
    after = before.with_buffers({project.registry: Source(text)})
    assert enum(after) == ["next", "repeat"]
    assert read == [project.registry]
    assert after.document(project.schema) is schema
    assert (after.agent_document, after.agent) == (before.agent_document, before.agent)
    key = after.flow.steps["initial.issue"].fallback_key
    assert key is not None
    assert key.value == "initial_x"
    assert before.flow.steps["initial.issue"].fallback_key != key


def test_an_edit_of_a_schema_keeps_the_flow_and_changes_the_schemas(project: Project) -> None:
    before = opened(project.registry)
    assert enum(before) == ["next", "repeat"]
    after = before.with_buffers({project.schema: Source("{")})
    assert after.flow is before.flow
    assert kind(after) == "file-invalid"
    assert enum(before) == ["next", "repeat"]
    again = after.with_buffers({project.agent_file: Source(json.dumps(AGENT))})
    assert enum(again) == ["next", "repeat"]


def test_an_unread_schema_is_read_with_the_newest_texts(project: Project) -> None:
    changed = json.loads(json.dumps(REGISTRY))
    changed["steps"]["other"] = json.loads(
        json.dumps(REGISTRY["steps"]["initial.issue"]).replace("issue.sch", "new.sch")
    )
    project.write(".agent/demo/steps_registry.json", changed)
    before = opened(project.registry)
    assert enum(before) == ["next", "repeat"]
    after = before.with_buffers({project.schema.with_name("new.schema.json"): Source(json.dumps(SCHEMA))})
    assert after.schema(after.flow.steps["other"]).problem is None
    assert before.schema(before.flow.steps["other"]).problem is not None


def test_the_same_texts_change_nothing(project: Project) -> None:
    buffers = {project.registry: Source(json.dumps(REGISTRY)), project.schema: Source(json.dumps(SCHEMA))}
    before = opened(project.registry, buffers=buffers)
    step = before.flow.steps["initial.issue"]
    assert before.schema(step).problem is None
    after = before.with_buffers(dict(buffers))
    assert after.registry is before.registry
    assert after.flow is before.flow
    assert after.schema(step).enum_place is before.schema(step).enum_place


def test_a_file_that_changed_on_disk_is_read_again_on_request(project: Project) -> None:
    before = opened(project.registry)
    assert enum(before) == ["next", "repeat"]
    project.write(".agent/demo/schemas/issue.schema.json", json.dumps(SCHEMA).replace('"repeat"', '"jump"'))
    assert enum(before.with_buffers({})) == ["next", "repeat"]
    assert enum(before.reread([project.schema])) == ["next", "jump"]


def test_a_registry_that_vanished_stays_as_it_was_read(project: Project) -> None:
    before = opened(project.registry)
    project.registry.unlink()
    assert before.reread([project.registry]).registry is before.registry


def test_an_unsaved_text_reaches_a_file_through_a_link(project: Project) -> None:
    link = project.root / "link"
    link.symlink_to(project.agent, target_is_directory=True)
    text = project.schema.read_text(encoding="utf-8").replace('"repeat"', '"jump"')
    agent = opened(project.registry, buffers={link / "schemas" / "issue.schema.json": Source(text)})
    assert enum(agent) == ["next", "jump"]


@pytest.mark.usefixtures("permissions_bind")
def test_an_unreadable_registry_is_a_problem(project: Project) -> None:
    project.registry.chmod(0)
    assert refused(project.registry).kind == "unreadable"


def test_every_snapshot_opens(corpus: Path) -> None:
    paths = sorted((corpus / "climpt").glob("**/steps_registry.json"))
    assert len(paths) >= 140
    for path in paths:
        agent = opened(path.parent)
        assert agent.registry.path == path
        assert agent.format is not None
        assert agent.flow.steps
        assert agent.flow.odd_steps == []
        assert (agent.agent is not None) == (path.parent / "agent.json").exists()


def test_an_agent_that_is_carried_on_has_its_transitions_of_now(project: Project) -> None:
    text = json.dumps(REGISTRY, indent=2)
    project.registry.write_text(text, "utf-8")
    agent = opened(project.registry)
    assert [move.target for move in agent.flow.moves()] == ["initial.issue", "initial.issue"]
    other = text.replace('"target": "initial.issue"', '"target": "initial.other"', 1)
    assert agent.carry_on({project.registry: Source(other)}, None)
    assert [move.target for move in agent.flow.moves()] == ["initial.other", "initial.issue"]
