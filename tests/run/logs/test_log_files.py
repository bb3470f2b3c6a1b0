"""Logs as files: those of an agent in a list, lines found again by their number, and files that can't be read."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.logs import excerpt, lines, listing, opening
from stepflow_gui.run.logs.excerpt import lines_of
from stepflow_gui.run.logs.listing import log_folders, newest_log, newest_logs, session_in
from stepflow_gui.run.logs.logged_run import LoggedRun, LogProblem
from stepflow_gui.run.logs.opening import open_log, read_log
from tests.run.logs.test_log_runs import END, START, TWO, line, turn


def agent_in(folder: Path, logging: dict[str, Any] | None = None) -> AgentFolder:
    place = folder / ".agent" / "demo"
    place.mkdir(parents=True)
    (place / "steps_registry.json").write_text(json.dumps({"agentId": "demo", "version": "1", "steps": {}}), "utf-8")
    content = {"version": "1.0.0", "name": "demo", "runner": {} if logging is None else {"logging": logging}}
    (place / "agent.json").write_text(json.dumps(content), "utf-8")
    agent = open_agent(place / "steps_registry.json")
    assert isinstance(agent, AgentFolder)
    return agent


def log(folder: Path, name: str, *texts: str, age: int = 0) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text("".join(texts), "utf-8")
    os.utime(file, (1_000_000 - age, 1_000_000 - age))
    return file


def test_logs_of_an_agent_the_newest_first(tmp_path: Path) -> None:
    agent = agent_in(tmp_path, {"directory": "tmp/logs"})
    folder = tmp_path / "tmp" / "logs"
    paid = line("SDK result", totalCostUsd=0.25)
    old = log(folder, "demo-1.jsonl", START, TWO, paid, END, age=50)
    new = log(folder, "demo-2.jsonl", START, TWO)
    log(folder, "other-1.jsonl", START, TWO)
    log(folder, "demo-two-1.jsonl", START, TWO)  # of an agent whose name begins alike
    log(folder, "demo-3.jsonl", "no log\n")
    log(folder, "demo-4.txt", START, TWO)
    os.mkfifo(folder / "demo-5.jsonl")
    assert log_folders(agent) == [folder]
    found = newest_logs(agent)
    assert [each.path for each in found] == [new, old]
    assert [(each.end, each.iterations, each.cost, each.name) for each in found] == [
        ("unfinished", 2, None, "Demo"),
        ("finished", 2, 0.25, "Demo"),
    ]
    assert newest_log(agent) is not None


def test_only_beginning_and_end_of_a_long_log_are_read_for_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "READ", 2_000)
    agent = agent_in(tmp_path)
    paid = line("SDK result", totalCostUsd=0.25)
    middle = "".join(line(f"=== Iteration {at} ===") + paid for at in range(3, 100))
    log(tmp_path / "logs", "demo-1.jsonl", START, TWO, paid, middle, END)
    (found,) = newest_logs(agent)
    assert (found.whole, found.iterations, found.end) == (False, 99, "finished")
    assert found.cost is not None
    assert found.cost < 25 * 0.25


@pytest.mark.parametrize("folder", ["../..", "/", "a\0b", 7, ""])
def test_no_folder_outside_the_project_is_looked_at(folder: object, tmp_path: Path) -> None:
    agent = agent_in(tmp_path / "project", {"directory": folder})
    log(tmp_path, "demo-1.jsonl", START, TWO)
    assert newest_logs(agent) == []


def test_the_session_in_a_folder_of_one_run(tmp_path: Path) -> None:
    assert session_in(tmp_path) is None
    file = log(tmp_path / "logs", "session.jsonl", "{}\n")
    assert session_in(tmp_path) == file


def test_lines_are_found_again_by_their_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "EVERY", 3)
    monkeypatch.setattr(excerpt, "EVERY", 3)
    file = log(tmp_path, "run.jsonl", START, TWO, "\n", "x" * 50_000 + "\n", END)
    run = read_log(file)
    assert isinstance(run, LoggedRun)
    assert len(run.offsets) == 4
    whole = file.read_text("utf-8").split("\n")
    for number in range(1, 8):
        assert lines_of(file, run.offsets, number, number) == [(number, whole[number - 1])]
        assert lines_of(file, (0,), number, number) == [(number, whole[number - 1])]
    (long, end) = lines_of(file, run.offsets, 9, 99)
    assert long == (9, "x" * excerpt.MOST + " … (50 kB in all)")
    assert end == (10, whole[9])
    assert lines_of(file, run.offsets, 11, 20) == []
    file.unlink()
    assert isinstance(lines_of(file, run.offsets, 1, 2), LogProblem)


def test_a_log_that_is_too_long_is_refused_with_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = log(tmp_path, "run.jsonl", START, turn("a", 1, "next", "b"))
    monkeypatch.setattr(opening, "MOST", 10)
    problem = open_log(file)
    assert isinstance(problem, LogProblem)
    assert "no more than" in problem.message


@pytest.mark.parametrize(
    "content", [b"", b"\0\x01\xff" * 5_000, b"[" * 200_000, b'{"a":' * 50_000 + b"\n", b"{}\n" * 500, b"9" * 100_000]
)
def test_files_that_are_no_logs_are_refused_in_a_sentence(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.write_bytes(content)
    problem = read_log(file)
    assert isinstance(problem, LogProblem)
    assert problem.message.startswith(str(file))


def test_a_pipe_and_a_folder_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert isinstance(read_log(tmp_path / "pipe.jsonl"), LogProblem)
    assert isinstance(read_log(tmp_path), LogProblem)
    assert isinstance(read_log(tmp_path / "missing.jsonl"), LogProblem)
