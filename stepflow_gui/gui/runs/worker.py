"""Runs a run on a thread of its own, as fast as possible, and delivers its events in small portions.

The thread works only while it has been granted time, which the window does once a frame: beside a Python thread that
never rests a frame would take many times as long (architecture.md). What blocks without Python's lock, such as a
command or a model, isn't held up by that.
"""

import gc
import threading
import time
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from stepflow_gui.gui.document.gc_control import WindowCollector
from stepflow_gui.gui.document.inbox import Inbox
from stepflow_gui.messages import _
from stepflow_gui.run.debugging.branches import Goal, Paused, Pauses
from stepflow_gui.run.debugging.breakpoints import Breakpoint
from stepflow_gui.run.debugging.places import RunValues
from stepflow_gui.run.effects import Cancellable, Commands, NoAnswer, Responder, ResponderQuery
from stepflow_gui.run.host.host import Host
from stepflow_gui.run.machine.state import Event, State
from stepflow_gui.run.machine.transitions import pending

_FRAME = 12  # milliseconds between two portions
_GRANT = 0.006  # seconds of work a frame
_MOST = 256  # events a portion


class TaskStopped(NamedTuple):
    """Why a task has stopped; `no_answer` where there was no answer for how to continue."""

    paused: Paused
    no_answer: NoAnswer | None = None


class RunWork(Protocol):
    """What is to be led, of whatever kind of run."""

    def events(self) -> Iterator[tuple[object | None, TaskStopped | None]]:
        """Each event that happens, if one did, and why the task stops there, if it does."""

    def call_off(self) -> None:
        """Call off what is waited for, from any thread."""


class RunTask(NamedTuple):
    """An agent's run that is to be led: from a state on, until the goal or something else pauses it."""

    host: Host
    state: State
    visits: dict[str, int]
    goal: Goal
    breakpoints: tuple[Breakpoint, ...]
    responder: Responder
    commands: Commands

    def events(self) -> Iterator[tuple[object | None, TaskStopped | None]]:
        """Each event as a `RunMove`."""
        machine, state, visits = self.host.machine, self.state, dict(self.visits)
        pauses = Pauses(self.goal, self.breakpoints)
        while True:
            effect = pending(machine.config, state)
            if effect is None or state.error is not None:
                yield None, TaskStopped(Paused("nothing"))
                return
            moves = self.host.carry_out(state, effect, self.responder, self.commands)
            if isinstance(moves, NoAnswer):
                yield None, TaskStopped(Paused("no_answer", moves.message), moves)
                return
            event, asked = moves
            before = state
            state, _effects = machine.step(state, event)
            if state.step is not None and state.iteration != before.iteration:
                visits[state.step] = visits.get(state.step, 0) + 1
            paused = pauses.after(RunValues(machine.config, state, visits))
            yield RunMove(event, state, asked), TaskStopped(paused) if paused is not None else None

    def call_off(self) -> None:
        """Call off what the responder or a command is at."""
        for part in (self.responder, self.commands):
            if isinstance(part, Cancellable):
                part.cancel()


class RunMove(NamedTuple):
    """One event with the state after it; `asked` where it answers something."""

    event: Event
    state: State
    asked: ResponderQuery | None


class _Work:
    """A task at work. Only its thread writes `moves` and `paused`, under the worker's lock."""

    def __init__(self, task: RunWork) -> None:
        self.task = task
        self.moves: list[object] = []
        self.stopped: TaskStopped | None = None
        self.cancelled = False
        self.pause_wanted = False
        self.granted_until = 0.0


class RunWorker(QObject):
    """One task at a time. `moved(led)` and at the end `paused(why, no_answer)` are emitted in the window's thread.

    Nothing of a task that was cancelled is emitted any more.
    """

    moved = Signal(object)
    paused = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self._current_work: _Work | None = None  # what the window waits for
        self._next: _Work | None = None  # what the thread takes up next
        self._closed = False
        self._collector = WindowCollector(self)
        self._timer = QTimer(self)
        self._timer.setInterval(_FRAME)
        self._timer.timeout.connect(self._collect)
        self._inbox = Inbox(self, self._collect)

    @property
    def busy(self) -> bool:
        """Whether a task is at work."""
        return self._current_work is not None

    def start_work(self, task: RunWork) -> None:
        """Begin a task, in place of one that is at work."""
        self.cancel()
        work = _Work(task)
        work.granted_until = time.perf_counter() + _GRANT
        with self._wake:
            self._current_work = self._next = work
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="stepflow-run", daemon=True)
                self._thread.start()
            self._wake.notify_all()
        self._timer.start()

    def pause(self) -> None:
        """Pause the task after the event it is at; what is waited for is cancelled."""
        work = self._current_work
        if work is None:
            return
        with self._wake:
            work.pause_wanted = True
            self._wake.notify_all()
        work.task.call_off()

    def cancel(self) -> None:
        """Drop the task with all that it has not handed over yet."""
        work, self._current_work = self._current_work, None
        self._timer.stop()
        if work is None:
            return
        with self._wake:
            work.cancelled = True
            self._next = None
            self._wake.notify_all()
        work.task.call_off()

    def close(self) -> None:
        """End the thread; one that is caught in something that can't be cancelled is left to end by itself."""
        self.cancel()
        self._inbox.close()
        with self._wake:
            self._closed = True
            thread, self._thread = self._thread, None
            self._wake.notify_all()
        if thread is not None:
            thread.join(timeout=2)
        self._collector.close()

    # In the window's thread

    def _collect(self) -> None:
        work = self._current_work
        if work is None:
            return
        with self._wake:
            moves, work.moves = work.moves, []
            stopped = work.stopped
        if moves:
            self.moved.emit(moves)
            gc.collect(1)  # else the window's collector would find it all at once
        if self._current_work is not work:  # cancelled by who heard of it
            return
        if stopped is not None:
            self._current_work = None
            self._timer.stop()
            self.paused.emit(*stopped)
            return
        with self._wake:
            work.granted_until = time.perf_counter() + _GRANT
            self._wake.notify_all()

    # In the thread

    def _work(self) -> None:
        while True:
            with self._wake:
                while self._next is None and not self._closed:
                    self._wake.wait()
                if self._closed:
                    return
                work, self._next = self._next, None
            assert work is not None
            try:
                stopped = self._carry_out(work)
            except Exception as error:  # noqa: BLE001 - a bug in a responder must not end the thread
                text = _("Something went wrong inside Stepflow ({error}).").format(error=repr(error))
                stopped = TaskStopped(Paused("no_answer", text), NoAnswer("bug", text))
            with self._wake:
                work.stopped = stopped
                notify = not work.cancelled and not self._closed
            if notify:
                self._inbox.post()

    def _carry_out(self, work: _Work) -> TaskStopped:
        asked = TaskStopped(Paused("asked"))
        events = work.task.events()
        while self._may_go_on(work):
            moves, stopped = next(events)
            if moves is not None:
                with self._wake:
                    if work.cancelled:
                        return asked
                    work.moves.append(moves)
            if stopped is not None:
                unanswered = stopped.no_answer is not None and work.pause_wanted
                return stopped._replace(paused=asked.paused) if unanswered else stopped
        return asked

    def _may_go_on(self, work: _Work) -> bool:
        """Wait for time to work; False where the task is to stop."""
        with self._wake:
            while True:
                if self._closed or work.cancelled or work.pause_wanted:
                    return False
                if time.perf_counter() < work.granted_until and len(work.moves) < _MOST:
                    return True
                self._wake.wait()
