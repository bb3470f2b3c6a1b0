"""Opens a run's log: which runner wrote it is detected from its first lines."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, Protocol

from stepflow_gui.messages import _
from stepflow_gui.run.logs.climpt_log import ClimptLogReader
from stepflow_gui.run.logs.lines import LogLine, LogLines
from stepflow_gui.run.logs.logged_run import LoggedRun, LogProblem
from stepflow_gui.run.logs.takt_log import TaktLogReader
from stepflow_gui.run.logs.verbose_log import VerboseLogReader, verbose_index, with_whole_texts
from stepflow_gui.text.files.regular_file import open_regular
from stepflow_gui.text.files.store import reason_of

MOST = 100_000_000  # bytes of a log
_FIRST = 5_000  # lines after which a log must have shown what it is: one cut off at its head begins with tool calls
_EVERY = 2_000  # lines between two reports of progress
_TAKT_TYPES = ("piece_", "workflow_", "step_", "phase_", "interactive_", "companion_")


class LogReader(Protocol):
    """Reads the lines of one runner's logs."""

    def take(self, line: LogLine) -> None:
        """Take the next line."""

    def run(self, lines: int, skipped: int, *, is_cut: bool) -> LoggedRun:
        """What the lines so far show."""


class OpenLog:
    """An open log, which can be read on when it has grown. Close it when it isn't needed any more."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        self._file = file
        self._lines = LogLines(file)
        self._reader: LogReader | None = None
        self._waiting: list[LogLine] = []  # lines before it is clear who wrote the log

    def read(self, on_progress: Callable[[int], bool] | None = None) -> LoggedRun | LogProblem:
        """Read what is new. `on_progress` gets the bytes so far, now and then; it returns False to cancel."""
        for line in self._lines:
            if self._reader is None:
                self._find_reader(line)
            else:
                self._reader.take(line)
            if self._reader is None and len(self._waiting) > _FIRST:
                return self._unknown()
            if on_progress is not None and line.number % _EVERY == 0 and not on_progress(self._lines.offset):
                break
        if self._lines.offset > MOST:
            return _too_long(self.path, self._lines.offset)
        if self._reader is None:
            return self._unknown()
        run = self._reader.run(self._lines.count, self._lines.skipped, is_cut=self._lines.is_cut)
        return run._replace(offsets=tuple(self._lines.offsets))

    def reopen(self) -> LogProblem | None:
        """Open the file again to read on, after it was closed; why it can't be."""
        file = _open(self.path)
        if isinstance(file, LogProblem):
            return file
        self._file = file
        self._lines.use(file)
        return None

    @property
    def is_hopeless(self) -> bool:
        """Whether it has shown by now that it isn't such a log, or is too long."""
        return len(self._waiting) > _FIRST or self._lines.offset > MOST

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _find_reader(self, line: LogLine) -> None:
        self._waiting.append(line)
        kind = _kind_of(line.value)
        if kind is not None:
            self._reader = kind(self.path)
            for each in self._waiting:
                self._reader.take(each)
            self._waiting = []

    def _unknown(self) -> LogProblem:
        if self._lines.count == 0:
            return LogProblem(_("{path}: the file has no complete line").format(path=self.path))
        for line in self._waiting:
            if "stepflow-trace" in line.value:
                return LogProblem(
                    _("{path}: a trace of Stepflow, not a log; use --replay").format(path=self.path), line.number
                )
        return LogProblem(
            _("{path}: not a log of climpt or TAKT that shows the steps of a run").format(path=self.path), 1
        )


def open_log(path: Path) -> OpenLog | LogProblem:
    """Open a log to read it."""
    file = _open(path)
    return file if isinstance(file, LogProblem) else OpenLog(path, file)


def _open(path: Path) -> IO[bytes] | LogProblem:
    try:
        file = open_regular(path)
        size = os.fstat(file.fileno()).st_size
        if size <= MOST:
            return file
        file.close()
        return _too_long(path, size)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        return LogProblem(_("{path}: can't be read ({reason})").format(path=path, reason=reason))


def read_log(path: Path, on_progress: Callable[[int], bool] | None = None) -> LoggedRun | LogProblem:
    """Read a log to its end."""
    log = open_log(path)
    if isinstance(log, LogProblem):
        return log
    try:
        run = log.read(on_progress)
    except OSError as error:
        return LogProblem(_("{path}: can't be read ({reason})").format(path=path, reason=reason_of(error)))
    finally:
        log.close()
    if isinstance(run, LogProblem) or run.verbose is None:
        return run
    index = verbose_index(path, run.verbose)
    verbose = read_log(index) if index is not None else None
    return with_whole_texts(run, verbose) if isinstance(verbose, LoggedRun) else run


def _too_long(path: Path, size: int) -> LogProblem:
    text = _("{path}: it has {size} MB, and no more than {most} MB of a log are read")
    return LogProblem(text.format(path=path, size=size // 1_000_000, most=MOST // 1_000_000))


def _kind_of(value: Mapping[str, Any]) -> type[ClimptLogReader] | type[TaktLogReader] | None:
    if "seq" in value and isinstance(value.get("filename"), str):
        return VerboseLogReader
    message = value.get("message", value.get("msg"))
    if isinstance(message, str) and message.startswith(_CLIMPT_STARTS):
        return ClimptLogReader
    kind = value.get("type")
    if isinstance(kind, str) and kind.startswith(_TAKT_TYPES):
        return TaktLogReader
    return None


_CLIMPT_STARTS = (
    "Starting agent: ",
    "Starting step flow: ",
    "=== Iteration ",
    "=== Step: ",
    "[FlowLoop] ",
    "[StepFlow] ",
    "[StructuredOutput] ",
    "[CompletionLoop] ",
)
