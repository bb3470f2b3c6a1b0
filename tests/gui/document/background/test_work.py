"""Work on another thread: it asks whether it is still wanted, and nothing of what isn't arrives."""

import threading

import pytest
from PySide6.QtCore import QObject
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.gui.document.background import work as module
from stepflow_gui.gui.document.background.work import Background, BackgroundJob


class Endless:
    """Work without an end that asks now and then, by the one way or the other."""

    def __init__(self, *, by_checkpoint: bool) -> None:
        self._by_checkpoint = by_checkpoint
        self.begun, self.ended = threading.Event(), threading.Event()

    def __call__(self, job: BackgroundJob) -> str:
        self.begun.set()
        try:
            while self._by_checkpoint or not job.is_cancelled():
                checkpoint()
                job.report(1)
        finally:
            self.ended.set()
        return "what there was"


def test_results_arrive_in_the_thread_that_asked(qtbot: QtBot) -> None:
    owner = QObject()
    background = Background("work", owner)
    seen: list[tuple[object, threading.Thread]] = []
    background.reported.connect(lambda result: seen.append((result, threading.current_thread())))
    background.done.connect(lambda result: seen.append((result, threading.current_thread())))
    worked: list[threading.Thread] = []

    def work(job: BackgroundJob) -> object:
        worked.append(threading.current_thread())
        job.report("half")
        return "whole"

    with qtbot.waitSignal(background.done):
        background.start(work)
        assert background.is_busy
    here = threading.current_thread()
    assert seen == [("half", here), ("whole", here)]
    assert worked != [here]
    assert not background.is_busy


@pytest.mark.parametrize("by_checkpoint", [True, False])
def test_work_that_is_dropped_ends_and_says_nothing(qtbot: QtBot, by_checkpoint: bool) -> None:
    owner = QObject()
    background = Background("work", owner)
    seen: list[object] = []
    background.reported.connect(seen.append)
    background.done.connect(seen.append)
    endless = Endless(by_checkpoint=by_checkpoint)
    background.start(endless)
    assert endless.begun.wait(10)
    background.drop()
    assert endless.ended.is_set()
    assert not background.is_busy
    background.start(lambda _job: "next")
    qtbot.waitUntil(lambda: seen[-1:] == ["next"])
    assert seen == ["next"]


def test_work_that_is_cancelled_gives_what_it_has(qtbot: QtBot) -> None:
    owner = QObject()
    background = Background("work", owner)
    endless = Endless(by_checkpoint=False)
    background.start(endless)
    assert endless.begun.wait(10)
    with qtbot.waitSignal(background.done) as done:
        background.cancel()
    assert done.args == ["what there was"]


def test_what_work_raises_is_raised_in_the_windows_thread(qtbot: QtBot) -> None:
    owner = QObject()
    background = Background("work", owner)

    def work(_job: BackgroundJob) -> object:
        message = "a bug"
        raise ValueError(message)

    with capture_exceptions() as raised:
        background.start(work)
        qtbot.waitUntil(lambda: not background.is_busy)
    assert [str(each[1]) for each in raised] == ["a bug"]


def test_it_ends_with_its_owner(qtbot: QtBot) -> None:
    owner = QObject()
    background = Background("work", owner)
    endless = Endless(by_checkpoint=True)
    background.start(endless)
    assert endless.begun.wait(10)
    owner.deleteLater()
    del owner
    qtbot.waitUntil(endless.ended.is_set)


@pytest.mark.parametrize(("worked", "rests"), [(0.0, 0), (0.002, 3)])
def test_it_rests_while_the_windows_thread_works(monkeypatch: pytest.MonkeyPatch, worked: float, rests: int) -> None:
    """At each question a slice of work is over; the window's thread worked that many seconds meanwhile."""
    window = iter(range(1, 1000))
    rested: list[int] = []
    monkeypatch.setattr(module, "_window_clock", lambda: lambda: next(window) * worked)
    monkeypatch.setattr(module, "_AT_WORK", 0.0)
    job = BackgroundJob(lambda *_values: None)
    monkeypatch.setattr(job, "rest", lambda: rested.append(1))
    for _time in range(3):
        assert not job.is_cancelled()
    assert len(rested) == rests
