"""The process that checks a project: what it answers, in which order, and how it is stopped."""

import gc
import threading
from collections.abc import Iterator, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from stepflow_gui.gui.project.check_process import (
    Answer,
    CheckedAgents,
    EndRequest,
    First,
    GoOn,
    Look,
    Rested,
    ScanResult,
    StopRequest,
    serve,
)
from stepflow_gui.lint.engine.project_status import CheckedAgent, ProjectChecker
from tests.project.conftest import Project

AGENTS = 12


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for number in range(AGENTS):
        Project(tmp_path / f"p{number:02}")
    return tmp_path


class Asking:
    """Who asks the checker, which works in a thread here."""

    def __init__(self, root: Path) -> None:
        ours, theirs = Pipe()
        self.connection: Connection = ours
        self.thread = threading.Thread(target=serve, args=(theirs, root))
        self.thread.start()

    def until(self, kind: type[ScanResult] | type[Rested]) -> list[Answer]:
        """All that is answered up to one of a kind."""
        heard: list[Answer] = []
        while not heard or not isinstance(heard[-1], kind):
            assert self.connection.poll(60)
            heard.append(self.connection.recv())
        return heard


@pytest.fixture
def asking(root: Path) -> Iterator[Asking]:
    gc.collect()
    gc.disable()  # a collection in that thread would take apart what is left of windows, which Qt can't stand
    made = Asking(root)
    yield made
    made.connection.send(EndRequest())
    made.thread.join(30)
    made.connection.close()
    gc.enable()


def told(heard: Sequence[Answer]) -> list[str]:
    return [each.key.parts[-4] for answer in heard if isinstance(answer, CheckedAgents) for each in answer.examined]


def test_agents_are_found_and_then_checked(asking: Asking) -> None:
    asking.connection.send(Look("en"))
    found = asking.until(ScanResult)[-1]
    assert isinstance(found, ScanResult)
    assert (len(found.keys), found.waiting) == (AGENTS, found.keys)
    heard = asking.until(Rested)
    assert told(heard) == [f"p{number:02}" for number in range(AGENTS)]


def test_checking_is_stopped_and_taken_up_again_at_the_agent_that_is_waited_for(asking: Asking, root: Path) -> None:
    last = root / "p11" / ".agent" / "demo" / "steps_registry.json"
    asking.connection.send(Look("en"))
    asking.connection.send(First(last))
    asking.connection.send(StopRequest())
    heard = asking.until(Rested)
    first = told(heard)
    assert first[-1] == "p11"
    assert len(first) <= 2  # one may have been begun before the others were asked for
    rested = heard[-1]
    assert isinstance(rested, Rested)
    assert rested.left == AGENTS - len(first)
    asking.connection.send(GoOn())
    assert len(told(asking.until(Rested))) == AGENTS - len(first)


def test_a_bug_that_one_agent_brings_out_leaves_the_others_checked(
    asking: Asking, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    examine = ProjectChecker.examine

    def fail(examiner: ProjectChecker, key: Path) -> CheckedAgent:
        if "p05" in key.parts:
            raise ZeroDivisionError("a bug")
        return examine(examiner, key)

    monkeypatch.setattr(ProjectChecker, "examine", fail)
    asking.connection.send(Look("en"))
    answers = [answer for answer in asking.until(Rested) if isinstance(answer, CheckedAgents)]
    problems = [each.problem for answer in answers for each in answer.examined if each.problem]
    assert [problem.detail for problem in problems] == ["ZeroDivisionError: a bug"]
    assert len(told(answers)) == AGENTS
    assert "can't be checked" in caplog.text


def test_of_those_that_are_known_only_what_changed_is_checked(asking: Asking, root: Path) -> None:
    asking.connection.send(Look("en"))
    asking.until(Rested)
    changed = root / "p03" / ".agent" / "demo" / "agent.json"
    changed.write_text("{", "utf-8")
    asking.connection.send(Look("ja"))
    heard = asking.until(Rested)
    assert "p03" in told(heard)
    Project(root / "p99")
    asking.connection.send(Look("en"))
    assert "p99" in told(asking.until(Rested))
