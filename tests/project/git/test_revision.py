"""Agents as a git revision has them: found, read and compared without being checked out."""

import json
from pathlib import Path

import pytest

from stepflow_gui.bundled import resource
from stepflow_gui.flow.comparison.flows import compare_flows
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.comparison import compare_agents, compare_documents
from stepflow_gui.project.creating.new_agent import NewAgentPlan, make, want
from stepflow_gui.project.creating.templates import template_of
from stepflow_gui.project.finding.find import find_registries
from stepflow_gui.project.git.revision import Revision, RevisionProblem, revision_of
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source
from tests.conftest import Git

AGENT = Path(".agent", "issue-flow")


@pytest.fixture
def work_tree(tmp_path: Path, git: Git) -> Path:
    """A repository with the bundled example, committed."""
    example = Path(str(resource("examples", "issue-flow")))
    for path in (path for path in example.rglob("*") if path.is_file()):
        target = tmp_path / path.relative_to(example)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "the example")
    return tmp_path


def head(folder: Path) -> Revision:
    found = revision_of(folder, "HEAD")
    assert isinstance(found, Revision)
    return found


def agent_at(revision: Revision, registry: Path) -> AgentFolder:
    found = revision.agent(registry)
    assert isinstance(found, AgentFolder)
    return found


def opened(path: Path) -> AgentFolder:
    found = open_agent(path)
    assert isinstance(found, AgentFolder)
    return found


def test_it_is_the_same_agent_with_all_its_files(work_tree: Path) -> None:
    now = opened(work_tree)
    then = agent_at(head(work_tree), now.registry.path)
    assert then.registry.source.text == now.registry.source.text
    assert then.root == now.root
    assert then.agent_document is not None
    assert [each.path for each in then.schema_files()] == [each.path for each in now.schema_files()]
    for step in now.flow.steps.values():
        assert [each.value for each in then.schema(then.flow.steps[step.id]).enum] == [
            each.value for each in now.schema(step).enum
        ]
    assert then.files_below(then.folder) == now.files_below(now.folder)
    assert compare_agents(then, now).same


