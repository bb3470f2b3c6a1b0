"""Lints off the window's thread: the latest snapshot, one at a time; what a newer one overtook is dropped."""

import sys
import threading
from collections import deque
from functools import partial

from PySide6.QtCore import QObject, Signal

from stepflow_gui.gui.collector import WindowCollector
from stepflow_gui.gui.lint_worker import LintProcess, Snapshot, lint_snapshot, read_snapshot
from stepflow_gui.messages import language

# Characters of text up to which linting in a thread leaves the window smooth: about 200 steps. A longer run of Python
# in a thread holds up every frame, one in another process none (measured, see benchmarks/).
BIG = 256_000
_SWITCH = 0.0005  # seconds


def prepare_threads() -> None:
    """Let the window's thread in every half millisecond while a worker runs. Called once when the window starts."""
    sys.setswitchinterval(_SWITCH)


class LiveLint(QObject):
    """Takes snapshots and gives findings.

    `linted(version, diagnostics)` and, for snapshots asked to be read as well, `was_read(version, folder)` are emitted
    in the thread this object lives in.
    """

    linted = Signal(object, object)
    was_read = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: deque[tuple[Snapshot, bool]] = deque(maxlen=1)  # the latest wins
        self._wake = threading.Condition()
        self._closed = False
        self._process = LintProcess()
        self._collector = WindowCollector(self)
        self._thread: threading.Thread | None = None

    def ask(self, snapshot: Snapshot, read: bool = False) -> None:
        """Lint a snapshot, instead of one that still waits. With `read` its folder is given too."""
        with self._wake:
            if self._closed:
                return
            self._waiting.append((snapshot, read))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="stepflow-lint")
                self._thread.start()
            self._wake.notify()

    def close(self) -> None:
        """Stop and wait until everything has stopped; nothing is emitted any more."""
        with self._wake:
            self._closed = True
            self._waiting.clear()
            self._wake.notify()
        self._process.close()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._process.wait()
        self._collector.close()

    def _next(self) -> tuple[Snapshot, bool] | None:
        with self._wake:
            while not self._waiting and not self._closed:
                self._wake.wait()
            return None if self._closed else self._waiting.popleft()

    def _work(self) -> None:
        try:
            self._work_on()
        finally:
            with self._wake:  # a bug in a rule ends the thread, not live linting
                if not self._closed:
                    self._thread = None

    def _work_on(self) -> None:
        while (job := self._next()) is not None:
            snapshot, read = job
            if sum(len(text) for _path, text, _bom in snapshot.texts) > BIG:
                findings = self._process.lint(snapshot, language(), partial(self._read, snapshot, read))
                if findings is None and not self._closed:  # no process can be had here
                    findings = lint_snapshot(snapshot)
            else:
                self._read(snapshot, read)
                findings = lint_snapshot(snapshot)
            if not self._closed:
                self.linted.emit(snapshot.version, findings)

    def _read(self, snapshot: Snapshot, wanted: bool) -> None:
        if not wanted:
            return
        folder = read_snapshot(snapshot)
        if not self._closed:
            self.was_read.emit(snapshot.version, folder)
