"""Shows logs of real runs on the panel and canvas of runs: step by step, beside each other, with the end card."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.climpt.eras import ERAS, GUIDE, era_title
from stepflow_gui.formats.takt.runners import RUNNERS
from stepflow_gui.gui.canvas.marks import NO_RUN
from stepflow_gui.gui.desk import Desk, ShowLayout
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.runs.comparing import show_comparison
from stepflow_gui.gui.runs.logs.log_following import FollowedLog
from stepflow_gui.gui.runs.logs.log_header import LogHeader, has_words
from stepflow_gui.gui.runs.logs.log_lines import LogLinesView, prompt_of
from stepflow_gui.gui.runs.logs.log_reading import LogReading
from stepflow_gui.gui.runs.logs.log_words import (
    FIRST_DIFFERENCE,
    FOLLOW,
    LAST_STEP,
    active_step,
    compared_cell,
    end_offers,
    explained,
    marks_of,
    row_of,
    running_detail,
    status_of,
)
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.runs.run_controller import RunController
from stepflow_gui.gui.runs.setup import arguments_of
from stepflow_gui.gui.runs.trust import TrustSign
from stepflow_gui.gui.widgets.table import Cell, TableRow
from stepflow_gui.messages import _
from stepflow_gui.run.debugging.branches import Branch, Goal
from stepflow_gui.run.debugging.breakpoints import Breakpoints
from stepflow_gui.run.logs.comparing import CURRENT_FLOW, LogView
from stepflow_gui.run.logs.log_runs import LogHistory, LogMoment, LogRuns, compare_logs
from stepflow_gui.run.logs.log_tests import make_test
from stepflow_gui.run.logs.logged_run import ComparedRun, LoggedRun, LogProblem

_NOT_OF_LOGS = ("run-restart", "run-save-trace", "run-pause")


class LogLinks(NamedTuple):
    """What logs need of who opens them.

    `left` is called when all are closed, `fork` to go on from a log as a simulated run; None: that can't be.
    `views` keeps what each log is compared with, `follow` follows the newest log.
    """

    left: Callable[[], object]
    fork: Callable[[ComparedRun, int], object] | None
    views: dict[Path, LogView]
    follow: Callable[[], object]


class LogControl(RunController[LogHistory]):
    """Logs in place of simulated runs."""

    def __init__(
        self,
        desk: Desk,
        panel: RunPanel,
        trust: TrustSign,
        document: Document,
        breakpoints: Breakpoints,
        links: LogLinks,
    ) -> None:
        self.debugger = LogRuns(breakpoints)
        super().__init__(desk, panel, trust, document, self.debugger)
        self._log_links = links
        self._left, self._fork, self._views = links.left, links.fork, links.views
        self._other: int | None = None  # the log to compare with
        self._usual: dict[Path, str] = {}  # the runtimes that logs are compared under where none is chosen
        self._filling = False
        self._live: FollowedLog | None = None
        self.lines = LogLinesView(desk.theme())
        self._again = LogReading(desk, self._compared_again, self._views, self._not_compared)
        self.header = LogHeader()
        self.header.view_picked.connect(self._view_picked)
        self.header.words.wanted.connect(self.find)
        self.header.words.left.connect(panel.trace.widget.table.setFocus)
        panel.trace.widget.have_header(self.header)
        panel.answer.add(self.lines)
        panel.answer.want(self.lines, on=True)
        panel.answer.open(self.lines)
        panel.be_for_log(True)
        layer = desk.canvas.graph.run_layer
        layer.set_closing(None)
        layer.set_counts(None, "")
        layer.set_sub_steps({})
        self._link([(panel.compared_with, self._compare_with)])

    def detach(self) -> None:
        """Close all logs and give the panel back."""
        self._again.detach()
        self._let_go()
        panel = self._panel
        panel.answer.take(self.lines)
        self.lines.deleteLater()
        self.header.deleteLater()
        panel.be_for_log(False)
        panel.show_comparing(False)
        panel.trace.if_built(lambda trace: trace.forget())
        panel.trace.if_built(lambda trace: trace.explain([]))
        self._desk.canvas.set_run(NO_RUN)

    # What the person does

    def open(self, history: LogHistory) -> None:
        """Show another log beside those that are open, at its end; one that is open already is read again."""
        self._desk.wish(ShowLayout("debug"))
        same = self._branch_of(history.compared)
        if same is not None:
            self.debugger.switch(same.number)
            same.run.show(history.compared)
        else:
            self.debugger.open(history)
        self._desk.show_output(self._panel)
        self._panel.show_page(self._panel.trace)
        self._panel.show_page(self._panel.now)
        self._panel.trace.widget.table.setFocus()

    def show_followed(self, found: FollowedLog) -> None:
        """Show what has been added to a log that is followed, and whether anything is."""
        shown = self._live
        self._live = found
        same = self._branch_of(found.compared) if found.compared is not None else None
        if same is not None and found.compared is not None:
            same.run.show(found.compared)
        elif found.compared is not None:
            self.open(LogHistory(found.compared))
        elif shown is None or shown.text != found.text:
            self._show()

    def _branch_of(self, compared: ComparedRun) -> Branch[LogHistory] | None:
        return next((each for each in self.debugger.branches if _file_of(each) == compared.run.file), None)

    def stop(self) -> None:
        """Close all logs."""
        there = self._branches.run is not None
        super().stop()
        if there:
            self._left()

    def flow_changed(self) -> None:
        """The flow was edited: what it does with the logged answers is computed again."""
        run = self.debugger.run
        if run is not None:
            self._again.compare(run.compared.run, self._document.last_valid, self.args)

    def refresh(self) -> None:
        """Show everything again, in the look and language in use."""
        self.lines.set_theme(self._desk.theme())
        self.lines.retranslate()
        self.header.retranslate()
        self._panel.trace.if_built(lambda trace: trace.forget())
        self._show()

    def search(self) -> None:
        """Put the keyboard where words can be searched for."""
        self._panel.show_page(self._panel.trace)
        self.header.search()

    def find(self, by: int) -> None:
        """Go to the next (1) or previous (-1) entry with the words that are searched for; after the last the first."""
        run, words = self.debugger.run, self.header.words.text().strip()
        if run is None or not words:
            return
        for distance in range(1, run.length + 1):
            at = (run.position - 1 + by * distance) % run.length + 1
            moment = run.moment_at(at)
            cells = [cell.text for cell in row_of(moment, at, run.compared.run).cells[1:3]]
            if has_words(words, moment, cells):
                self.header.found.setText("")
                self.look_at(at)
                return
        self.header.found.setText(_("No entry has “{words}”").format(words=words))

    def _view_picked(self, view: LogView) -> None:
        run = self.debugger.run
        if run is not None:
            self._views[run.compared.run.file] = view
            self._again.compare(run.compared.run, self._document.last_valid, self.args)

    def _not_compared(self) -> None:
        """What was picked can't be compared with; a message says why."""
        run = self.debugger.run
        if run is not None:
            self._views.pop(run.compared.run.file, None)
            self.header.retranslate()
            self._show_pages()

    @property
    def args(self) -> dict[str, object]:
        """The parameters of the agent, which no log has, as the run is set up."""
        return dict(arguments_of(self._panel.setup.args))

    def fork(self) -> None:
        """Go on from here as a simulated run. The log stays as it is."""
        run = self.debugger.run
        if run is not None and self._fork is not None:
            self._fork(run.compared, run.position - 1)

    def _test_of(self, run: LogHistory) -> tuple[Path, str] | None:
        turns = sum(run.moment_at(at).turn is not None for at in range(1, run.position + 1))
        made = make_test(self._document.last_valid.reread(()), run.compared, turns, self.args)
        if isinstance(made, LogProblem):
            self._desk.notices.notice(made.message)
            return None
        if made.turns < turns:
            text = _("The test ends earlier: the log has no answer there, or this flow goes elsewhere.")
            self._desk.notices.notice(text)
        return made.file, made.text

    def show_setup(self) -> None:
        """A log has nothing to be set up."""

    def _begin(self, at: str | None = None) -> bool:
        del at
        return False

    def from_here(self) -> None:
        """Nothing begins in a log."""

    def _work(self, goal: Goal) -> None:
        del goal  # after the end of a log nothing comes

    def _compared_again(self, history: LogHistory) -> None:
        for branch in self.debugger.branches:
            if branch.run.compared.run is history.compared.run:
                branch.run.show(history.compared)
        self._show()

    def _compare_with(self, number: int) -> None:
        self._other = number
        self._show_pages()

    def _chosen(self, key: object) -> None:
        run = self.debugger.run
        if key == FOLLOW:
            self._log_links.follow()
        elif key == LAST_STEP:
            self._show_last_step()
        elif key != FIRST_DIFFERENCE:
            self._desk.actions[str(key)].trigger()
        elif run is not None:
            differs = (at for at in range(1, run.length + 1) if _differs(run.moment_at(at)))
            self.look_at(next(differs, run.position))
            self._panel.trace.widget.table.setFocus()

    def _show_last_step(self) -> None:
        run = self.debugger.run
        steps = [each.turn.step for each in run.compared.turns] if run is not None else []
        if steps and steps[-1] in self._document.last_valid.flow.steps:
            self._document.select(steps[-1], "run")
            self._panel.right.setCurrentIndex(self._panel.right.count() - 1)  # the inspector
        elif steps:
            text = _("This flow has no step “{step}”.").format(step=steps[-1])
            self._desk.notices.notice(text)

    # What is shown

    def _show_all(self, *, busy: bool) -> None:
        run, actions = self.debugger.run, self._desk.actions
        del busy  # a log is never
        if run is None:
            return
        actions.enable(_NOT_OF_LOGS, False)
        actions.enable(("run-start", "run-step"), run.can_go_forward)
        actions.enable(("run-fork",), self._fork is not None)
        status, live = status_of(run.moment, run), self._live
        goes_on = run.position == run.length and run.compared.run.end.kind == "unfinished"
        if goes_on and live is not None and live.path == run.compared.run.file:
            token = "warning" if live.is_silent else "active"
            status = status._replace(title=live.text, token=token, detail=running_detail(run))
        self._panel.show_now(status, end_offers(run) if run.position == run.length else ())
        self.show_marks()
        self._show_pages()

    def _show_pages(self) -> None:
        run, panel = self.debugger.run, self._panel
        if run is None or self._filling or self.is_suspended:
            return
        self._filling = True
        logged = run.compared.run

        def make(at: int) -> TableRow:
            return row_of(run.moment_at(at + 1), at + 1, logged)

        explanation = explained(run.moment, run.compared)
        panel.trace.if_built(lambda trace: trace.show_run(run, run.moment_at, make, busy=False))
        panel.trace.if_built(lambda trace: trace.explain(explanation))
        current = self.debugger.current
        names = [(each.number, _file_of(each).name, str(_file_of(each))) for each in self.debugger.branches]
        panel.bar.show_branches(names, current.number if current is not None else None)
        panel.bar.show_place(run.position, run.length)
        panel.show_comparing(len(names) > 1)
        self.lines.show_entry(run)
        view = self._views.get(logged.file, CURRENT_FLOW)
        if view.runtime is None:
            self._usual[logged.file] = run.compared.era
        usual, detected = self._usual.get(logged.file), logged.era.name is not None
        usual = logged.era.name or usual or GUIDE.name
        self.header.show_view(view, _runtimes(logged), usual, detected=detected)
        panel.have_prompts(logged.verbose_index is not None)
        if panel.is_seen(panel.prompt):
            panel.prompt.widget.show_logged(*prompt_of(run.moment))
        if panel.is_seen(panel.compare):
            show_comparison(panel.compare.widget, self.debugger, self._other, compare_logs, _compared)
        self._filling = False

    def show_marks(self) -> None:
        """Mark on the canvas where the run is and has been."""
        run, canvas, flow = self.debugger.run, self._desk.canvas, self._document.last_valid.flow
        canvas.follow_active = self._desk.settings.follow
        canvas.minimap.hurried = False
        canvas.set_run(NO_RUN if run is None else marks_of(flow, run))
        if run is not None:
            self._follow(active_step(flow, run))


def _runtimes(run: LoggedRun) -> list[tuple[str, str]]:
    if run.kind == "takt":
        return [(name, name) for name in RUNNERS]
    return [(era_title(name), name) for name in ERAS if name != GUIDE.name]


def _file_of(branch: Branch[LogHistory]) -> Path:
    return branch.run.compared.run.file


def _compared(run: LogHistory, at: int) -> Cell:
    return compared_cell(run.moment_at(at + 1), run.compared.run)


def _differs(moment: LogMoment) -> bool:
    return moment.turn is not None and moment.turn.difference is not None
