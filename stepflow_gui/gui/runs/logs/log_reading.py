"""Reads a log and compares it with the open agent, off the window's thread."""

from collections.abc import Callable, Mapping
from pathlib import Path

from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.background.work import Background, BackgroundJob
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.logs.comparing import CURRENT_FLOW, LogView, compare_log, problem_of_other
from stepflow_gui.run.logs.log_runs import LogHistory
from stepflow_gui.run.logs.logged_run import ComparedRun, LoggedRun, LogProblem
from stepflow_gui.run.logs.opening import read_log
from stepflow_gui.text.json.tree import JsonValue

ABOUT = "run-log"  # what its messages are about
_LARGE = 2_000_000  # bytes from which on progress is shown


class LogReading:
    """One log at a time. `opened(history)` is called in the window's thread; a problem is shown as a message."""

    def __init__(
        self,
        desk: Desk,
        opened: Callable[[LogHistory], object],
        views: Mapping[Path, LogView],
        refused: Callable[[], object] = lambda: None,
    ) -> None:
        """`views` tells what each log is compared with; `refused` is called after the message about a problem."""
        self._desk = desk
        self._opened = opened
        self._views = views
        self._refused = refused
        self._worker = Background("stepflow-log", desk.window)
        self._worker.reported.connect(self._progressed)
        self._worker.done.connect(self._done)
        self._size = 0

    @property
    def is_busy(self) -> bool:
        """Whether a log is being read."""
        return self._worker.is_busy

    def detach(self) -> None:
        """Give up what is read."""
        self.cancel()
        self._worker.deleteLater()

    def cancel(self) -> None:
        """Stop reading; nothing is opened."""
        self._worker.drop()
        self._desk.notices.settle(ABOUT)

    def open(self, path: Path, agent: AgentFolder, args: dict[str, JsonValue]) -> None:
        """Read a log and compare it with an agent."""
        folder = agent.reread(())  # what the worker reads on demand isn't read elsewhere
        view = self._views.get(path, CURRENT_FLOW)

        def work(job: BackgroundJob) -> LogHistory | LogProblem:
            def progress(done: int) -> bool:
                job.report(done)
                return True

            run = read_log(path, progress)
            return run if isinstance(run, LogProblem) else _history_of(compared_with(folder, run, args, view))

        self._start(path, work)

    def compare(self, run: LoggedRun, agent: AgentFolder, args: dict[str, JsonValue]) -> None:
        """Compare a log that was read with an agent as it is now."""
        folder, view = agent.reread(()), self._views.get(run.file, CURRENT_FLOW)
        self._size = 0
        self._worker.start(lambda _job: _history_of(compared_with(folder, run, args, view)))

    def _start(self, path: Path, work: Callable[[BackgroundJob], object]) -> None:
        self._desk.notices.settle(ABOUT)
        try:
            self._size = path.stat().st_size
        except (OSError, ValueError):
            self._size = 0
        if self._size > _LARGE:
            text = _("Reading {file} ({size} MB) …").format(file=path.name, size=self._size // 1_000_000)
            self._desk.notices.show("info", text, ((_("Cancel"), self.cancel),), about=ABOUT)
        self._worker.start(work)

    def _progressed(self, done: int) -> None:
        if self._size > _LARGE:
            text = _("Reading the log: {done} of {size} MB")
            self._desk.notices.done(text.format(done=done // 1_000_000, size=self._size // 1_000_000))

    def _done(self, result: object) -> None:
        self._desk.notices.settle(ABOUT)
        if isinstance(result, LogProblem):
            self._desk.notices.show("error", result.message, about=ABOUT)
            self._refused()
        elif isinstance(result, LogHistory):
            self._opened(result)


def _history_of(compared: ComparedRun | LogProblem) -> LogHistory | LogProblem:
    return compared if isinstance(compared, LogProblem) else LogHistory(compared)


def compared_with(
    agent: AgentFolder, run: LoggedRun, args: dict[str, JsonValue], view: LogView
) -> ComparedRun | LogProblem:
    """A log beside the agent that is open; why it can't be shown there."""
    name = agent.folder.name if agent.format != "takt" else agent.registry.path.name
    compared = compare_log(agent, name, run, view, args)
    if isinstance(compared, LogProblem):
        return compared
    return problem_of_other(agent, name, run) or compared
