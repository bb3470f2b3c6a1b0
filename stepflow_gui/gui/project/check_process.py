"""Finds and checks the agents of a project in a process of its own, whose whole life `serve` is. Knows no Qt."""

import gc
import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from stepflow_gui.lint.engine.project_status import CheckedAgent, Health, ProjectChecker
from stepflow_gui.messages import language as language_in_use
from stepflow_gui.messages import use_language
from stepflow_gui.text.files.store import ReadProblem

_log = logging.getLogger(__name__)
_PATIENCE = 0.1  # seconds after which what is known is reported
_MOST = 50  # agents reported at once


class Look(NamedTuple):
    """Look for the agents of the project, and check those that are new or changed. Ends what goes on."""

    language: str


class First(NamedTuple):
    """Somebody waits for this agent: check it next."""

    key: Path


class StopRequest(NamedTuple):
    """Check no more of what waits, until `GoOn`."""


class GoOn(NamedTuple):
    """Check what is still to be checked."""


class EndRequest(NamedTuple):
    """The request to end."""


Asked = Look | First | StopRequest | GoOn | EndRequest


class ScanProgress(NamedTuple):
    """Some of the agents that there are, while all are looked for."""

    keys: list[Path]


class ScanResult(NamedTuple):
    """All agents that there are, which are to be checked, and what couldn't be looked into."""

    keys: list[Path]
    waiting: list[Path]
    problems: list[ReadProblem]


class CheckedAgents(NamedTuple):
    """What was found out about some agents."""

    examined: list[CheckedAgent]


class Rested(NamedTuple):
    """Nothing is being checked any more; `left` are still to be checked. `took` seconds since the look began."""

    left: int
    took: float


Answer = ScanProgress | ScanResult | CheckedAgents | Rested


def serve_alone(connection: Connection, root: Path) -> None:
    """The whole life of a process: answer, and collect garbage when no one waits."""
    gc.disable()
    serve(connection, root, gc.collect)


def serve(connection: Connection, root: Path, at_rest: Callable[[], object] | None = None) -> None:
    """Answer until the other end is closed, or asks no more."""
    try:
        _Serving(connection, root, at_rest).go_on()
    except (EOFError, OSError):
        pass
    connection.close()


class _Caught(AbstractContextManager["_Caught"]):
    """Keeps an exception: a bug that one agent brings out mustn't keep the others from being checked."""

    error: Exception | None = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.error = error if isinstance(error, Exception) else None
        return self.error is not None


class _Serving:
    def __init__(self, connection: Connection, root: Path, at_rest: Callable[[], object] | None) -> None:
        self._connection = connection
        self._at_rest = at_rest
        self._examiner = ProjectChecker(root)
        self._keys: dict[Path, None] = {}
        self._waiting: dict[Path, None] = {}  # in their order
        self._stopped = False
        self._ended = False
        self._resting = True
        self._began = time.monotonic()
        self._known: list[CheckedAgent] = []
        self._sent_at = 0.0

    def go_on(self) -> None:
        while not self._ended:
            idle = self._stopped or not self._waiting
            if idle and not self._resting:
                self._rest()
            if idle or self._connection.poll():
                self._receive(self._connection.recv())
            else:
                self._check(next(iter(self._waiting)))

    def _receive(self, asked: Asked) -> None:
        match asked:
            case Look(language):
                if language != language_in_use():
                    use_language(language)
                self._look()
            case First(key):
                if key in self._waiting:
                    del self._waiting[key]
                    self._check(key)
            case StopRequest():
                self._stopped = True
                self._resting = not self._waiting
            case GoOn():
                self._stopped = False
                self._resting = not self._waiting
            case EndRequest():
                self._ended = True

    def _look(self) -> None:
        self._began = time.monotonic()
        self._examiner.begin()
        keys: dict[Path, None] = {}
        fresh: list[Path] = []
        lost: list[ReadProblem] = []
        for found, problems in self._examiner.find():
            fresh += [key for key in found if key not in keys and key not in self._keys]
            lost += problems
            keys.update(dict.fromkeys(found))
            if fresh and time.monotonic() > self._sent_at + _PATIENCE:
                self._send(ScanProgress(fresh))
                fresh = []
        ordered = sorted(keys)
        self._keys = keys
        waiting = dict.fromkeys(key for key in ordered if self._examiner.changed(key))
        fresh = [key for key in waiting if key not in self._waiting]
        self._waiting = waiting
        self._resting = False
        self._send(ScanResult(ordered, list(waiting), lost))
        if self._stopped:  # of what changed since somebody wants to know anyway
            for key in fresh:
                self._check(key)

    def _check(self, key: Path) -> None:
        self._waiting.pop(key, None)
        with _Caught() as caught:
            self._known.append(self._examiner.examine(key))
        if caught.error is not None:
            _log.error("%s can't be checked", key, exc_info=caught.error)
            problem = ReadProblem("unreadable", key, f"{type(caught.error).__name__}: {caught.error}")
            self._known.append(CheckedAgent(key, None, Health(), {}, {}, problem))
        if time.monotonic() > self._sent_at + _PATIENCE or len(self._known) >= _MOST:
            self._send_progress()

    def _send_progress(self) -> None:
        if self._known:
            known, self._known = self._known, []
            self._send(CheckedAgents(known))

    def _rest(self) -> None:
        self._send_progress()
        self._resting = True
        self._send(Rested(len(self._waiting), time.monotonic() - self._began))
        if self._at_rest is not None and not self._connection.poll():
            self._at_rest()

    def _send(self, answer: Answer) -> None:
        self._connection.send(answer)
        self._sent_at = time.monotonic()
