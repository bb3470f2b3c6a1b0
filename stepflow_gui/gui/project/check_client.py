"""Sends requests to the checking process of a project, and emits its answers in the window's thread."""

import threading
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from stepflow_gui.gui.document.gc_control import WindowCollector
from stepflow_gui.gui.document.inbox import Inbox
from stepflow_gui.gui.project.check_process import Asked, EndRequest, First, GoOn, Look, StopRequest, serve, serve_alone
from stepflow_gui.messages import language


class CheckClient(QObject):
    """Looks after one project. `answered(Answer)`; `ended()` where the process died: `look` starts another."""

    answered = Signal(object)
    ended = Signal()

    def __init__(self, root: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._root = root
        self._run: _Run | None = None
        self._collector = WindowCollector(self)
        self._inbox = Inbox(self, self._pass_on)

    def look(self) -> None:
        """Look for agents, and check those that are new or changed."""
        if self._run is None:
            self._run = _Run(self._root, self)
        self._run.ask(Look(language()))

    def first(self, key: Path) -> None:
        """Check this agent next."""
        self._ask(First(key))

    def stop(self) -> None:
        """Check no more."""
        self._ask(StopRequest())

    def go_on(self) -> None:
        """Check what is left."""
        self._ask(GoOn())

    def end(self) -> None:
        """End the process, whatever it is at: nothing more of it is reported."""
        run, self._run = self._run, None
        if run is not None:
            run.close()

    def close(self) -> None:
        """The same, for good."""
        self._inbox.close()
        self.end()
        self._collector.close()

    def receive(self, run: object, answer: object) -> None:
        """Called in a run's thread: an answer, or None at its end."""
        self._inbox.post(run, answer)

    def _ask(self, asked: Asked) -> None:
        if self._run is not None:
            self._run.ask(asked)

    def _pass_on(self, run: object, answer: object) -> None:
        if run is not self._run:
            return
        if answer is not None:
            self.answered.emit(answer)
            return
        self.end()
        self.ended.emit()


class _Run:
    """One process with the thread that hears it; where no process can be had, a second thread."""

    def __init__(self, root: Path, work: CheckClient) -> None:
        context = get_context("spawn")  # a forked copy of a process with Qt and threads in it isn't safe
        self._ours, self._theirs = context.Pipe()
        self._root = root
        self._work = work
        self._closed = False
        self._process: BaseProcess | None = context.Process(
            target=serve_alone, args=(self._theirs, root), daemon=True, name="stepflow-project"
        )
        self._thread = threading.Thread(target=self._live, name="stepflow-project")
        self._thread.start()

    def ask(self, asked: Asked) -> None:
        """Send a request; it has no effect if the process died, which its thread reports."""
        try:
            self._ours.send(asked)
        except OSError:
            pass

    def close(self) -> None:
        """End the process and wait for the thread."""
        self._closed = True
        self.ask(EndRequest())
        process = self._process
        if process is not None and process.pid is not None:
            process.kill()
        self._thread.join()
        self._ours.close()

    def _live(self) -> None:
        process = self._process
        assert process is not None
        try:
            process.start()
        except (OSError, RuntimeError):  # no process can be started here
            self._process = None
            instead = threading.Thread(target=serve, args=(self._theirs, self._root), name="stepflow-check")
            instead.start()
            self._receive(self._ours)
            instead.join()
            return
        self._theirs.close()
        if self._closed:  # while it started
            process.kill()
        self._receive(self._ours)
        process.kill()
        process.join()

    def _receive(self, ours: Connection) -> None:
        try:
            while not self._closed:
                answer = ours.recv()
                if not self._closed:
                    self._work.receive(self, answer)
        except (EOFError, OSError):
            pass
        if not self._closed:
            self._work.receive(self, None)
