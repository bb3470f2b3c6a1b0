"""`stepflow lint --jobs`: several processes report what one does; progress is for terminals; Ctrl-C exits at once."""

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.cli import progress
from stepflow_gui.cli.lint import jobs as lint_jobs
from stepflow_gui.cli.progress import with_progress
from stepflow_gui.lint.engine import engine
from stepflow_gui.lint.rule import Finding
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.cli.conftest import Run, Write

BROKEN = {"/steps/initial.issue/transitions/next/target": "continuation.isue"}


@pytest.fixture
def many(write_agent: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for number in range(12):
        write_agent(f"a{number:02}", BROKEN if number % 3 == 0 else None)
    (tmp_path / "a05" / "steps_registry.json").write_bytes(b"\xff")
    min((tmp_path / "a07").rglob("*.schema.json")).write_bytes(b"\xff")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("form", ["full", "json", "concise"])
def test_processes_change_nothing_of_what_is_reported(form: str, run: Run, many: Path) -> None:
    (many / "stepflow.toml").write_text(
        '[[suppress]]\ncode = "SF301"\nreason = "known"\npath = "a03/"\n'
        '[[suppress]]\ncode = "SF301"\nreason = "of no use"\npath = "a04/"\n',
        "utf-8",
    )
    alone = run("lint", "--format", form, "--jobs", "1", "gone.json", ".")
    assert run("lint", "--format", form, "--jobs", "3", "gone.json", ".") == alone
    assert alone.code == 2
    assert "SF301" in alone.out
    assert alone.out.count("SF09") == 1  # the suppression that was of use in another process is known as such


@pytest.mark.parametrize("jobs", ["0", "-1", "x"])
def test_jobs_is_a_number(jobs: str, run: Run) -> None:
    assert run("lint", f"--jobs={jobs}").code == 2


def test_a_rule_that_fails_in_another_process_is_reported(
    run: Run, many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = engine._Run._findings

    def failing(self: engine._Run, checked: Any) -> Iterator[Finding]:
        if checked.rule.code == "SF301":
            raise ZeroDivisionError("no")
        return plain(self, checked)

    monkeypatch.setattr(engine._Run, "_findings", failing)
    code, _out, err = run("lint", "--jobs", "2", "a00", "a01")
    assert code == 2
    assert err.count("ZeroDivisionError: no") == 2


def test_many_small_agents_are_worth_processes_and_few_are_not(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {0, 1}, raising=False)
    agent = open_agent(checkout / "resources" / "examples" / "issue-flow-broken")
    assert isinstance(agent, AgentFolder)
    assert [lint_jobs._worth([agent] * count) for count in (2, 60, 120, 400)] == [1, 1, 2, 2]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("reading", "told"), [(False, "2 of 4 checked"), (True, "2 of 4 read")])
def test_progress_is_shown_on_a_terminal_and_wiped(reading: bool, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(progress, "_AFTER", 0)
    monkeypatch.setattr(progress, "_EVERY", 0)
    monkeypatch.setattr(sys, "stderr", terminal)
    assert list(with_progress("abcd", 4, reading=reading)) == list("abcd")
    assert told in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")
    plain = io.StringIO()
    monkeypatch.setattr(sys, "stderr", plain)
    assert list(with_progress("abcd", 4, reading=reading)) == list("abcd")
    assert plain.getvalue() == ""


def test_ctrl_c_ends_at_once_without_a_trace(many: Path, checkout: Path, write_agent: Write, ctrl_c: None) -> None:
    for number in range(400):
        write_agent(f"b{number:03}")
    command = [sys.executable, "-m", "stepflow_gui", "lint", "--jobs", "2", "."]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    time.sleep(0.8)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    out, err = process.communicate(timeout=20)
    if process.returncode in {1, 2}:
        pytest.skip("it was over before")
    assert (process.returncode, out, err) == (130, "", "")
