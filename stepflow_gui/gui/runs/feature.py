"""Runs of what is open: their controls, their actions, and the panel that shows them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from stepflow_gui.gui.desk import Desk, Fact, Feature, ShowLayout
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.step_terms import title_of_command
from stepflow_gui.gui.runs.check_rows import closing_of
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.runs.run_control import RunControl
from stepflow_gui.gui.runs.trust import TrustSign
from stepflow_gui.gui.widgets.actions import ActionSpec, LocalUse, MenuPlace
from stepflow_gui.gui.widgets.frame.lazy import LazyWidget
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

if TYPE_CHECKING:
    from stepflow_gui.gui.runs.exploring import RunExploring
    from stepflow_gui.gui.runs.logs.log_control import LogControl
    from stepflow_gui.gui.runs.logs.opened_logs import OpenedLogs
    from stepflow_gui.gui.runs.panel.explore_page import ExplorePage
    from stepflow_gui.gui.runs.piece.control import PieceControl

BREAKPOINTS = "breakpoints"  # the page of the side panel
BAR = ("run-start", "run-pause", "run-step", "run-back", "run-to-here", "run-fork", "run-restart", "run-stop")


class Runs(Feature):
    """Runs of an agent, or of a piece. `caret` is the place in the source where the person types."""

    facts: ClassVar[frozenset[Fact]] = frozenset({"flow"})

    def __init__(
        self, desk: Desk, panel: RunPanel, trust: TrustSign, caret: Callable[[], tuple[Path, int] | None]
    ) -> None:
        self._desk = desk
        self._panel = panel
        self._trust = trust
        self._caret = caret
        self._document: Document | None = None
        self.control: RunControl | PieceControl | None = None
        self._exploring: RunExploring | None = None
        self._logs: OpenedLogs | None = None
        self._explore_page: LazyWidget[ExplorePage] | None = None  # of an agent
        desk.side.changed.connect(panel.page_changed)
        panel.pages.currentChanged.connect(self._turned_to_page)
        trust.failed.connect(lambda text: desk.notices.show("error", text))

    @property
    def panel(self) -> RunPanel | None:
        """While there is no run and no closing card, edits of the flow matter only where the panel can be seen."""
        shown = self.shown
        followed = shown is not None and shown.run is not None
        return None if followed or self._desk.canvas.graph.run_layer.card is not None else self._panel

    @property
    def shown(self) -> "RunControl | PieceControl | LogControl | None":
        """The control that has the panel: of a log while one is shown."""
        log = self._logs.control if self._logs is not None else None
        return log if log is not None else self.control

    def local_uses(self) -> tuple[LocalUse, ...]:
        """While the keyboard is in the run panel, the entries of a log are searched."""
        use = partial(LocalUse, place="run", fits=self._shows_log, or_usual=True)
        return (
            use("find", run=self._in_log(lambda log: log.search())),
            use("find-next", run=self._in_log(lambda log: log.find(1))),
            use("find-previous", run=self._in_log(lambda log: log.find(-1))),
        )

    def _shows_log(self) -> bool:
        return self._logs is not None and self._logs.control is not None

    def _in_log(self, act: "Callable[[LogControl], object]") -> Callable[[], object]:
        def run() -> None:
            if self._logs is not None and self._logs.control is not None:
                act(self._logs.control)

        return run

    @property
    def agent(self) -> RunControl:
        """The control of an agent's runs; not to be asked for where a piece is open."""
        assert isinstance(self.control, RunControl)
        return self.control

    @property
    def exploring(self) -> "RunExploring":
        """Who explores an agent, likewise."""
        assert self._explore_page is not None
        assert self._explore_page.widget
        assert self._exploring is not None
        return self._exploring

    @property
    def is_exploring(self) -> bool:
        """Whether an agent is being explored."""
        return self._exploring is not None and self._exploring.busy

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """What can be done with runs."""
        row, run, at, settings = ActionSpec, self._with_control, partial(MenuPlace, "run"), self._desk.settings
        here = run(lambda control: control.from_here())
        in_open_agent = (
            row("run-start", lambda: _("&Run"), run(lambda control: control.start()), at(10), "run", ("F5",)),
            row("run-from-here", lambda: _("Run &from Here"), here, at(20), fits=self._can_begin_here),
            row("run-setup", lambda: _("Set &Up…"), run(lambda control: control.show_setup()), at(30)),
            row("show-logs", lambda: _("Rea&l Runs"), self._show_logs, at(425)),
            row("run-explore", lambda: _("E&xplore"), self._explore, at(430)),
            row("run-step", lambda: _("S&tep"), run(lambda control: control.step()), at(110), "step", ("F10",)),
            row(
                *("run-breakpoint", lambda: _("Toggle Brea&kpoint")),
                *(self._toggle_breakpoint, at(310)),
                keys=("F9",),
            ),
            row("show-breakpoints", lambda: _("Break&points"), self._show_breakpoints, MenuPlace("focus", 95)),
        )
        in_course_of_things = (
            row("run-pause", lambda: _("&Pause"), run(lambda control: control.pause()), at(40), "pause", ("Ctrl+F5",)),
            row(
                *("run-back", lambda: _("Step &Back"), run(lambda control: control.back()), at(120)),
                *("back", ("Ctrl+Shift+F10",)),
            ),
            row(
                *("run-to-here", lambda: _("Run to &Here"), run(lambda control: control.to_here()), at(130)),
                *("to-here", ("Ctrl+F10",)),
            ),
            row(
                *("run-restart", lambda: _("R&estart"), run(lambda control: control.restart()), at(210)),
                *("restart", ("Ctrl+Shift+F5",)),
            ),
            row("run-stop", lambda: _("&Stop"), run(lambda control: control.stop()), at(220), "stop", ("Shift+F5",)),
            row("run-fork", lambda: _("Fork fro&m Here"), run(lambda control: control.fork()), at(230), "fork"),
            row("run-save-trace", lambda: _("Save Tr&ace…"), run(lambda control: control.save_trace()), at(410)),
            row("run-save-test", lambda: _("Sa&ve as Test…"), run(lambda control: control.save_test()), at(415)),
            row(
                *("run-compare", lambda: _("&Compare Runs"), self._toggle_comparison, at(420), "changes"),
                checked=lambda: self._panel.is_comparing,
            ),
        )
        return (
            row(
                *("open-log", lambda: _("Open R&un Log…"), self._open_log_asked, MenuPlace("file", 35)),
                keys=("Ctrl+K, Ctrl+R",),
            ),
            *(each._replace(needs_agent=True) for each in in_open_agent),
            *(each._replace(starts_off=True) for each in in_course_of_things),
            row("follow", self._follow_title, self._set_follow, at(320), "follow", checked=lambda: settings.follow),
            row(
                *("validation-layer", lambda: _("&Validators"), self._set_validators, MenuPlace("view", 320)),
                checked=lambda: settings.validation_layer,
            ),
        )

    def set_document(self, document: Document | None) -> None:
        """Control the runs of another agent, or of none."""
        if self._exploring is not None:
            self._exploring.detach()
            self._exploring = None
        if self._logs is not None:
            self._logs.detach()
            self._logs = None
        if self._explore_page is not None:
            self._panel.explore.removeWidget(self._explore_page)
            self._explore_page.deleteLater()
            self._explore_page = None
        if self.control is not None:
            self.control.detach()
            self.control = None
        self._document = document
        self._trust.show_agent(document.last_valid if document is not None else None)
        if document is None:
            return
        if document.last_valid.flow.format == "takt":
            from stepflow_gui.gui.runs.piece.control import PieceControl  # with the first piece

            self.control = PieceControl(self._desk, self._panel, self._trust, document, self._caret)
            return
        self.control = RunControl(self._desk, self._panel, self._trust, document)
        self._explore_page = LazyWidget(partial(self._explore_with, document, self.control))
        self._panel.explore.addWidget(self._explore_page)

    def refresh(self, changed: frozenset[Fact]) -> None:
        """The flow was edited: the runs go on with it as it is now. While it can't be read they stay as they are."""
        if "flow" not in changed or self._document is None or self._document.text_broken:
            return
        self._trust.show_agent(self._document.last_valid)
        if self.control is not None:
            self.control.flow_changed()
        if self._logs is not None and self._logs.control is not None:
            self._logs.control.flow_changed()

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self._panel.retranslate()
        self._trust.retranslate()
        self._show_again()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._panel.set_theme(theme)
        self._trust.set_theme(theme)
        self._show_again()

    def extend_step_menu(self, menu: QMenu, step: str) -> None:
        """Add what can be done about a step to its menu."""
        begin = menu.addAction(self._desk.actions["run-from-here"].text())
        begin.triggered.connect(self._desk.actions["run-from-here"].trigger)
        menu.addAction(self._desk.actions["run-breakpoint"])
        if self.control is not None and not isinstance(self.control, RunControl):
            self.control.extend_menu(menu, step)

    def closing_key(self, step: str) -> str | None:
        """The validation that the current run closes a step with, or any run would."""
        run = self.control.run if isinstance(self.control, RunControl) else None
        closing = closing_of(self._document.last_valid, run, step) if self._document is not None else None
        return closing.validation.key if closing is not None else None

    def _explore_with(self, document: Document, run: RunControl) -> "ExplorePage":
        from stepflow_gui.gui.runs.exploring import RunExploring  # loaded by those who explore

        self._exploring = RunExploring(self._desk, self._panel, document, run)
        return self._exploring.page

    def _show_again(self) -> None:
        for part in (self.control, self._exploring, self._logs):
            if part is not None:
                part.refresh()

    def open_log(self, path: Path) -> None:
        """Open the log of a real run on the graph that is shown."""
        from stepflow_gui.gui.runs.logs.opened_logs import needs_agent_text

        logs = self._opened_logs()
        if logs is None:
            self._desk.notices.show("warning", needs_agent_text(path))
        else:
            logs.open(path)

    def open_if_log(self, path: Path) -> bool:
        """Open what was dropped on the window, if that is the log of a run; whether it is."""
        from stepflow_gui.gui.runs.logs.opened_logs import is_log

        found = is_log(path)
        if found:
            self.open_log(path)
        return found

    def _opened_logs(self) -> "OpenedLogs | None":
        from stepflow_gui.gui.runs.logs.opened_logs import OpenedLogs  # with the first log

        control, document = self.control, self._document
        if self._logs is None and document is not None and control is not None:
            points = control.debugger.breakpoints
            self._logs = OpenedLogs(self._desk, self._panel, self._trust, document, control, points)
        return self._logs

    def _show_logs(self) -> None:
        self._desk.show_output(self._panel)
        if self._panel.pages.currentWidget() is self._panel.real_runs:
            self._turned_to_page()
        self._panel.show_page(self._panel.real_runs)

    def _turned_to_page(self) -> None:
        if self._panel.pages.currentWidget() is self._panel.real_runs:
            logs = self._opened_logs()
            if logs is not None:
                logs.list_again()

    def _open_log_asked(self) -> None:
        path = self._desk.prompts.open_log()
        if path is not None:
            self.open_log(path)

    def _with_control(self, act: "Callable[[RunControl | PieceControl | LogControl], object]") -> Callable[[], object]:
        def run() -> None:
            if self.shown is not None:
                act(self.shown)

        return run

    def _can_begin_here(self) -> bool:
        return self._document is not None and self._document.selected_step in self._document.last_valid.flow.steps

    def _explore(self) -> None:
        page: QWidget | None = self._explore_page
        if page is None and self.control is not None and not isinstance(self.control, RunControl):
            page = self.control.explore
        if page is not None:
            self._panel.show_page(page)
            self._desk.show_output(self._panel.explore)

    def _toggle_comparison(self) -> None:
        if self._panel.is_comparing and self._panel.isVisible():
            self._panel.show_page(self._panel.trace)
            return
        self._desk.wish(ShowLayout("debug"))
        self._desk.show_output(self._panel)
        self._panel.show_page(self._panel.compare)
        self._panel.compare.widget.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _toggle_breakpoint(self) -> None:
        if self.control is not None:
            self.control.toggle_breakpoint()

    def _show_breakpoints(self) -> None:
        self._desk.side.show_page(BREAKPOINTS)
        self._panel.breakpoints.widget.focus_first()

    def _follow_title(self) -> str:
        return title_of_command("follow", _("F&ollow Active Step"), self._desk.canvas.graph.flow)

    def _set_follow(self) -> None:
        self._desk.settings.follow = self._desk.actions["follow"].isChecked()
        if self.shown is not None:
            self.shown.show_marks()

    def _set_validators(self) -> None:
        self._desk.settings.validation_layer = self._desk.actions["validation-layer"].isChecked()
        if self.shown is not None:
            self.shown.show_marks()
