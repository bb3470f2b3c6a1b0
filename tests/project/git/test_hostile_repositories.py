"""A repository whose settings name programs of its own: none of them is started, whatever git is asked."""

import ast
import os
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import stepflow_gui
from stepflow_gui.cli.lint.changed_files import changed_since
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.git.git import _ENVIRONMENT
from stepflow_gui.project.git.revision import Revision, RevisionFiles, revision_of
from stepflow_gui.text.files.store import ReadProblem
from tests.conftest import Git

REGISTRY = Path(".agent", "demo", "steps_registry.json")
Hostile = Callable[[Git, Path, str], None]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the hostile programs are shell scripts")


@pytest.fixture
def top(tmp_path: Path, git: Git) -> Path:
    """A repository with an agent, committed and changed since."""
    registry = tmp_path / REGISTRY
    registry.parent.mkdir(parents=True)
    registry.write_text('{"agentId": "demo", "steps": {}}\n', "utf-8")
    (tmp_path / ".gitattributes").write_text("*.json filter=evil diff=evil merge=evil\n", "utf-8")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "first")
    registry.write_text('{"agentId": "demo", "steps": {"a": {}}}\n', "utf-8")
    return tmp_path


def set_to_program(*keys: str) -> Hostile:
    def prepare(git: Git, _top: Path, program: str) -> None:
        for key in keys:
            git("config", key, program)

    return prepare


def required_filter(git: Git, _top: Path, program: str) -> None:
    for kind in ("clean", "smudge"):
        git("config", f"filter.evil.{kind}", program)
    git("config", "filter.evil.required", "true")


def included(git: Git, top: Path, program: str) -> None:
    (top / ".git" / "more").write_text(f'[filter "evil"]\n\tclean = {program}\n\tprocess = {program}\n', "utf-8")
    git("config", "include.path", "more")


def in_the_work_tree_settings(git: Git, top: Path, program: str) -> None:
    git("config", "extensions.worktreeConfig", "true")
    (top / ".git" / "config.worktree").write_text(f'[filter "evil"]\n\tclean = {program}\n', "utf-8")


def hooks(git: Git, top: Path, program: str) -> None:
    folder = top / "hooks"
    folder.mkdir()
    for name in ("post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout"):
        (folder / name).write_text(f"#!/bin/sh\n{program}\n", "utf-8")
        (folder / name).chmod(0o755)
    git("config", "core.hooksPath", str(folder))
    git("config", "core.fsmonitor", str(folder / "fsmonitor-watchman"))


def lost_content(*settings: tuple[str, str]) -> Hostile:
    """The agent's text is missing, and the repository defines how it is to be fetched."""

    def prepare(git: Git, top: Path, program: str) -> None:
        blob = git("rev-parse", f"HEAD:{REGISTRY.as_posix()}").strip()
        (top / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
        git("config", "core.repositoryFormatVersion", "1")
        git("config", "extensions.partialClone", "origin")
        git("config", "remote.origin.promisor", "true")
        for key, value in settings:
            git("config", key, value.format(program=program, quoted=program.replace(" ", "% "), top=top))

    return prepare


CASES: dict[str, Hostile] = {
    "monitor": set_to_program("core.fsmonitor"),
    "filters": set_to_program("filter.evil.clean", "filter.evil.smudge", "filter.evil.process"),
    "required filter": required_filter,
    "included filter": included,
    "filter of the work tree": in_the_work_tree_settings,
    "hooks": hooks,
    "diff": set_to_program("diff.external", "diff.evil.command", "diff.evil.textconv", "merge.evil.driver"),
    "pagers": set_to_program("core.pager", "pager.diff", "pager.config", "core.editor", "core.askPass"),
    "fetch by a command": lost_content(
        ("remote.origin.url", "ext::{quoted}"), ("protocol.ext.allow", "always"), ("protocol.allow", "always")
    ),
    "fetch by ssh": lost_content(
        ("remote.origin.url", "ssh://example.invalid/x"), ("core.sshCommand", "{program}"), ("ssh.variant", "simple")
    ),
    "fetch by a packer": lost_content(
        ("remote.origin.url", "{top}"), ("remote.origin.uploadpack", "{program}"), ("protocol.file.allow", "always")
    ),
    "fetch by a helper": lost_content(
        ("remote.origin.url", "ext::{quoted}"), ("remote.origin.vcs", "ext"), ("protocol.ext.allow", "always")
    ),
    "fetch through a proxy": lost_content(("remote.origin.url", "git://x.invalid/x"), ("core.gitProxy", "{program}")),
}


def made_hostile(case: str, git: Git, top: Path) -> Path:
    """The file that the repository's program leaves when it is started."""
    mark, program = top / "PWNED", top / "evil.sh"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\nexit 1\n", "utf-8")
    program.chmod(0o755)
    CASES[case](git, top, str(program))
    return mark


def ask_everything(top: Path) -> None:
    """All that the program asks git about a repository."""
    changed = changed_since("HEAD", top)
    assert not isinstance(changed, frozenset) or top / REGISTRY in changed
    found = revision_of(top, "HEAD")
    if not isinstance(found, Revision):
        return
    files = found.files(top)
    assert isinstance(files, RevisionFiles)
    files.read_ahead(sorted(files.below(top)))
    found.registries(top)
    assert isinstance(found.agent(top / REGISTRY), AgentFolder | ReadProblem)


@pytest.mark.parametrize("fetches", ["1", "0"], ids=["", "git without GIT_NO_LAZY_FETCH"])
@pytest.mark.parametrize("case", CASES)
def test_no_program_of_a_repository_is_started(
    case: str, fetches: str, top: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = made_hostile(case, git, top)
    monkeypatch.setitem(_ENVIRONMENT, "GIT_NO_LAZY_FETCH", fetches)
    ask_everything(top)
    assert not mark.exists()


@pytest.mark.parametrize(
    ("case", "command"),
    [
        ("monitor", ("status",)),
        ("required filter", ("diff", "HEAD")),
        ("included filter", ("diff", "HEAD")),
        ("filter of the work tree", ("diff", "HEAD")),
        ("hooks", ("status",)),
        ("diff", ("diff", "HEAD")),
        ("fetch by a command", ("cat-file", "-p", f"HEAD:{REGISTRY.as_posix()}")),
        ("fetch by a packer", ("cat-file", "-p", f"HEAD:{REGISTRY.as_posix()}")),
    ],
)
def test_git_left_to_itself_would_have_started_it(case: str, command: tuple[str, ...], top: Path, git: Git) -> None:
    mark = made_hostile(case, git, top)
    with suppress(subprocess.CalledProcessError):  # the program's failure is git's as well
        git(*command)
    assert mark.exists()


def test_all_that_asks_git_goes_through_one_place() -> None:
    source = Path(stepflow_gui.__file__).parent
    found = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if "git" in (text := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and node.value == "git"
    }
    assert found == {"project/git/git.py"}
