"""Waiting for a window: its events go on meanwhile."""

import time
from collections.abc import Callable

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

_PATIENCE = 300.0  # seconds
_REST = 0.4  # seconds in which a window comes to rest


class EventLoop:
    """What holds a window in a benchmark."""

    def until(self, ready: Callable[[], bool]) -> None:
        """Let the window work until something holds. Raises AssertionError when that takes too long."""
        late = time.perf_counter() + _PATIENCE
        while not ready():
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            assert time.perf_counter() < late

    def rest(self) -> None:
        """Let the window come to rest."""
        later = time.perf_counter() + _REST
        self.until(lambda: time.perf_counter() > later)
