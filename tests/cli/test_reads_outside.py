"""No subcommand shows the text of a file that a link targets outside the project; each reports that it isn't read."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import ALIASES, Run, Write
from tests.conftest import Git

SECRET = "password=hunter2"


@pytest.fixture
def project(write_agent: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "stepflow.toml").write_text("", "utf-8")
    write_agent("project/.agent/a", ALIASES)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_text(SECRET, "utf-8")
    return path


@pytest.mark.parametrize(
    "words",
    [
        ["lint"],
        ["lint", "."],
        ["lint", ".agent/a/steps_registry.json"],
        ["run", ".agent/a"],
        ["export", ".agent/a", "--format", "mermaid"],
        ["convert", ".agent/a", "--to", "c3l"],
        ["test", ".agent/a"],
    ],
)
def test_a_registry_outside_is_not_read(run: Run, project: Path, secret: Path, words: list[str]) -> None:
    registry = project / ".agent" / "a" / "steps_registry.json"
    registry.unlink()
    registry.symlink_to(secret)
    code, out, err = run(*words)
    assert code == 2
    assert "hunter2" not in out + err
    assert "steps_registry.json: not read, because the link “" in err
    assert str(secret) in err


def test_a_folder_that_leads_out_is_named_with_where_it_leads(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside" / "b"
    shutil.copytree(project / ".agent" / "a", outside)
    (project / ".agent" / "b").symlink_to(outside)
    monkeypatch.chdir(project)
    _code, _out, err = run("lint", ".agent/b")
    assert "not read, because the link “.agent/b” points outside the project" in err
    assert str(outside) in err


@pytest.mark.parametrize("words", [["a.json", "link.json"], ["link.json", "a.json"], ["--since", "HEAD", "link.json"]])
def test_files_outside_are_not_compared(run: Run, project: Path, secret: Path, git: Git, words: list[str]) -> None:
    (project / "a.json").write_text("{}", "utf-8")
    (project / "link.json").symlink_to(secret)
    git("init", "-q", cwd=project)
    git("commit", "-qm", "a", "--allow-empty", cwd=project)
    code, out, err = run("diff", *words)
    assert code == 2
    assert "hunter2" not in out + err
    assert "link.json: not read, because the link “link.json” points outside" in err


def led_out(path: Path, secret: Path) -> None:
    path.symlink_to(secret)


def made_a_pipe(path: Path, _secret: Path) -> None:
    os.mkfifo(path)


def made_no_text(path: Path, _secret: Path) -> None:
    path.write_bytes(b"\xff{}")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
@pytest.mark.parametrize(
    ("made", "why"),
    [
        (led_out, "agent.json: not read, because the link “"),
        (made_a_pipe, "agent.json: can't be read (not a regular file)"),
        (made_no_text, "agent.json: not UTF-8 text"),
    ],
)
def test_an_agent_file_that_is_not_read_is_reported(
    run: Run, project: Path, secret: Path, made: Callable[[Path, Path], None], why: str
) -> None:
    agent_file = project / ".agent" / "a" / "agent.json"
    registry = agent_file.with_name("steps_registry.json")
    before = registry.read_bytes()
    agent_file.unlink()
    made(agent_file, secret)
    code, out, err = run("lint", ".agent/a")
    if made is not made_no_text:  # which is a finding
        assert (code, why in err) == (2, True)
    assert "hunter2" not in out + err
    assert "There is no agent.json" not in out
    code, _out, err = run("convert", ".agent/a", "--to", "c3l", "--write")
    assert (code, why in err) == (2, True)
    assert registry.read_bytes() == before
    assert why in run("run", ".agent/a")[2]
