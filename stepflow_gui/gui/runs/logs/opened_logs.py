"""Opens logs for the window: reads them, has them shown in place of simulated runs, and gives these back afterwards."""

from pathlib import Path
from typing import Protocol

from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.runs.logs.log_control import LogControl, LogLinks
from stepflow_gui.gui.runs.logs.log_following import FollowedLog, LogFollowing
from stepflow_gui.gui.runs.logs.log_heat import LogHeat, marks_of_logs, summary_of_logs
from stepflow_gui.gui.runs.logs.log_list import LogListing, LogListPage
from stepflow_gui.gui.runs.logs.log_reading import ABOUT, LogReading
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.runs.run_control import RunControl
from stepflow_gui.gui.runs.setup import arguments_of
from stepflow_gui.gui.runs.trust import TrustSign
from stepflow_gui.messages import _
from stepflow_gui.run.debugging.breakpoints import Breakpoints
from stepflow_gui.run.logs.comparing import LogView
from stepflow_gui.run.logs.listing import log_at, session_in, summary_of
from stepflow_gui.run.logs.log_coverage import LogCoverage
from stepflow_gui.run.logs.log_runs import LogHistory
from stepflow_gui.run.logs.logged_run import ComparedRun, LogProblem
from stepflow_gui.run.logs.verbose_log import INDEX
from stepflow_gui.text.json.tree import JsonValue

LOG_ENDINGS = (".jsonl", ".log")


def _ends_earlier() -> str:
    return _("The simulated run ends earlier: the log has no answer there, or this flow goes elsewhere.")


class SuspendableRuns(Protocol):
    """Who has the panel while no log is shown."""

    def suspend(self) -> None:
        """Leave the panel."""

    def resume(self) -> None:
        """Have it again."""

    def show_marks(self) -> None:
        """Mark on the canvas where the run is and has been."""


