"""Work on another thread, which can be stopped at any moment."""

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document.background.stoppable import Background


def test_results_arrive_in_the_thread_that_asked(qtbot: QtBot) -> None:
    owner = QObject()
    background = Background("work", owner)
    seen: list[tuple[object, threading.Thread]] = []
    background.reported.connect(lambda result: seen.append((result, threading.current_thread())))
    background.done.connect(lambda result: seen.append((result, threading.current_thread())))
    worked: list[threading.Thread] = []

    def work(report: Callable[[object], None]) -> object:
        worked.append(threading.current_thread())
        report("half")
        return "whole"

    with qtbot.waitSignal(background.done):
        background.start(work)
        assert background.is_busy
    here = threading.current_thread()
    assert seen == [("half", here), ("whole", here)]
    assert worked != [here]
    assert not background.is_busy


def test_endless_work_is_stopped_and_says_nothing(qtbot: QtBot) -> None:
    owner = QObject()
    background = Background("work", owner)
    seen: list[object] = []
    background.reported.connect(seen.append)
    background.done.connect(seen.append)
    begun, ended = threading.Event(), threading.Event()

    def work(report: Callable[[object], None]) -> object:
        try:
            begun.set()
            while True:
                report(1)
        finally:
            ended.set()

    background.start(work)
    assert begun.wait(10)
    background.cancel()
    assert ended.is_set()
    assert not background.is_busy
    background.start(lambda _report: "next")
    qtbot.waitUntil(lambda: seen[-1:] == ["next"])
    assert seen == ["next"]


def test_it_ends_with_its_owner(qtbot: QtBot) -> None:
    owner = QObject()
    background = Background("work", owner)
    begun, ended = threading.Event(), threading.Event()

    def work(_report: Callable[[object], None]) -> object:
        try:
            begun.set()
            while True:
                pass
        finally:
            ended.set()

    background.start(work)
    assert begun.wait(10)
    owner.deleteLater()
    del owner
    qtbot.waitUntil(ended.is_set)
