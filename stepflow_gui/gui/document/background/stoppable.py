"""Work on a thread of its own, so that the window can be used meanwhile; it can be stopped at any moment."""

import ctypes
import threading
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from stepflow_gui.gui.document.inbox import Inbox

Work = Callable[[Callable[[object], None]], object]
"""Receives what reports a result so far, and gives the result. Python code only: see `Background.cancel`."""


class _CancelledError(BaseException):
    """Raised inside work whose result isn't wanted any more."""


class _Job:
    """One work on its thread."""

    def __init__(self, name: str, work: Work, post: Callable[..., None]) -> None:
        self._work = work
        self._post = post
        self._lock = threading.Lock()
        self._over = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Stop it wherever it is, and wait for the moment that this takes."""
        with self._lock:
            if not self._over:
                ident = ctypes.c_ulong(self._thread.ident or 0)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(_CancelledError))
        self._thread.join()

    def _run(self) -> None:
        try:
            failure: Exception | None = None
            result: object = None
            try:
                result = self._work(partial(self._post, self, False, None))
            except Exception as error:  # noqa: BLE001  (a bug, which the window's thread reports)
                failure = error
            with self._lock:
                self._over = True
            self._post(self, True, failure, result)
        except _CancelledError:
            return


class Background(QObject):
    """One work at a time. `reported(result)` and `done(result)` arrive in the window's thread, unless it was cancelled.

    What the work raises is raised there, too.
    """

    reported = Signal(object)
    done = Signal(object)

    def __init__(self, name: str, parent: QObject) -> None:
        """`name` is the thread's."""
        super().__init__(parent)
        self._name = name
        self._jobs: list[_Job] = []  # one, or none
        self._inbox = Inbox(self, self._receive)
        self.destroyed.connect(partial(_cancel, self._jobs))

    @property
    def is_busy(self) -> bool:
        """Whether there is work."""
        return bool(self._jobs)

    def start(self, work: Work) -> None:
        """Do this, instead of what is done now."""
        self.cancel()
        self._jobs.append(_Job(self._name, work, self._inbox.post))

    def cancel(self) -> None:
        """Stop what is done now: between two of its lines, at once."""
        _cancel(self._jobs)

    def _receive(self, job: _Job, over: bool, failure: Exception | None, result: object) -> None:
        if job not in self._jobs:
            return
        if not over:
            self.reported.emit(result)
            return
        self.cancel()
        if failure is not None:
            raise failure
        self.done.emit(result)


def _cancel(jobs: list[_Job], *_of: object) -> None:
    while jobs:
        jobs.pop().cancel()