class OpenedLogs:
    """The logs of one document. `control` shows them, as long as there are any."""

    def __init__(
        self,
        desk: Desk,
        panel: RunPanel,
        trust: TrustSign,
        document: Document,
        simulated: SuspendableRuns,
        breakpoints: Breakpoints,
    ) -> None:
        self._desk = desk
        self._panel = panel
        self._trust = trust
        self._document = document
        self._simulated = simulated
        self._breakpoints = breakpoints
        self.control: LogControl | None = None
        self._heated = False  # the graph shows what all logs went through
        self._views: dict[Path, LogView] = {}  # what logs are compared with, where the person chose
        self.reading = LogReading(desk, self._opened, self._views)
        self.page = LogListPage(desk.theme())
        self.listing = LogListing(self.page, desk.window)
        self.page.opened.connect(self.open)
        self.page.refreshed.connect(self.list_again)
        self.page.follow_wanted.connect(self._follow)
        self.page.folder_wanted.connect(self._add_folder)
        self.page.heat_picked.connect(self._count)
        self.heat = LogHeat(desk.window, self._counted)
        self.following = LogFollowing(desk.window, self._looked, self._views)
        panel.real_runs.addWidget(self.page)
        panel.real_runs.setCurrentWidget(self.page)

    def list_again(self) -> None:
        """Read the folders of logs again."""
        self.listing.show(self._document.last_valid)

    def refresh(self) -> None:
        """Show everything again, in the look and language in use."""
        self.page.set_theme(self._desk.theme())
        self.page.retranslate()
        if self.control is not None:
            self.control.refresh()
        if self.page.isVisible():
            self.list_again()

    def open(self, path: Path) -> None:
        """Open a log, or the one in a folder of a run."""
        found = log_at(path)
        if found is None:
            text = _("{folder} has no log of a run").format(folder=path)
            self._desk.notices.show("error", text, about=ABOUT)
            return
        self.reading.open(found, self._document.last_valid, self._args())

    def detach(self) -> None:
        """Close all logs, without the simulated runs coming back."""
        self.page.follow_wanted.disconnect(self._follow)  # what is closed isn't followed
        self.reading.detach()
        self.listing.detach()
        self.following.detach()
        self.heat.detach()
        self._panel.real_runs.removeWidget(self.page)
        self.page.deleteLater()
        control, self.control = self.control, None
        if control is not None:
            control.detach()

    def _args(self) -> dict[str, JsonValue]:
        return dict(arguments_of(self._panel.setup.args))

    def _add_folder(self) -> None:
        folder = self._desk.prompts.open_folder()
        if folder is not None and folder not in self.listing.folders:
            self.listing.folders.append(folder)
            self.list_again()

    def _count(self) -> None:
        """Count the listed logs, where they are to tint the graph; else show the runs again."""
        if self.page.heat.currentData() is not None:
            self.heat.count(self._document.last_valid, self.page.logs, self._args())
        elif self._heated:
            self._heated = False
            self.heat.stop()
            (self.control or self._simulated).show_marks()

    def _counted(self, coverage: LogCoverage) -> None:
        measure = self.page.heat.currentData()
        if measure is not None:
            self._heated = True
            self._desk.canvas.set_run(marks_of_logs(coverage, measure))
            self.page.summary.setText(summary_of_logs(coverage))

    def _follow(self, on: bool) -> None:
        if on:
            self.following.start(lambda: self._document.last_valid, self._args())
        else:
            self.following.stop()
            self.list_again()

    def _looked(self, found: FollowedLog) -> None:
        self.page.summary.setText(found.text)
        if found.compared is not None or self.control is not None:
            self._control().show_followed(found)

    def _opened(self, history: LogHistory) -> None:
        self._control().open(history)

    def _control(self) -> LogControl:
        if self.control is None:
            self._simulated.suspend()
            links = LogLinks(self._left, self._go_on, self._views, lambda: self.page.follow.setChecked(True))
            more = self._document, self._breakpoints, links
            self.control = LogControl(self._desk, self._panel, self._trust, *more)
        return self.control

    def _go_on(self, compared: ComparedRun, turns: int) -> None:
        from stepflow_gui.run.logs.climpt_comparing import continued

        if not isinstance(self._simulated, RunControl):
            self._go_on_with_piece(compared, turns)
            return
        agent = self._document.last_valid.reread(())
        started, run = continued(agent, compared, turns, self._args())
        if run.state.error is not None and run.length == 1:  # parameters are in no log
            self._desk.notices.notice(run.state.error.message)
            self._panel.show_page(self._panel.setup_form)
            return
        self._simulated.open(started.host, run, at=run.length)
        if run.length <= turns:
            self._desk.notices.notice(_ends_earlier())

    def _go_on_with_piece(self, compared: ComparedRun, turns: int) -> None:
        from stepflow_gui.gui.runs.piece.control import PieceControl
        from stepflow_gui.run.logs.takt_replay import continued_with

        assert isinstance(self._simulated, PieceControl)
        found = continued_with(self._document.last_valid.reread(()), compared, turns)
        if isinstance(found, LogProblem):
            self._desk.notices.notice(found.message)
            return
        run, done = found
        self._simulated.open(run)
        if done < turns:
            self._desk.notices.notice(_ends_earlier())

    def _left(self) -> None:
        self.page.follow.setChecked(False)  # it would open the log again
        control, self.control = self.control, None
        if control is not None:
            control.detach()
            self._simulated.resume()


def is_log(path: Path) -> bool:
    """Whether a dropped file or folder is meant as the log of a run."""
    if path.suffix in LOG_ENDINGS:
        return True
    is_of_run = path.parent.name == "runs" or (path / INDEX).is_file()
    return path.is_dir() and is_of_run and session_in(path) is not None


def needs_agent_text(path: Path) -> str:
    """Why a log can't be opened while no agent is."""
    found = log_at(path)
    try:
        size = found.stat().st_size if found is not None else 0
    except OSError:
        size = 0
    summary = summary_of(found, 0.0, size) if found is not None else None
    if summary is None:
        return _("{file} is not a log of climpt or TAKT that shows the steps of a run").format(file=path)
    if summary.name is None:
        return _("Open the agent or piece of this log first, then the log.")
    return _("This is a log of “{name}”. Open its agent or piece first, then the log.").format(name=summary.name)
