"""Follows the newest log while a runner writes it: only what was added is read, and the file is open only meanwhile."""

import time
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.logs.listing import newest_log
from stepflow_gui.run.logs.logged_run import LoggedRun, LogProblem
from stepflow_gui.run.logs.opening import OpenLog, open_log
from stepflow_gui.text.files.regular_file import open_regular

SILENT = 90.0  # seconds without a new line, after which the silence is shown
_LOOK_AROUND = 2.0  # seconds between two looks for a newer log
_MARK = 64  # bytes of the beginning, by which a rewritten file is recognised


class Followed(NamedTuple):
    """What is followed. `run` is None where nothing was added that shows a step; `silent`: seconds without a new line.

    `path` is None while there is no log yet; `problem` tells why it can't be read.
    """

    path: Path | None
    run: LoggedRun | None = None
    silent: float = 0.0
    problem: str = ""


class LogFollower:
    """Looks again whenever it is asked. To be used by one thread at a time."""

    def __init__(self, agent: AgentFolder, path: Path | None = None) -> None:
        """`path`: the log to follow; None: the newest one of the agent, at each time."""
        self._agent = agent
        self._path = path
        self._is_chosen = path is not None
        self._log: OpenLog | None = None
        self._known: tuple[int, int, bytes] | None = None  # the file's number, its size and its beginning
        self._lines = 0
        self._heard = time.monotonic()
        self._looked_around = float("-inf")

    def look(self) -> Followed:
        """Read what was added since the last look. Truncated and rotated files are read from their beginning."""
        now = time.monotonic()
        if not self._is_chosen and now - self._looked_around >= _LOOK_AROUND:
            self._looked_around = now
            newest = newest_log(self._agent)
            if newest is not None and newest != self._path:
                self._path, self._log, self._known, self._heard = newest, None, None, now
        if self._path is None:
            return Followed(None)
        try:
            run = self._added(self._path)
        except FileNotFoundError:  # between two files of a rotation
            run = None
        except (OSError, ValueError) as error:
            return Followed(self._path, problem=str(error))
        if isinstance(run, LogProblem):
            return Followed(self._path, problem=run.message)
        if run is not None:
            self._heard = now
        return Followed(self._path, run, now - self._heard)

    def _added(self, path: Path) -> LoggedRun | LogProblem | None:
        found = path.stat()
        before = self._known
        if before is not None and before[:2] == (found.st_ino, found.st_size):
            return None
        with open_regular(path) as file:
            known = found.st_ino, found.st_size, file.read(_MARK)
        if self._log is not None and before is not None and _goes_on(before, known):
            log: OpenLog | LogProblem = self._log.reopen() or self._log
        else:
            log = open_log(path)
            self._lines = 0
        if isinstance(log, LogProblem):
            return log
        lines = self._lines
        try:
            run = log.read()
            self._log, self._known = log, known
            if isinstance(run, LogProblem):  # a log begins with lines that don't show yet what it is
                return run if log.is_hopeless else None
            self._lines = run.lines
            return run if run.lines > lines else None
        finally:
            log.close()


def _goes_on(before: tuple[int, int, bytes], now: tuple[int, int, bytes]) -> bool:
    """Whether a file is the one of before with something added."""
    return before[0] == now[0] and before[1] <= now[1] and now[2].startswith(before[2])
