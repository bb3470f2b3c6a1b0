"""A log beside the flow as it was when the run began: of git, or stored with a run of TAKT."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.logs.comparing import LogView, compare_log
from stepflow_gui.run.logs.earlier_flow import THEN
from stepflow_gui.run.logs.logged_run import ComparedRun, LoggedRun, LogProblem
from stepflow_gui.run.logs.opening import read_log
from tests.run.flows import registry, step
from tests.run.logs.test_takt_logs import PIECE, record
from tests.run.logs.test_takt_logs import step as movement


def opened(path: Path) -> AgentFolder:
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    return agent


def commit(folder: Path, when: str) -> None:
    names = {f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "x", "--allow-empty"]):
        subprocess.run(["git", *words], cwd=folder, check=True, env={**os.environ, **names, **dates})


def flow(target: str) -> dict[str, Any]:
    return registry(
        step("initial.a", next=target), step("continuation.a", next="continuation.b"), step("continuation.b")
    )


@pytest.fixture
def agent(tmp_path: Path) -> AgentFolder:
    """One whose flow was changed after the run."""
    place = tmp_path / "project" / ".agent" / "demo" / "steps_registry.json"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(flow("continuation.a")), "utf-8")
    commit(tmp_path / "project", "2026-04-19T10:00:00Z")
    place.write_text(json.dumps(flow("continuation.b")), "utf-8")
    commit(tmp_path / "project", "2026-04-21T10:00:00Z")
    return opened(place)


def log(folder: Path, time: str | None = "2026-04-20T10:00:00.000Z") -> LoggedRun:
    answer = {"next_action": {"action": "next"}}
    lines: list[tuple[str, dict[str, Any]]] = [
        ("[FlowLoop] Enter", {"stepId": "initial.a", "iteration": 1}),
        ("SDK result", {"structuredOutput": answer}),
        ("[FlowLoop] Enter", {"stepId": "continuation.a", "iteration": 2}),
    ]
    stamp = {"timestamp": time} if time is not None else {}
    texts = (json.dumps({**stamp, "message": message, "metadata": data}) + "\n" for message, data in lines)
    file = folder / "run.jsonl"
    file.write_text("".join(texts), "utf-8")
    run = read_log(file)
    assert isinstance(run, LoggedRun)
    return run


def compared(agent: AgentFolder, run: LoggedRun, revision: str | None) -> ComparedRun | LogProblem:
    return compare_log(agent, "demo", run, LogView(None, revision))


def test_the_commit_of_that_time(agent: AgentFolder, tmp_path: Path) -> None:
    run = log(tmp_path)
    now, then = compared(agent, run, None), compared(agent, run, THEN)
    assert isinstance(now, ComparedRun)
    assert isinstance(then, ComparedRun)
    assert (now.first_difference is not None, then.first_difference) == (True, None)
    assert now.flow == ""
    assert then.flow.startswith("the commit of that time, ")
    named = compared(agent, run, "HEAD~1")
    assert isinstance(named, ComparedRun)
    assert (named.first_difference, named.flow[:8]) == (None, "HEAD~1 (")


@pytest.mark.parametrize(
    ("time", "revision", "words"),
    [
        ("2026-04-01T10:00:00.000Z", THEN, "no commit is older than 2026-04-01 10:00:00"),
        (None, THEN, "doesn't show when the run began"),
        ("yesterday", THEN, "doesn't show when the run began"),
        ("2026-04-20T10:00:00", "nowhere", "unknown git revision"),
        ("2026-04-20T10:00:00", "-x", "unknown git revision"),
    ],
)
def test_why_there_is_none(time: str | None, revision: str, words: str, agent: AgentFolder, tmp_path: Path) -> None:
    found = compared(agent, log(tmp_path, time), revision)
    assert isinstance(found, LogProblem)
    assert words in found.message


def test_a_registry_that_the_commit_lacks(agent: AgentFolder, tmp_path: Path) -> None:
    other = agent.registry.path.parent.parent / "other" / "steps_registry.json"
    other.parent.mkdir()
    other.write_text(agent.registry.path.read_text("utf-8"), "utf-8")
    found = compared(opened(other), log(tmp_path), "HEAD")
    assert isinstance(found, LogProblem)
    assert "doesn't exist in commit" in found.message


def test_outside_of_git(tmp_path: Path) -> None:
    place = tmp_path / "demo" / "steps_registry.json"
    place.parent.mkdir()
    place.write_text(json.dumps(flow("continuation.b")), "utf-8")
    assert isinstance(compared(opened(place), log(tmp_path), THEN), LogProblem)


def test_the_workflow_that_takt_stored_with_the_run(tmp_path: Path) -> None:
    piece = tmp_path / ".takt" / "pieces" / "review.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text(PIECE.replace("next: work", "next: COMPLETE"), "utf-8")
    folder = tmp_path / ".takt" / "runs" / "one"
    (folder / "logs").mkdir(parents=True)
    for name, text in (("a.yaml", PIECE.replace("name: review", "name: other")), ("b/c.yaml", PIECE), ("d.yaml", "[")):
        file = folder / "workflow-bundle" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    session = folder / "logs" / "s.jsonl"
    session.write_text(
        record("piece_start", pieceName="review") + movement("plan", 0) + movement("work", 0, 2), "utf-8"
    )
    run = read_log(session)
    assert isinstance(run, LoggedRun)
    now, then = (compare_log(opened(piece), "review", run, LogView(None, at)) for at in (None, THEN))
    assert isinstance(now, ComparedRun)
    assert isinstance(then, ComparedRun)
    assert (now.first_difference is not None, then.first_difference) == (True, None)
    assert then.flow == "the workflow stored with the run"
