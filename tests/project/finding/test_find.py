"""A folder's registries are found, and what git ignores is not."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepflow_gui.project.finding.find import find_registries, scan
from stepflow_gui.project.finding.ignore import ignore_files_above, is_ignored, read_ignore_file
from tests.project.conftest import AGENT, REGISTRY, Project
from tests.sampling import examples


def found(project: Project) -> list[str]:
    return [path.relative_to(project.root).as_posix() for path in find_registries(project.root)]


def test_registries_by_their_names(project: Project) -> None:
    project.write(".agent/two/agent.json", AGENT)
    project.write(".agent/two/registry.json", REGISTRY)
    project.write("lone/steps_registry.json", REGISTRY)
    project.write("npm/registry.json", {"packages": {}})
    project.write("plain/agent.json", AGENT)
    project.write("plain/registry.json", {"packages": {}})
    assert found(project) == [
        ".agent/demo/steps_registry.json",
        ".agent/two/registry.json",
        "lone/steps_registry.json",
    ]


def test_a_registry_that_agent_json_names(project: Project) -> None:
    named = {**AGENT, "runner": {"flow": {"prompts": {"registry": "flows/mine.json"}}}}
    project.write(".agent/demo/agent.json", named)
    project.write(".agent/demo/flows/mine.json", REGISTRY)
    assert found(project) == [".agent/demo/flows/mine.json", ".agent/demo/steps_registry.json"]
    outside = {**AGENT, "runner": {"flow": {"prompts": {"registry": "../../../elsewhere.json"}}}}
    project.write(".agent/demo/agent.json", outside)
    (project.root.parent / "elsewhere.json").write_text("{}", encoding="utf-8")
    assert found(project) == [".agent/demo/steps_registry.json"]


@pytest.mark.parametrize("folder", [".git", "node_modules", ".venv", "deep/node_modules/x"])
def test_folders_of_tools_are_skipped(project: Project, folder: str) -> None:
    project.write(f"{folder}/steps_registry.json", REGISTRY)
    assert found(project) == [".agent/demo/steps_registry.json"]


def test_what_git_ignores_is_skipped(project: Project) -> None:
    (project.root / ".git" / "info").mkdir(parents=True)
    project.write(".git/info/exclude", "/excluded/\n")
    project.write(".gitignore", "build/\n/out/**\n!/out/keep\n*.bak\n")
    project.write("inner/.gitignore", "steps_registry.json\n")
    for folder in ("build", "a/build", "out/x", "excluded", "inner/deep", "a.bak", "kept"):
        project.write(f"{folder}/steps_registry.json", REGISTRY)
    assert found(project) == [".agent/demo/steps_registry.json", "kept/steps_registry.json"]


def test_a_folder_that_is_named_is_searched_though_ignored(project: Project) -> None:
    (project.root / ".git").mkdir()
    project.write(".gitignore", "build/\n")
    inside = project.write("build/steps_registry.json", REGISTRY)
    assert find_registries(project.root / "build") == [inside]


def test_ignore_files_above_count(project: Project) -> None:
    (project.root / ".git").mkdir()
    project.write(".gitignore", "skipped/\n")
    project.write("sub/skipped/steps_registry.json", REGISTRY)
    kept = project.write("sub/kept/steps_registry.json", REGISTRY)
    assert find_registries(project.root / "sub") == [kept]


def test_links_to_folders_end_nowhere(project: Project) -> None:
    (project.agent / "loop").symlink_to(project.root, target_is_directory=True)
    (project.root / "self").symlink_to("self")
    assert found(project) == [".agent/demo/steps_registry.json"]


def test_a_registry_that_is_a_link_to_nothing_or_a_pipe_is_reported(project: Project) -> None:
    folder = project.root / "other"
    (folder / "a").mkdir(parents=True)
    (folder / "b").mkdir()
    (folder / "c" / "steps_registry.json").mkdir(parents=True)
    (folder / "a" / "steps_registry.json").symlink_to("gone.json")
    os.mkfifo(folder / "b" / "steps_registry.json")
    result = scan(project.root)
    assert sorted(problem.path.parent.name for problem in result.problems) == ["a", "b"]
    assert {problem.detail for problem in result.problems} == {"a broken link", "not a regular file"}
    assert len(result.registries) == 1
    (project.root / ".gitignore").write_text("other/\n", encoding="utf-8")
    assert scan(project.root).problems == []


@pytest.mark.usefixtures("permissions_bind")
def test_a_folder_that_cannot_be_read_is_reported(project: Project) -> None:
    locked = project.root / "locked"
    locked.mkdir(mode=0)
    result = scan(project.root)
    locked.chmod(0o700)
    assert [problem.path for problem in result.problems] == [locked]
    assert len(result.registries) == 1


def test_a_folder_that_is_gone_is_reported(tmp_path: Path) -> None:
    result = scan(tmp_path / "gone")
    assert result.registries == []
    assert [problem.kind for problem in result.problems] == ["unreadable"]


NAMES = st.sampled_from(["a", "b", "ab", "a.b", "[a]", "a b", "*"])
GLOBS = st.lists(
    st.sampled_from(
        ["a", "b", "/", "*", "**", "?", "[ab]", "[!a]", "\\*", ".", " ", "!", "/**/", "**/", "/**", "#", "\\ "]
    ),
    min_size=1,
    max_size=5,
).map("".join)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@settings(max_examples=examples(60), deadline=None)
@given(
    lines=st.lists(GLOBS, min_size=1, max_size=3), paths=st.lists(st.lists(NAMES, min_size=1, max_size=3), min_size=1)
)
def test_patterns_mean_what_git_takes_them_for(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], paths: list[list[str]]
) -> None:
    root = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".gitignore").write_text("\n".join(lines) + "\n", encoding="utf-8")
    names = sorted({"/".join(path) for path in paths})
    asked = subprocess.run(
        ["git", "-C", str(root), "check-ignore", "--no-index", "--stdin", "-z"],
        input="\0".join(names),
        capture_output=True,
        text=True,
        check=False,
    )
    ignored_by_git = set(filter(None, asked.stdout.split("\0")))
    own = read_ignore_file(root / ".gitignore", root)
    files = [*ignore_files_above(root), *([own] if own else [])]

    def ignored(name: str) -> bool:
        parts = name.split("/")
        above = ["/".join(parts[:count]) for count in range(1, len(parts))]
        return any(is_ignored(root / part, True, files) for part in above) or is_ignored(root / name, False, files)

    assert {name for name in names if ignored(name)} == ignored_by_git
