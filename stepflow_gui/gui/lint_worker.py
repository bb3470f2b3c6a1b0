"""Lints a snapshot of an agent folder, in a thread or in a process of its own. Knows no Qt."""

import gc
import logging
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.opening import open_as_configured
from stepflow_gui.lint.suppressing import Suppressed
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.source import Source
from stepflow_gui.text.store import ReadProblem

if TYPE_CHECKING:
    from stepflow_gui.lint.engine import RuleFailure
    from stepflow_gui.lint.memory import LintMemory

_PAUSE = 0.3  # seconds without a question after which there is time to tidy up
_log = logging.getLogger(__name__)


class Snapshot(NamedTuple):
    """The texts at one moment. `version` counts the changes before it; `texts` are those that the window holds."""

    version: int
    path: Path  # the registry
    texts: tuple[tuple[Path, str, bool], ...]  # file, text, whether a byte order mark precedes it


class Findings(NamedTuple):
    """What the linter says of a snapshot, and what a suppression keeps back."""

    told: list[Diagnostic]
    suppressed: list[Suppressed]


def read_snapshot(snapshot: Snapshot) -> AgentFolder | ReadProblem:
    """A folder that nobody else looks at: what it reads on demand is read by one thread only."""
    return open_as_configured(snapshot.path, _unsaved(snapshot))


def lint_snapshot(snapshot: Snapshot, memory: "LintMemory | None" = None) -> Findings:
    """All findings, as the configuration wants them; none where the folder can't be read, which is said elsewhere.

    `memory` is of earlier snapshots of the same registry.
    """
    from stepflow_gui.lint.as_configured import lint_as_configured  # the rules load in the worker, not at start-up

    suppressed: list[Suppressed] = []
    found = lint_as_configured(snapshot.path, _unsaved(snapshot), _failed, memory, suppressed)
    return Findings([] if isinstance(found, ReadProblem) else list(map(_with_edits_only, found)), suppressed)


def _with_edits_only(found: Diagnostic) -> Diagnostic:
    """Without fixes that more than edits belong to: the window's history holds text edits and nothing else."""
    if not any(fix.unmarked for fix in found.fixes):
        return found
    return found._replace(fixes=tuple(fix for fix in found.fixes if not fix.unmarked))


def _unsaved(snapshot: Snapshot) -> dict[Path, Source]:
    return {path: Source(text, bom) for path, text, bom in snapshot.texts}


def _failed(failure: "RuleFailure") -> None:
    _log.error("%s failed on %s", failure.code, failure.file, exc_info=failure.error)


class LintProcess:
    """A long-lived process that lints, for what is too big to be linted beside the window's thread.

    It is started with the first question. `close` may be called from another thread than `lint`; a question that waits
    then gets no answer.
    """

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._ours: Connection | None = None
        self._closed = False

    def lint(self, snapshot: Snapshot, language: str) -> Findings | None:
        """The findings. None where the process died or was closed."""
        try:
            connection = self._connection()
            if connection is None:
                return None
            connection.send((snapshot, language))
            findings: Findings = connection.recv()
        except (EOFError, OSError, RuntimeError):  # the last where no process can be started
            self._forget()
            return None
        return findings

    def close(self) -> None:
        """End the process."""
        self._closed = True
        if self._process is not None:
            self._process.kill()

    def wait(self) -> None:
        """Give everything back after `close`, when nobody is in `lint` any more."""
        self._forget()

    def _connection(self) -> Connection | None:
        if self._closed:
            return None
        if self._ours is None:
            context = get_context("spawn")  # a forked copy of a process with Qt and threads in it isn't safe
            self._ours, theirs = context.Pipe()
            process = context.Process(target=serve, args=(theirs,), daemon=True, name="stepflow-lint")
            process.start()
            theirs.close()
            self._process = process
            if self._closed:  # while it started
                process.kill()
        return self._ours

    def _forget(self) -> None:
        if self._ours is not None:
            self._ours.close()
        self._ours = None
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        self._process = None


def serve(connection: Connection) -> None:
    """Answer snapshots until the other end is closed: the process's whole life.

    Garbage is looked for after an answer, when nobody waits.
    """
    from stepflow_gui.lint.memory import LintMemory
    from stepflow_gui.messages import language as language_in_use
    from stepflow_gui.messages import use_language

    gc.disable()
    memory = LintMemory()  # a process serves one window's agent
    while True:
        try:
            snapshot, language = connection.recv()
        except (EOFError, OSError):
            return
        if language != language_in_use():
            use_language(language)
        connection.send(lint_snapshot(snapshot, memory))
        if not connection.poll(_PAUSE):
            gc.collect()