def test_it_is_read_as_it_was_whatever_lies_there_now(work_tree: Path) -> None:
    now = opened(work_tree)
    before = now.registry.source.text
    for path in sorted((work_tree / ".agent").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    then = agent_at(head(work_tree), now.registry.path)
    assert then.registry.source.text == before
    assert then.agent_document is not None
    assert not any(isinstance(each, ReadProblem) for each in then.schema_files())


def test_what_was_not_there_then_is_missing(work_tree: Path) -> None:
    new = work_tree / AGENT / "new.json"
    new.write_text("{}", "utf-8")
    revision = head(work_tree)
    then = agent_at(revision, opened(work_tree).registry.path)
    assert not then.exists(new)
    assert then.document(new) == ReadProblem("missing", new)
    assert revision.document(new) == ReadProblem("missing", new)
    assert new not in then.files_below(then.folder)


def test_registries_are_found_as_in_a_folder(work_tree: Path, git: Git) -> None:
    registry = opened(work_tree).registry.path
    assert head(work_tree).registries(work_tree) == [registry]
    assert head(work_tree).registries(work_tree / AGENT) == [registry]
    assert head(work_tree).registries(work_tree / "lost") == []
    git("mv", str(registry), str(registry.with_name("flow.json")))
    agent = json.loads((work_tree / AGENT / "agent.json").read_text("utf-8"))
    agent["runner"]["flow"]["prompts"]["registry"] = "flow.json"
    (work_tree / AGENT / "agent.json").write_text(json.dumps(agent), "utf-8")
    git("commit", "-qam", "another name")
    assert head(work_tree).registries(work_tree) == [registry.with_name("flow.json")]


def test_names_with_odd_letters_and_no_utf_8(work_tree: Path, git: Git) -> None:
    folder = work_tree / 'o"d\n日本'
    folder.mkdir()
    (folder / "steps_registry.json").write_text('{"steps": {}}', "utf-8")
    (folder / "latin.json").write_bytes(b"\xe9")
    git("add", "-A")
    git("commit", "-qm", "odd")
    revision = head(work_tree)
    assert folder / "steps_registry.json" in (revision.registries(work_tree) or [])
    assert isinstance(revision.document(folder / "steps_registry.json"), ParsedFile)
    assert revision.document(folder / "latin.json") == ReadProblem("not-utf8", folder / "latin.json", "0")


def test_a_link_is_not_followed(work_tree: Path, git: Git) -> None:
    (work_tree / "link.json").symlink_to("/etc/hostname")
    git("add", "-A")
    git("commit", "-qm", "link")
    assert isinstance(head(work_tree).document(work_tree / "link.json"), ReadProblem)


def test_it_is_asked_again_while_a_window_edits(work_tree: Path) -> None:
    """A window keeps the old side and compares each new reading with it."""
    now = opened(work_tree)
    then = agent_at(head(work_tree), now.registry.path)
    text = now.registry.source.text
    edited = now.with_buffers({now.registry.path: Source(text.replace('"failFast": true', '"failFast": false'))})
    assert len(compare_flows(then.flow, edited.flow).fields) == text.count('"failFast": true')
    edited = edited.with_buffers({now.registry.path: Source(text.replace('"closure.issue"', '"closure.done"'))})
    comparison = compare_agents(then, edited)
    assert comparison.flow is not None
    assert comparison.flow.renames == {"closure.issue": "closure.done"}
    assert compare_agents(then, edited.with_buffers({})).same


@pytest.mark.parametrize("name", ["lost", "", "--all", "HEAD\0", "HEAD:.agent"])
def test_a_revision_that_git_does_not_know(name: str, work_tree: Path) -> None:
    assert isinstance(revision_of(work_tree, name), RevisionProblem)


def test_come_and_gone(work_tree: Path) -> None:
    now = opened(work_tree)
    come, gone = compare_agents(None, now), compare_agents(now, None)
    assert come.flow is not None
    assert gone.flow is not None
    assert {step.kind for step in come.flow.steps} == {"added"}
    assert {step.kind for step in gone.flow.steps} == {"removed"}
    assert {file.kind for file in come.files} == {"added"}
    assert {file.role for file in come.files} == {"agent", "schema", "prompt"}
    assert {file.path for file in come.files} == {file.path for file in gone.files}
    assert compare_documents(None, None).same


def test_a_copy_under_another_name_is_the_same(work_tree: Path) -> None:
    """Files are identified by their path from the agent's folder, so that two folders can be compared."""
    text = (work_tree / AGENT / "steps_registry.json").read_text("utf-8")
    copy = work_tree / ".agent" / "copy"
    for path in (path for path in (work_tree / AGENT).rglob("*") if path.is_file()):
        target = copy / path.relative_to(work_tree / AGENT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    (copy / "steps_registry.json").write_text(text.replace(".agent/issue-flow/", ".agent/copy/"), "utf-8")
    comparison = compare_agents(opened(work_tree / AGENT), opened(copy))
    assert comparison.files == ()
    assert comparison.flow is not None
    assert {change.pointer for change in comparison.flow.fields} == {"/userPromptsBase", "/schemasBase"}


def test_pieces_are_found_as_in_a_folder(work_tree: Path, git: Git) -> None:
    template = template_of("takt-piece")
    assert template is not None
    wanted = want(template, work_tree, "loop")
    assert isinstance(wanted, NewAgentPlan)
    make(wanted)
    git("add", "-A")
    git("commit", "-qm", "a piece and its scripts")
    assert head(work_tree).registries(work_tree) == find_registries(work_tree)
    assert [path.name for path in find_registries(work_tree / ".takt")] == ["loop.yaml"]


@pytest.mark.parametrize("kind", ["commit", "tree"])
def test_an_object_that_is_not_in_the_clone_is_told_in_plain_words(kind: str, work_tree: Path, git: Git) -> None:
    name = git("rev-parse", "HEAD" if kind == "commit" else "HEAD^{tree}").strip()
    (work_tree / "more.md").write_text("more")
    git("add", "-A")
    git("commit", "-qm", "more")
    (work_tree / ".git" / "objects" / name[:2] / name[2:]).unlink()
    found = revision_of(work_tree, "HEAD~1")
    if isinstance(found, Revision):
        files = found.files(work_tree)
        assert isinstance(files, RevisionProblem)
        found = files
    said = found.message
    assert "in this clone" in said
    assert not any(word in said for word in ("fatal", "error:"))


def test_a_shallow_clone_says_how_to_get_the_rest(work_tree: Path, git: Git, tmp_path: Path) -> None:
    (work_tree / "more.md").write_text("more")
    git("add", "-A")
    git("commit", "-qm", "more")
    git("clone", "-q", "--depth", "1", f"file://{work_tree}", "shallow")
    found = revision_of(work_tree / "shallow", "HEAD~1")
    assert isinstance(found, RevisionProblem)
    assert "git fetch --unshallow" in str(found)
    told = revision_of(work_tree, "lost")
    assert "shallow" not in str(told)
