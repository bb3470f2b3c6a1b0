"""What the program notes of its own work, for the log panel and for reports. Never a text of the person's files."""

import logging
import threading
import time
from collections import deque
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from stepflow_gui.gui.document.inbox import Inbox

LOGGER = "stepflow_gui"
_MOST = 2000  # entries; older ones are forgotten


class LogEntry(NamedTuple):
    """One note. `when` in seconds since the epoch."""

    when: float
    level: str
    text: str

    @property
    def line(self) -> str:
        """The note as a line."""
        return f"{time.strftime('%H:%M:%S', time.localtime(self.when))}  {self.level:<7}  {self.text}"


class Log(QObject):
    """Hears everything that is logged under `LOGGER`. `added(LogEntry)` comes in the window's thread."""

    added = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: deque[LogEntry] = deque(maxlen=_MOST)
        self._inbox = Inbox(self, self.added.emit)
        self._handler = _Handler(self)
        logger = logging.getLogger(LOGGER)
        logger.addHandler(self._handler)
        logger.setLevel(logging.INFO)
        self._logger = logger
        self.destroyed.connect(partial(logger.removeHandler, self._handler))

    @property
    def entries(self) -> list[LogEntry]:
        """What was noted, the oldest first."""
        return list(self._entries)

    def take(self, entry: LogEntry) -> None:
        """Note it. May be called in any thread."""
        self._entries.append(entry)
        if threading.current_thread() is threading.main_thread():
            self.added.emit(entry)
        else:
            self._inbox.post(entry)

    def close(self) -> None:
        """Hear nothing any more."""
        self._logger.removeHandler(self._handler)
        self._inbox.close()


class _Handler(logging.Handler):
    def __init__(self, log: Log) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        # Without the trace that goes with an exception: its last line may hold a value of the person's.
        self._log.take(LogEntry(record.created, record.levelname.lower(), record.getMessage()))
