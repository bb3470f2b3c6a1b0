"""Lints a snapshot of an agent folder, in a thread or in a process of its own. Knows no Qt."""

import gc
import logging
import zlib
from collections.abc import Callable, Iterable, Mapping
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.suppressions.suppressing import Suppressed
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.json.incremental import stretch_between
from stepflow_gui.text.source import Source

if TYPE_CHECKING:
    from stepflow_gui.lint.engine.engine import RuleFailure
    from stepflow_gui.lint.engine.memory import LintMemory

_PAUSE = 0.3  # seconds without a question after which there is time to tidy up what is new
_LONG_PAUSE = 5.0  # and everything, which takes as long as a lint or longer
_log = logging.getLogger(__name__)


class Snapshot(NamedTuple):
    """The texts at one moment. `version` counts the changes before it; `texts` are those that the window holds."""

    version: int
    path: Path  # the registry
    texts: tuple[tuple[Path, str, bool], ...]  # file, text, whether a byte order mark precedes it


class SnapshotChange(NamedTuple):
    """How a text differs from the one of the same place in the snapshot before."""

    start: int
    end: int
    text: str


class Changes(NamedTuple):
    """A snapshot as its differences from the one before: of each text its change, None where it is the same."""

    version: int
    changes: tuple[SnapshotChange | None, ...]


class Findings(NamedTuple):
    """The linter's findings for a snapshot, and those that are suppressed.

    `bases` has a checksum of each file that fixes change and the window doesn't hold, as the linter read it.
    """

    received: list[Diagnostic]
    suppressed: list[Suppressed]
    bases: Mapping[Path, int | None]


def changed_since(
    bases: Mapping[Path, int | None], paths: Iterable[Path], text_now: Callable[[Path], Source | None]
) -> list[Path]:
    """Those of the files that another program changed after the linter read them: offsets of fixes are wrong there."""
    return [path for path in paths if path in bases and _checksum(text_now(path)) != bases[path]]


def _checksum(source: Source | None) -> int | None:
    """A number for a text, the same in every process; None for a missing file."""
    return None if source is None else zlib.crc32(source.text.encode("utf-8", "surrogatepass"))


def lint_snapshot(snapshot: Snapshot, memory: "LintMemory | None" = None) -> Findings:
    """All findings, as configured; none where the folder can't be read, which is reported elsewhere.

    `memory` is of earlier snapshots of the same registry.
    """
    from stepflow_gui.lint.engine.configured_lint import (
        lint_as_configured,  # the rules load in the worker, not at start-up
    )

    suppressed: list[Suppressed] = []
    bases: dict[Path, Source | None] = {}
    found = lint_as_configured(snapshot.path, _unsaved(snapshot), _failed, memory, suppressed, bases)
    held = {path for path, _text, _bom in snapshot.texts}
    return Findings(
        [] if isinstance(found, ReadProblem) else list(map(_with_edits_only, found)),
        suppressed,
        {path: _checksum(source) for path, source in bases.items() if path not in held},
    )


def _with_edits_only(found: Diagnostic) -> Diagnostic:
    """Without fixes that more than edits belong to: the window's history holds text edits and nothing else."""
    if not any(fix.unmarked for fix in found.fixes):
        return found
    return found._replace(fixes=tuple(fix for fix in found.fixes if not fix.unmarked))


def _unsaved(snapshot: Snapshot) -> dict[Path, Source]:
    return {path: Source(text, bom) for path, text, bom in snapshot.texts}


def _failed(failure: "RuleFailure") -> None:
    _log.error("%s failed on %s", failure.code, failure.file, exc_info=failure.error)


def changes_between(before: Snapshot | None, after: Snapshot) -> Snapshot | Changes:
    """The shortest form to send a snapshot to a receiver of the one before: all of it where they hold other files."""
    if before is None or before.path != after.path or list(map(_name, before.texts)) != list(map(_name, after.texts)):
        return after
    changes: list[SnapshotChange | None] = []
    for (_path, old, _bom), (_same, new, _kept) in zip(before.texts, after.texts, strict=True):
        if old is new:
            changes.append(None)
        else:
            start, end, length = stretch_between(old, new)
            changes.append(SnapshotChange(start, end, new[start : start + length]))
    return Changes(after.version, tuple(changes))


def changed(before: Snapshot, received: Changes) -> Snapshot:
    """The snapshot that `changes_between` described."""
    texts = tuple(
        (path, text if change is None else text[: change.start] + change.text + text[change.end :], bom)
        for (path, text, bom), change in zip(before.texts, received.changes, strict=True)
    )
    return Snapshot(received.version, before.path, texts)


def _name(text: tuple[Path, str, bool]) -> tuple[Path, bool]:
    return text[0], text[2]


class LintProcess:
    """A long-lived process that lints, for what is too big to be linted beside the window's thread.

    It is started with the first question. `close` may be called from another thread than `lint`; a question that waits
    then gets no answer.
    """

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._ours: Connection | None = None
        self._closed = False
        self._sent: Snapshot | None = None  # what the process has

    def lint(self, snapshot: Snapshot, language: str) -> Findings | None:
        """The findings. None where the process died or was closed."""
        try:
            connection = self._connection()
            if connection is None:
                return None
            connection.send((changes_between(self._sent, snapshot), language))
            self._sent = snapshot
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
        """Release everything after `close`, once no thread is in `lint` any more."""
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
        self._sent = None
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        self._process = None


def serve(connection: Connection) -> None:
    """Answer snapshots until the other end is closed: the process's whole life.

    Garbage is collected after an answer, when no one waits.
    """
    from stepflow_gui.lint.engine.memory import LintMemory
    from stepflow_gui.messages import language as language_in_use
    from stepflow_gui.messages import use_language

    gc.disable()
    memory = LintMemory()  # a process serves one window's agent
    snapshot: Snapshot | None = None
    while True:
        try:
            received, language = connection.recv()
        except (EOFError, OSError):
            return
        snapshot = changed(snapshot, received) if isinstance(received, Changes) and snapshot is not None else received
        if language != language_in_use():
            use_language(language)
        connection.send(lint_snapshot(snapshot, memory))
        if not connection.poll(_PAUSE):
            gc.collect(1)
            if not connection.poll(_LONG_PAUSE):
                gc.collect()
