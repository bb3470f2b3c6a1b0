"""`stepflow diff` as git's difftool and external diff, and that git starts no programs of a repository for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from stepflow_gui.lint.examples.piece import PIECE_FILES
from tests.cli.conftest import Run, Write
from tests.conftest import Git

OTHER = {"/steps/initial.issue/transitions/next/target": "closure.issue"}
EDGE = "~ next → closure.issue (was continuation.issue)"


@pytest.fixture
def changed(tmp_path: Path, write_agent: Write, git: Git, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a committed agent in `a` that was changed since; its top is the current folder."""
    write_agent("a")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "an agent")
    write_agent("a", OTHER)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def program(tmp_path_factory: pytest.TempPathFactory, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The command as a program of one word."""
    monkeypatch.setenv("PYTHONPATH", str(checkout))
    path = tmp_path_factory.mktemp("bin") / "stepflow"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} -m stepflow_gui "$@"\n', "utf-8")
    path.chmod(0o755)
    return path


def test_pieces_are_compared_with_the_files_that_they_name(
    run: Run, write_agent: Write, tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_agent("a")
    files = {tmp_path / ".takt" / name: text for name, text in PIECE_FILES.items()}
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "an agent and a piece")
    monkeypatch.chdir(tmp_path)
    assert run("diff") == (0, "No difference in 2 flows\n", "")
    changed, gone = [file for file in files if file.suffix == ".md"][:2]
    changed.write_text(files[changed] + "\nMore.\n", "utf-8")
    gone.unlink()
    code, out, _err = run("diff")
    (piece,) = [file for file in files if file.suffix != ".md"]
    lines = out.splitlines()
    assert (code, lines[0]) == (1, f"{piece.relative_to(tmp_path)} (HEAD → work tree)")
    assert [line[0] for line in lines if changed.name in line] == ["~"]
    assert [line[0] for line in lines if gone.name in line] == ["-"]
    assert "2 files differ" in out
    assert "a/steps_registry.json" not in out


def test_as_difftool(changed: Path, program: Path, git: Git) -> None:
    out = git("difftool", "-y", "-x", f"{program} diff", "--", "a/steps_registry.json")
    assert EDGE in out


def test_as_difftool_of_folders(changed: Path, program: Path, git: Git) -> None:
    git("config", "difftool.stepflow.cmd", f'{program} diff "$LOCAL" "$REMOTE" 2>&1; echo code $?')
    schema = min((changed / "a").rglob("*.schema.json"))
    schema.write_text(schema.read_text("utf-8").replace('"string"', '"integer"', 1), "utf-8")
    assert EDGE in git("difftool", "-y", "-t", "stepflow")
    out = git("difftool", "-d", "--no-symlinks", "-t", "stepflow")
    assert (EDGE in out, '"string" → "integer"' in out, out.endswith("code 1\n")) == (True, True, True)
    out = git("difftool", "-d", "-t", "stepflow")  # links to the work tree are not followed, and not called gone
    assert (EDGE in out, "- schemas" in out, out.endswith("code 2\n")) == (True, False, True)
    assert f"{schema.name}: not valid JSON" in out


@pytest.mark.parametrize("words", ["", " diff"])
def test_as_external_diff_of_the_environment(
    words: str, changed: Path, program: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrapper = program.with_name("wrapper")
    wrapper.write_text(f'#!/bin/sh\nexec {program}{words} "$@"\n', "utf-8")
    wrapper.chmod(0o755)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(wrapper))
    (changed / "a" / "notes.txt").write_text("new\n", "utf-8")
    git("add", "-N", "a/notes.txt")
    out = git("--no-pager", "diff")
    assert f"a/steps_registry.json\n~ initial.issue\n    {EDGE}\n" in out
    assert "--- a/notes.txt\n" in out
    assert "\n+new\n" in out


def test_as_the_driver_of_json_files(changed: Path, program: Path, git: Git) -> None:
    git("config", "diff.stepflow.command", str(program))
    (changed / ".gitattributes").write_text("*.json diff=stepflow\n", "utf-8")
    path = changed / "a" / "steps_registry.json"
    git("mv", "a/agent.json", "a/moved.json")
    moved = changed / "a" / "moved.json"
    moved.write_text(moved.read_text("utf-8").replace("{", '{"new": 1,', 1), "utf-8")
    out = git("--no-pager", "diff", "-M", "HEAD")
    assert EDGE in out
    assert "a/agent.json → a/moved.json\n    + new  1\n" in out
    path.write_text("{", "utf-8")  # broken: git still shows the other files
    out = git("--no-pager", "diff", "HEAD")
    assert "a/steps_registry.json: not valid JSON; compared as far as it could be read" in out
    path.unlink()
    out = git("--no-pager", "diff", "HEAD")
    assert "- initial.issue, work" in out


def test_formatting_alone_is_shown_as_no_difference(changed: Path, program: Path, git: Git) -> None:
    path = changed / "a" / "steps_registry.json"
    git("checkout", "-q", "a")
    path.write_text(path.read_text("utf-8") + "\n\n", "utf-8")
    git("config", "diff.external", str(program))
    assert "No difference in the flow: only the formatting differs" in git("--no-pager", "diff")


def test_a_file_in_conflict_is_passed_over(changed: Path, program: Path, git: Git) -> None:
    git("checkout", "-qb", "other")
    git("commit", "-qam", "one")
    git("checkout", "-q", "main")
    path = changed / "a" / "steps_registry.json"
    path.write_text(path.read_text("utf-8").replace("continuation.issue", "x"), "utf-8")
    git("commit", "-qam", "another")
    with pytest.raises(subprocess.CalledProcessError):
        git("merge", "other")
    git("config", "diff.external", str(program))
    assert "a/steps_registry.json: not merged yet" in git("--no-pager", "diff", "--ours", "--", "a/steps_registry.json")


def test_no_program_of_the_repository_runs(run: Run, changed: Path, git: Git) -> None:
    mark = changed / "ran"
    hook = changed / ".git" / "evil"
    hook.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n", "utf-8")
    hook.chmod(0o755)
    for key in (
        "core.fsmonitor",
        "diff.external",
        "diff.x.textconv",
        "filter.x.smudge",
        "filter.x.clean",
        "core.pager",
    ):
        git("config", key, str(hook))
    (changed / ".gitattributes").write_text("*.json diff=x filter=x\n", "utf-8")
    code, out, err = run("diff", "a")
    assert (code, err) == (1, "")
    assert EDGE in out
    assert not mark.exists()


def test_content_that_was_never_fetched_is_trouble(run: Run, changed: Path, git: Git) -> None:
    name = git("rev-parse", "HEAD:a/steps_registry.json").strip()
    (changed / ".git" / "objects" / name[:2] / name[2:]).unlink()
    code, out, err = run("diff", "a")
    assert (code, out) == (2, "")
    assert "a/steps_registry.json: can't be read (git doesn't have its content)" in err


def test_from_a_folder_below_a_second_work_tree_and_a_link(
    run: Run, changed: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(changed / "a")
    assert EDGE in run("diff").out
    git("worktree", "add", "-q", "-b", "second", "../second tree")
    tree = changed.parent / "second tree"
    assert run("diff", tree / "a").code == 0
    link = changed.parent / f"{changed.name}-link"
    link.symlink_to(changed)
    assert EDGE in run("diff", link / "a").out
    assert EDGE in run("diff", link / "a" / "steps_registry.json").out
    assert os.environ.get("GIT_DIR") is None


def test_the_schemas_of_the_revision_are_compared(run: Run, changed: Path, git: Git) -> None:
    git("checkout", "-q", "a")
    schema = min((changed / "a").rglob("*.schema.json"))
    schema.write_text(schema.read_text("utf-8").replace('"string"', '"integer"', 1), "utf-8")
    code, out, _err = run("diff", "a")
    assert (code, '"string" → "integer"' in out) == (1, True)
    schema.unlink()
    assert f"- {schema.relative_to(changed / 'a').as_posix()}, schema\n" in run("diff", "a").out
