"""Asks models in a process of its own, so a window never waits for the library or for what it reads.

Loading the library holds Python's lock for a tenth of a second at a time, on whatever thread it is done. The process
is begun when the first answer is asked for and serves all later ones.
"""

import multiprocessing
import threading
from collections.abc import Callable
from functools import lru_cache, partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import NamedTuple

from stepflow_gui.messages import _, language, use_language
from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.responders.anthropic_job import Done, Job, ModelQuery, ask, cancelled
from stepflow_gui.run.responders.anthropic_key import Key, Whence, no_key
from stepflow_gui.run.responders.anthropic_progress import Progress
from stepflow_gui.run.responders.anthropic_settings import ModelSettings

_LOOK = 0.03  # seconds between two checks of whether the answer was cancelled


class _Asked(NamedTuple):
    """The request to the process. `number` identifies the answer that a message belongs to."""

    number: int
    finding: ModelQuery
    settings: ModelSettings
    stream: bool
    key: str
    whence: Whence
    language: str


class _Done(NamedTuple):
    """The answer."""

    done: Done


class _CallOff(NamedTuple):
    """The answer of that number is not wanted any more."""

    number: int


class ModelProcess:
    """The process, begun when it is needed and again where it has died. One answer at a time."""

    def __init__(self) -> None:
        self._asking = threading.Lock()
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._number = 0

    def ask(self, job: "RemoteJob", finding: ModelQuery, settings: ModelSettings, stream: bool, key: Key) -> Done:
        """Ask, and wait until there is an answer or it was cancelled."""
        with self._asking:
            try:
                return self._ask(job, finding, settings, stream, key)
            except (EOFError, OSError):
                self._end()
                return NoAnswer("failed", _("The process that asks models has ended. Ask again."), retryable=True)

    def close(self) -> None:
        """End the process."""
        with self._asking:
            self._end()

    def _ask(self, job: "RemoteJob", finding: ModelQuery, settings: ModelSettings, stream: bool, key: Key) -> Done:
        line = self._begun()
        self._number += 1
        number = self._number
        line.send(_Asked(number, finding, settings, stream, key.reveal(), key.whence, language()))
        while not job.over.is_set():
            if not line.poll(_LOOK):
                continue
            of, message = line.recv()
            if of != number:  # of an answer that was cancelled
                continue
            if isinstance(message, _Done):
                return message.done
            job.report(message)
        line.send(_CallOff(number))
        return cancelled()

    def _begun(self) -> Connection:
        if self._process is None or not self._process.is_alive() or self._line is None:
            self._end()
            context = multiprocessing.get_context("spawn")
            self._line, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs,), name="stepflow-models", daemon=True)
            self._process.start()
            theirs.close()
        return self._line

    def _end(self) -> None:
        line, self._line = self._line, None
        process, self._process = self._process, None
        if line is not None:
            line.close()
        if process is not None:
            process.terminate()
            process.join(1)


class RemoteJob:
    """An answer that the process is asked for. When cancelled, it returns at once."""

    def __init__(self, listener: Callable[[Progress], None]) -> None:
        self.over = threading.Event()
        self._listener = listener

    def cancel(self) -> None:
        """Call it off."""
        self.over.set()

    def report(self, progress: Progress) -> None:
        """Pass on what happens."""
        if not self.over.is_set():
            self._listener(progress)

    def run(self, finding: ModelQuery, settings: ModelSettings, stream: bool, find: Callable[[], Key | None]) -> Done:
        """Ask the process that all share."""
        key = find()
        if key is None:
            return NoAnswer("no_key", no_key())
        return cancelled() if self.over.is_set() else model_process().ask(self, finding, settings, stream, key)


@lru_cache(maxsize=1)
def model_process() -> ModelProcess:
    """The one process that asks models."""
    return ModelProcess()


def _serve(line: Connection) -> None:
    """The loop of the process: ask as requested, until the other side is gone."""
    jobs: dict[int, Job] = {}
    sending = threading.Lock()

    def send(number: int, message: object) -> None:
        with sending:
            try:
                line.send((number, message))
            except OSError:  # the other side is gone
                pass

    def work(asked: _Asked, job: Job) -> None:
        key = Key(asked.key, asked.whence)
        done = job.run(lambda: ask(job, asked.finding, asked.settings, asked.stream, key))
        jobs.pop(asked.number, None)
        send(asked.number, _Done(done))

    while True:
        try:
            message = line.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            return
        if isinstance(message, _CallOff):
            job = jobs.get(message.number)
            if job is not None:
                job.cancel()
        elif isinstance(message, _Asked):
            use_language(message.language)
            number = message.number
            job = jobs[number] = Job(partial(send, number))
            threading.Thread(target=work, args=(message, job), daemon=True).start()
