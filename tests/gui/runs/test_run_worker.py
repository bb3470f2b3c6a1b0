"""Leading a run off the window's thread: blocked, paused, cancelled; nothing comes late."""

import threading
from pathlib import Path

from pytestqt.qtbot import QtBot

from stepflow_gui.gui.runs.setup import AskPerson, ByHand
from stepflow_gui.gui.runs.worker import RunMove, RunTask, RunWorker
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.debugging.branches import ON, Paused
from stepflow_gui.run.effects import NoAnswer, Responder, ResponderQuery
from stepflow_gui.run.host.host_factory import host_of
from stepflow_gui.run.machine.state import START, Answered, Start, State
from tests.gui.runs.conftest import Write, endless


class Blocked:
    """Answers when it is allowed to, or cancelled."""

    name = "blocked"
    costs_money = False

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.free = threading.Event()
        self.called_off = False

    def answer(self, _asked: ResponderQuery, _state: State) -> Answered | NoAnswer:
        self.asked.set()
        assert self.free.wait(10)
        if self.called_off:
            return NoAnswer("cancelled", "cancelled")
        return Answered({"next_action": {"action": "next"}})

    def cancel(self) -> None:
        self.called_off = True
        self.free.set()


class Broken(ByHand):
    """Has a mistake in it."""

    def answer(self, _asked: ResponderQuery, _state: State) -> Answered | NoAnswer:
        raise ZeroDivisionError


class Heard:
    """What a worker emitted."""

    def __init__(self, worker: RunWorker) -> None:
        self.moves: list[RunMove] = []
        self.ends: list[tuple[Paused, NoAnswer | None]] = []
        worker.moved.connect(self.moves.extend)
        worker.paused.connect(lambda paused, no_answer: self.ends.append((paused, no_answer)))


def task(folder: Path, responder: Responder) -> RunTask:
    agent = open_agent(folder)
    assert isinstance(agent, AgentFolder)
    host = host_of(lambda _iteration: agent)
    state, _effects = host.machine.step(START, Start())
    return RunTask(host, state, {}, ON, (), responder, AskPerson())


def test_a_blocked_answer_is_cancelled_at_once_and_never_reported(qtbot: QtBot, write: Write) -> None:
    worker = RunWorker()
    heard, blocked = Heard(worker), Blocked()
    worker.start_work(task(write(endless()), blocked))
    qtbot.waitUntil(blocked.asked.is_set)
    worker.cancel()  # which doesn't wait: nothing answers
    assert not worker.busy
    qtbot.wait(60)
    assert (heard.moves, heard.ends) == ([], [])
    worker.close()


def test_pausing_cancels_the_answer_and_reports_it(qtbot: QtBot, write: Write) -> None:
    worker = RunWorker()
    heard, blocked = Heard(worker), Blocked()
    worker.start_work(task(write(endless()), blocked))
    qtbot.waitUntil(blocked.asked.is_set)
    worker.pause()
    qtbot.waitUntil(lambda: not worker.busy)
    assert [paused.why for paused, _no in heard.ends] == ["asked"]
    worker.close()


def test_another_task_takes_the_place_of_one_that_is_blocked(qtbot: QtBot, write: Write) -> None:
    worker = RunWorker()
    heard, blocked = Heard(worker), Blocked()
    folder = write(endless())
    worker.start_work(task(folder, blocked))
    qtbot.waitUntil(blocked.asked.is_set)
    worker.start_work(task(folder, ByHand()))
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert [no.kind for _paused, no in heard.ends if no is not None] == ["by_hand"]
    assert heard.moves == []
    worker.close()


def test_a_mistake_in_a_responder_is_reported_and_the_thread_lives_on(qtbot: QtBot, write: Write) -> None:
    worker = RunWorker()
    heard = Heard(worker)
    folder = write(endless())
    worker.start_work(task(folder, Broken()))
    qtbot.waitUntil(lambda: len(heard.ends) == 1)
    worker.start_work(task(folder, Broken()))
    qtbot.waitUntil(lambda: len(heard.ends) == 2)
    assert "ZeroDivisionError" in heard.ends[0][0].message
    worker.close()


def test_closing_leaves_no_thread(qtbot: QtBot, write: Write) -> None:
    worker = RunWorker()
    blocked = Blocked()
    worker.start_work(task(write(endless()), blocked))
    qtbot.waitUntil(blocked.asked.is_set)
    worker.close()
    assert "stepflow-run" not in {thread.name for thread in threading.enumerate()}
