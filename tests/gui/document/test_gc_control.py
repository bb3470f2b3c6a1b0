"""Qt objects are only ever destroyed in the window's thread."""

import gc
import threading
import weakref

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document import gc_control
from stepflow_gui.gui.document.gc_control import WindowCollector


class _Cycle:
    def __init__(self, died_in: list[str]) -> None:
        self.me = self
        weakref.finalize(self, lambda: died_in.append(threading.current_thread().name))


def test_a_large_agent_is_not_gone_through_again_and_again(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there is left alone until an agent is closed."""
    monkeypatch.setattr(gc_control, "_LARGE", 0)
    monkeypatch.setattr(gc_control, "_FULL_EVERY", 0.0)
    monkeypatch.setattr(gc, "get_count", lambda: (1000, 1000, 1000))
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda generation=2: collected.append(generation))
    owner = QObject()
    collector = WindowCollector(owner)
    collector._collect()
    assert gc.get_freeze_count() > 0
    collector.close()
    assert gc.get_freeze_count() == 0
    assert collected == []


def test_what_a_worker_leaves_is_freed_in_this_thread(qtbot: QtBot) -> None:
    gc.enable()
    owner = QObject()
    collector = WindowCollector(owner)
    other = WindowCollector(owner)
    died_in: list[str] = []

    def work() -> None:
        for _number in range(3000):
            _Cycle(died_in)

    worker = threading.Thread(target=work, name="worker")
    worker.start()
    worker.join()
    assert died_in == []
    qtbot.waitUntil(lambda: bool(died_in))
    assert set(died_in) == {threading.current_thread().name}
    collector.close()
    assert not gc.isenabled()
    other.close()
    assert gc.isenabled()
