"""`stepflow lint --since`: which registries count as changed, and that git starts no programs of a repository."""

import json
from pathlib import Path

import pytest

from stepflow_gui.cli.lint.changed_files import ChangeProblem, changed_since
from tests.cli.conftest import Run, Write
from tests.conftest import Git

BROKEN = {"/steps/initial.issue/transitions/next/target": "continuation.isue"}


@pytest.fixture
def two(write_agent: Write, tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of two broken agents, all committed; its top is the current folder."""
    write_agent("a", BROKEN)
    write_agent("b b", BROKEN)
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "two agents")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def linted(run: Run, *arguments: str | Path) -> set[str]:
    code, out, err = run("lint", "--format", "json", "--since", "HEAD", *arguments)
    assert (code, err) in {(0, ""), (1, "")}
    return {Path(each["file"]).parts[0] for each in json.loads(out)["diagnostics"]}


def test_nothing_changed_is_clean(run: Run, two: Path) -> None:
    assert run("lint", "--since", "HEAD") == (0, "No registry has changed since HEAD\n", "")


def any_file(folder: Path, pattern: str) -> Path:
    return min(folder.rglob(pattern))


@pytest.mark.parametrize("pattern", ["steps_registry.json", "agent.json", "*.schema.json", "*.md"])
@pytest.mark.parametrize("how", ["changed", "staged", "gone", "renamed"])
def test_a_change_of_any_part_lints_its_registry(pattern: str, how: str, run: Run, two: Path, git: Git) -> None:
    path = any_file(two / "b b", pattern)
    if how in {"changed", "staged"}:
        path.write_bytes(path.read_bytes() + b"\n")
        git("add", "-A") if how == "staged" else None
    elif path.name in {"steps_registry.json", "agent.json"}:
        pytest.skip("the agent would be gone")
    elif how == "gone":
        path.unlink()
    else:
        git("mv", str(path), str(path.with_name("other" + path.suffix)))
    assert linted(run) == {"b b"}


@pytest.mark.parametrize("name", ["stepflow.toml", "pyproject.toml"])
def test_a_new_configuration_lints_what_is_below_it(name: str, run: Run, two: Path) -> None:
    (two / "a" / name).write_text("[tool.stepflow]\n" if name == "pyproject.toml" else "", "utf-8")
    assert linted(run) == {"a"}


def test_an_untracked_agent_with_an_odd_name_is_new(run: Run, two: Path, write_agent: Write) -> None:
    name = 'c\n"é\t\\x'
    write_agent(name, BROKEN)
    assert linted(run) == {name}


def test_what_is_ignored_or_no_part_does_not_count(run: Run, two: Path, write_agent: Write) -> None:
    (two / ".git" / "info" / "exclude").write_text("c/\n", "utf-8")
    write_agent("c", BROKEN)
    (two / "notes.txt").write_text("x", "utf-8")
    (two / "notes.md").write_text("x", "utf-8")
    assert linted(run) == set()


def test_it_works_from_a_folder_below_and_a_second_work_tree(
    run: Run, two: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("worktree", "add", "-q", "-b", "second", "../tree of work")
    tree = two.parent / "tree of work"
    path = tree / "a" / "agent.json"
    path.write_bytes(path.read_bytes() + b"\n")
    monkeypatch.chdir(tree / "b b")
    code, out, _err = run("lint", "--since", "HEAD", "--format", "concise", "--select", "SF301", "..")
    assert code == 1
    assert [line.partition(":")[0] for line in out.splitlines() if "SF301" in line] == [
        str(tree / "a" / "steps_registry.json")
    ]
    assert linted(run, ".") == set()
    monkeypatch.chdir(two / "a")
    assert linted(run) == set()


def test_paths_still_choose(run: Run, two: Path) -> None:
    for path in two.rglob("agent.json"):
        path.write_bytes(path.read_bytes() + b"\n")
    assert linted(run) == {"a", "b b"}
    assert linted(run, "a") == {"a"}


@pytest.mark.parametrize("revision", ["gone", "", "--output=x", "HEAD:a", "HEAD..HEAD"])
def test_an_unknown_revision_is_2(revision: str, run: Run, two: Path) -> None:
    code, out, err = run("lint", f"--since={revision}")
    assert (code, out) == (2, "")
    assert err == f"stepflow lint: unknown git revision “{revision}”\n"
    assert not (two / "x").exists()


def test_outside_a_repository_is_2(run: Run, write_agent: Write, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_agent())
    code, out, err = run("lint", "--since", "HEAD")
    assert (code, out) == (2, "")
    assert err.startswith("stepflow lint: --since needs a git work tree; ")


def test_without_git_is_2(run: Run, two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(two))
    assert run("lint", "--since", "HEAD") == (
        2,
        "",
        "stepflow lint: --since needs git, which was not found on PATH\n",
    )


def test_a_repository_can_not_start_programs(two: Path, git: Git) -> None:
    mark = two.parent / "ran"
    script = two.parent / "evil.sh"
    script.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{mark}'\ncat\n", "utf-8")
    script.chmod(0o755)
    for key in ("core.fsmonitor", "diff.external", "core.pager", "diff.e.textconv", "diff.e.command"):
        git("config", key, str(script))
    for key in ("clean", "smudge", "process"):
        git("config", f"filter.e.F=.{key}", str(script))
    git("config", "filter.e.F=.required", "true")
    hooks = two / ".git" / "hooks"
    for name in ("post-index-change", "fsmonitor-watchman"):
        (hooks / name).write_bytes(script.read_bytes())
        (hooks / name).chmod(0o755)
    (two / ".gitattributes").write_text("*.json filter=e.F= diff=e\n", "utf-8")
    path = two / "a" / "agent.json"
    path.write_bytes(path.read_bytes().replace(b" ", b"\t", 1))
    found = changed_since("HEAD", two)
    assert not isinstance(found, ChangeProblem)
    assert path in found
    assert not mark.exists()
    git("config", "--unset", "filter.e.F=.process")
    git("diff")
    assert mark.exists()  # plain git does start them


@pytest.mark.parametrize(("kind", "said"), [("tree", "aren't in this clone"), ("commit", "isn't in this clone")])
def test_an_object_that_a_partial_clone_left_out_is_the_reason(
    kind: str, said: str, run: Run, two: Path, git: Git
) -> None:
    git("commit", "-qm", "more", "--allow-empty")
    (two / "a" / "agent.json").write_text("{}")
    git("commit", "-qam", "changed")
    for name, value in (("repositoryformatversion", "1"), ("bare", "false")):
        git("config", f"core.{name}", value)
    git("config", "extensions.partialClone", "origin")
    git("config", "remote.origin.url", "https://example.invalid/a.git")
    git("config", "remote.origin.promisor", "true")
    name = git("rev-parse", f"HEAD~1^{{{kind}}}").strip()
    (two / ".git" / "objects" / name[:2] / name[2:]).unlink()
    code, out, err = run("lint", "--since", "HEAD~1")
    assert (code, out) == (2, "")
    assert said in err
    assert "warning" not in err
