"""Long work on a thread of its own: it can be cancelled, and leaves the window responsive."""

import atexit
import gc
import sys
import threading
import time
import weakref
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from stepflow_gui.cancelling import WorkCancelled, answer_with
from stepflow_gui.gui.document.inbox import Inbox

_AT_WORK, _AT_REST = 0.004, 0.003  # seconds
_BUSY = 0.0005  # seconds that the window's thread worked meanwhile, by which it is known to have something to do
_PATIENCE = 2.0  # seconds that work has to end in when the program ends


class BackgroundJob:
    """One work, as it sees itself: it reports, and asks whether it is to end. What it calls may use `checkpoint`."""

    def __init__(self, post: Callable[..., None]) -> None:
        """`post(job, over, failure, result)` may be called in any thread."""
        self._post = post
        self._to_end = threading.Event()
        self._unwanted = False
        self._window = _window_clock()
        self._rests_at = self._window_worked = 0.0
        self._thread: threading.Thread | None = None

    def start(self, name: str, work: "Work") -> None:
        """Do it on a thread with that name."""
        self._thread = threading.Thread(target=self._run, args=(work,), name=name, daemon=True)
        self._thread.start()
        _at_work.add(self)

    def report(self, result: object) -> None:
        """Report a result so far, or how far it is."""
        if not self._unwanted:
            self._post(self, False, None, result)

    def is_cancelled(self) -> bool:
        """Whether it is to end with what it has. Rests, where it is time to."""
        self._pause()
        return self._to_end.is_set()

    def rest(self) -> None:
        """Leave the window the processor for a moment, which ends at once where the work is to end."""
        self._to_end.wait(_AT_REST)

    def cancel(self) -> None:
        """Ask it to end with what it has."""
        self._to_end.set()

    def drop(self, patience: float | None = None) -> None:
        """End it, whose result isn't wanted any more, and wait until it has: as long as it takes, or some seconds."""
        self._unwanted = True
        self._to_end.set()
        if self._thread is not None:
            self._thread.join(patience)

    def _run(self, work: "Work") -> None:
        answer_with(self._asked)
        failure: Exception | None = None
        result: object = None
        try:
            result = work(self)
        except WorkCancelled:
            return
        except Exception as error:  # noqa: BLE001  (a bug, which the window's thread reports)
            failure = error
        _spare_collector()
        if not self._unwanted:
            self._post(self, True, failure, result)

    def _asked(self) -> None:
        self._pause()
        if self._unwanted:
            raise WorkCancelled

    def _pause(self) -> None:
        now = time.perf_counter()
        if now >= self._rests_at:
            _spare_collector()
            worked = self._window()
            if worked - self._window_worked > _BUSY:
                self.rest()
            self._window_worked = worked
            self._rests_at = time.perf_counter() + _AT_WORK


Work = Callable[[BackgroundJob], object]


class Background(QObject):
    """One work at a time. `reported(result)` and `done(result)` arrive in the window's thread.

    Work that was cancelled is done with what it has; of work that was dropped nothing arrives any more. What it raises
    is raised in the window's thread. It ends with its parent.
    """

    reported = Signal(object)
    done = Signal(object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        """`name` is the thread's. Without a parent call `drop` in the end."""
        super().__init__(parent)
        self._name = name
        self._jobs: list[BackgroundJob] = []  # one, or none
        self._inbox = Inbox(self, self._receive)
        self.destroyed.connect(partial(_drop, self._jobs))

    @property
    def is_busy(self) -> bool:
        """Whether there is work."""
        return bool(self._jobs)

    def start(self, work: Work) -> None:
        """Do this, instead of what is done now."""
        self.drop()
        job = BackgroundJob(self._inbox.post)
        self._jobs.append(job)
        job.start(self._name, work)

    def cancel(self) -> None:
        """Ask what is done now to end with what it has."""
        for job in self._jobs:
            job.cancel()

    def drop(self) -> None:
        """End what is done now, and forget it."""
        _drop(self._jobs)

    def _receive(self, job: BackgroundJob, over: bool, failure: Exception | None, result: object) -> None:
        if job not in self._jobs:
            return
        if not over:
            self.reported.emit(result)
            return
        self.drop()
        if failure is not None:
            raise failure
        self.done.emit(result)


def _drop(jobs: list[BackgroundJob], *_of: object) -> None:
    while jobs:
        jobs.pop().drop()


_at_work: "weakref.WeakSet[BackgroundJob]" = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    # Before Python and Qt are taken down, which a thread at work wouldn't survive.
    for job in list(_at_work):
        job.drop(_PATIENCE)


def _window_clock() -> Callable[[], float]:
    """What tells how many seconds the window's thread has worked; called in that thread."""
    if sys.platform == "linux":
        return partial(time.clock_gettime, time.pthread_getcpuclockid(threading.get_ident()))
    return time.monotonic  # it may always have something to do


def _spare_collector() -> None:
    """Count all that there is as old: what work keeps would hold the window up, were it looked through as new.

    Garbage among it is found when the window's collector looks through everything.
    """
    if not gc.isenabled():
        gc.freeze()
        gc.unfreeze()
