"""Follows the newest log for the window: looks at it again and again off the window's thread, until it is stopped."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from stepflow_gui.gui.document.background.work import Background
from stepflow_gui.gui.runs.logs.log_reading import compared_with
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.logs.comparing import CURRENT_FLOW, LogView
from stepflow_gui.run.logs.following import SILENT, Followed, LogFollower
from stepflow_gui.run.logs.logged_run import ComparedRun, LogProblem
from stepflow_gui.text.json.tree import JsonValue

_EVERY = 500  # milliseconds between two looks
_STEP = 10  # seconds in which silence is counted


class FollowedLog(NamedTuple):
    """The result of one poll: a log that has grown, and the status of the followed one."""

    path: Path | None
    compared: ComparedRun | None
    text: str
    is_silent: bool = False


class LogFollowing:
    """`looked(found)` is called after each look in the window's thread."""

    def __init__(self, parent: QWidget, looked: Callable[[FollowedLog], object], views: Mapping[Path, LogView]) -> None:
        self._looked = looked
        self._views = views
        self._worker = Background("stepflow-follow", parent)
        self._worker.done.connect(self._done)
        self._timer = QTimer(parent)
        self._timer.setInterval(_EVERY)
        self._timer.timeout.connect(self._look)
        self._follower: LogFollower | None = None
        self._agent: Callable[[], AgentFolder] | None = None
        self._args: dict[str, JsonValue] = {}
        self._read: tuple[AgentFolder, AgentFolder] | None = None  # as it was open, and for the worker

    @property
    def is_on(self) -> bool:
        """Whether a log is followed."""
        return self._follower is not None

    def start(self, agent: Callable[[], AgentFolder], args: dict[str, JsonValue]) -> None:
        """Follow the newest log of an agent; `agent` gives it as it is at each time."""
        self.stop()
        self._agent, self._args = agent, args
        self._follower = LogFollower(agent().reread(()))
        self._timer.start()
        self._look()

    def stop(self) -> None:
        """Follow no log any more."""
        self._timer.stop()
        self._worker.drop()
        self._follower = self._read = None

    def detach(self) -> None:
        """Stop for good."""
        self.stop()
        self._worker.deleteLater()
        self._timer.deleteLater()

    def _look(self) -> None:
        follower, agent = self._follower, self._agent() if self._agent is not None else None
        if follower is None or agent is None or self._worker.is_busy:
            return
        if self._read is None or self._read[0] is not agent:
            self._read = agent, agent.reread(())
        folder, args, views = self._read[1], self._args, dict(self._views)

        def work(_job: object) -> FollowedLog:
            found = follower.look()
            run = found.run if found.run is not None and found.run.turns else None
            compared = compared_with(folder, run, args, views.get(run.file, CURRENT_FLOW)) if run is not None else None
            problem = compared.message if isinstance(compared, LogProblem) else found.problem
            grown = compared if isinstance(compared, ComparedRun) else None
            return FollowedLog(found.path, grown, problem or _text_of(found), found.silent >= SILENT)

        self._worker.start(work)

    def _done(self, result: object) -> None:
        if isinstance(result, FollowedLog):
            self._looked(result)


def _text_of(found: Followed) -> str:
    if found.path is None:
        return _("Waiting for a log …")
    if found.silent >= SILENT:
        seconds = int(found.silent // _STEP * _STEP)
        return _("Following {file}: no new line for {seconds} s").format(file=found.path.name, seconds=seconds)
    return _("Following {file}").format(file=found.path.name)
