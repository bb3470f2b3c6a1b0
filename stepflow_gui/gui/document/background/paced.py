"""Long work on a thread of its own, which rests every few milliseconds so that the window keeps its pace."""

import gc
import threading
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from stepflow_gui.gui.document.inbox import Inbox

_AT_WORK, _AT_REST = 0.004, 0.003  # seconds
Work = Callable[[Callable[[int, int], None], Callable[[], bool]], object]
"""Receives callbacks to report progress and to check for cancellation."""


class _Job:
    def __init__(self, work: Work) -> None:
        self.work = work
        self.cancelled = False
        self._rests_at = time.perf_counter() + _AT_WORK

    def asked(self) -> bool:
        """Return whether it is cancelled; rest, where it is time to."""
        if time.perf_counter() >= self._rests_at:
            _spare_collector()
            time.sleep(_AT_REST)
            self._rests_at = time.perf_counter() + _AT_WORK
        return self.cancelled


class BackgroundWork(QObject):
    """One job at a time. `progressed(done, known)` and `done(result)` arrive in the window's thread.

    A job that was cancelled returns what it has; one that was dropped emits nothing more.
    """

    progressed = Signal(int, int)
    done = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: _Job | None = None
        self._thread: threading.Thread | None = None
        self._counted = Inbox(self, self._pass_progress)
        self._found = Inbox(self, self._pass_done)

    @property
    def busy(self) -> bool:
        """Whether there is a job."""
        return self._job is not None

    def start(self, work: Work) -> None:
        """Drop what there is, and do this."""
        self.drop()
        job = self._job = _Job(work)
        self._thread = threading.Thread(target=self._work, args=(job,), name="stepflow-work", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Call the job off: it ends soon, with what it has."""
        if self._job is not None:
            self._job.cancelled = True

    def drop(self) -> None:
        """Call the job off and forget it."""
        job, self._job = self._job, None
        if job is not None:
            job.cancelled = True
        if self._thread is not None:
            self._thread.join(timeout=2)
            self._thread = None

    def _work(self, job: _Job) -> None:
        result = job.work(lambda done, known: self._counted.post(job, done, known), job.asked)
        _spare_collector()
        if self._job is job:
            self._found.post(job, result)

    def _pass_progress(self, job: _Job, done: int, known: int) -> None:
        if job is self._job:
            self.progressed.emit(done, known)

    def _pass_done(self, job: _Job, result: object) -> None:
        if job is not self._job:
            return
        self._job = None
        self.done.emit(result)


def _spare_collector() -> None:
    """Count all that there is as old: what a search keeps would hold the window up, were it looked through as new.

    Garbage among it is found when the window's collector looks through everything.
    """
    if not gc.isenabled():
        gc.freeze()
        gc.unfreeze()
