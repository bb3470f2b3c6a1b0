"""Lints off the window's thread: the latest snapshot, one at a time; what a newer one overtook is dropped."""

import atexit
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from stepflow_gui.gui.document.gc_control import WindowCollector
from stepflow_gui.gui.document.inbox import Inbox
from stepflow_gui.gui.document.lint_worker import LintProcess, Snapshot, lint_snapshot
from stepflow_gui.messages import language
from stepflow_gui.project.agent_folder import AgentFolder

_Reading = tuple[int, Callable[[], AgentFolder]]
Task = TypeVar("Task")

# Characters of text up to which linting in a thread leaves the window smooth: about 170 steps. A longer run of Python
# in a thread holds up every frame and the reading of the flow, one in another process neither (measured, benchmarks/).
BIG = 128_000
_SWITCH = 0.0005  # seconds
_PATIENCE = 2.0  # seconds that a worker has to finish when the program ends


def prepare_threads() -> None:
    """Let the window's thread in every half millisecond while a worker runs. Called once when the window starts."""
    sys.setswitchinterval(_SWITCH)


class LiveLint(QObject):
    """Takes snapshots and gives findings.

    `linted(version, Findings)` and, for snapshots asked to be read as well, `was_read(version, folder)` are emitted
    in the thread this object lives in, until `close`. Reading doesn't wait for the linting of an older snapshot.
    """

    linted = Signal(object, object)
    was_read = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._closed = False
        from stepflow_gui.lint.engine.memory import (
            LintMemory,
        )  # the linter is loaded with the first agent, not with the window

        self._memory = LintMemory()
        self._process = LintProcess()
        self._found = Inbox(self, self.linted.emit)
        self._folders = Inbox(self, self.was_read.emit)
        self._collector = WindowCollector(self)
        self._linter = _Worker("stepflow-lint", self._lint)
        self._reader = _Worker("stepflow-read", self._read)

    def ask(self, snapshot: Snapshot, read: Callable[[], AgentFolder] | None = None) -> None:
        """Lint a snapshot, instead of one that still waits. With `read`, which reads its folder, that is given too."""
        if read is not None:
            self._reader.ask((snapshot.version, read))
        self._linter.ask(snapshot)

    def close(self) -> None:
        """Stop and wait until everything has stopped; nothing is emitted any more."""
        self._closed = True
        self._found.close()
        self._folders.close()
        self._process.close()
        self._linter.close()
        self._reader.close()
        self._process.wait()
        self._collector.close()

    def _lint(self, snapshot: Snapshot) -> None:
        findings = None
        if sum(len(text) for _path, text, _bom in snapshot.texts) > BIG:
            findings = self._process.lint(snapshot, language())
        if findings is None and not self._closed:  # small, or no process can be had here
            findings = lint_snapshot(snapshot, self._memory)
        if not self._closed:
            self._found.post(snapshot.version, findings)

    def _read(self, asked: _Reading) -> None:
        version, read = asked
        folder = read()
        if not self._closed:
            self._folders.post(version, folder)


class _Worker(Generic[Task]):
    """A thread, started with the first task, that works on the latest one.

    It never keeps the program from exiting: if it isn't closed, it is asked to stop at exit and given a moment.
    """

    def __init__(self, name: str, work: Callable[[Task], None]) -> None:
        self._name = name
        self._work_on = work
        self._waiting: Task | None = None
        self._wake = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None
        _workers.add(self)

    def ask(self, task: Task) -> None:
        """Work on this next."""
        with self._wake:
            if self._closed:
                return
            self._waiting = task
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()
            self._wake.notify()

    def close(self, patience: float | None = None) -> None:
        """End the thread and wait for it: as long as it takes, or some seconds."""
        with self._wake:
            self._closed = True
            thread, self._thread = self._thread, None
            self._wake.notify()
        if thread is not None:
            thread.join(patience)

    def _next(self) -> Task | None:
        with self._wake:
            while self._waiting is None and not self._closed:
                self._wake.wait()
            task, self._waiting = self._waiting, None
            return None if self._closed else task

    def _work(self) -> None:
        try:
            while (task := self._next()) is not None:
                self._work_on(task)
        finally:
            with self._wake:  # a bug in a rule ends the thread, not live linting: the next task starts another
                self._thread = None


_workers: "weakref.WeakSet[_Worker[Any]]" = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    # Before Python and Qt are taken down, which a thread at work wouldn't survive.
    for worker in list(_workers):
        worker.close(_PATIENCE)
