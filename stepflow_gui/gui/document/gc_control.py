"""Frees cyclic garbage in the window's thread only, while other threads run.

Python's own collector runs in whatever thread happens to allocate. Where it frees a Qt object in a worker thread while
an event waits for that object, the event finds half an object ("Slot … not found") or takes the process down. So it is
off as long as a `WindowCollector` is open, which does its work by a timer: a `Shell` has one for the whole program.
"""

import gc
import sys
import time

from PySide6.QtCore import QObject, QTimer

_EVERY = 500  # milliseconds
_FLOOD = 200_000  # new objects that come of a large file, not of garbage, and that take long to go through
_LARGE = 2_000_000  # blocks of memory; where there are more, a look at everything holds the window up
_FULL_EVERY = 30.0  # seconds at least between two looks at everything, which take long in big projects


class WindowCollector(QObject):
    """Made in the window's thread before a worker thread starts; `close` when none runs any more."""

    _open = 0  # how many there are: Python's collector is one a process
    _was_on = True

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        if WindowCollector._open == 0:
            WindowCollector._was_on = gc.isenabled()
        gc.disable()
        WindowCollector._open += 1
        self._full_at = time.monotonic()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._collect)
        self._timer.start(_EVERY)

    def close(self) -> None:
        """Give the work back to Python's own collector, if this was the last one."""
        if not self._timer.isActive():
            return
        self._timer.stop()
        WindowCollector._open -= 1
        gc.unfreeze()  # what was there for the sake of an agent may be garbage now
        if WindowCollector._open == 0 and WindowCollector._was_on:
            gc.enable()

    def _collect(self) -> None:
        # The youngest generation that is due, as Python's own collector would; the oldest rarely.
        if gc.get_count()[0] > _FLOOD:
            gc.freeze()
            return
        young, middle, old = (count > limit for count, limit in zip(gc.get_count(), gc.get_threshold(), strict=True))
        if old and time.monotonic() - self._full_at > _FULL_EVERY:
            self._full_at = time.monotonic()
            if sys.getallocatedblocks() > _LARGE:
                gc.freeze()  # until an agent is closed
            else:
                gc.collect(2)
        elif young:
            gc.collect(1 if middle else 0)
