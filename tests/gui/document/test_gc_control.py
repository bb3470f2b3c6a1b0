"""Qt objects are only ever destroyed in the window's thread."""

import gc
import threading
import weakref

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document.gc_control import WindowCollector


class _Cycle:
    def __init__(self, died_in: list[str]) -> None:
        self.me = self
        weakref.finalize(self, lambda: died_in.append(threading.current_thread().name))


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
