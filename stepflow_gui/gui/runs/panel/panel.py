"""The run panel: below a bar that controls the run and its trace, at the right what can be answered and the details.

Its breakpoints are a page of the side panel. All pages are built when they are first shown.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from stepflow_gui.gui.runs.panel.agent_setup_form import RunSetupForm
from stepflow_gui.gui.runs.panel.bar import RunBar
from stepflow_gui.gui.runs.panel.breakpoints import RunBreakpoints
from stepflow_gui.gui.runs.panel.checks import RunChecks
from stepflow_gui.gui.runs.panel.compare import RunCompare
from stepflow_gui.gui.runs.panel.data import RunData
from stepflow_gui.gui.runs.panel.now import AnswerOffer, AnswerPage, RunNow, Status, Wrote
from stepflow_gui.gui.runs.panel.prompt import RunPrompt
from stepflow_gui.gui.runs.panel.trace import RunTrace
from stepflow_gui.gui.runs.setup_model import Setup
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.frame.lazy import LazyWidget
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

RIGHT = ("answer", "context", "prompt", "checks")
ThemedPage = RunTrace | RunData | RunPrompt | RunChecks | RunBreakpoints | RunCompare


class _Place(QStackedWidget):
    """A page at the right. Qt gives the keyboard to what had it here last, even where that is hidden by now."""

    def showEvent(self, event: QShowEvent) -> None:
        last = self.focusWidget()
        if last is not None and not last.isVisibleTo(self):
            last.clearFocus()
        super().showEvent(event)


class RunPanel(QWidget):
    """Shows a run. It knows no machine: it receives what to show and emits what was picked."""

    chosen = Signal(object)  # an Offer's key
    step_picked = Signal(object)
    looked = Signal(int)  # the entry, from 1, or the number of events to stand after
    compared_with = Signal(int)  # the number of a run
    setup_changed = Signal()
    watch_wanted = Signal(str)
    unwatch_wanted = Signal(int)  # a row
    point_wanted = Signal(str, str, str, str)
    point_toggled = Signal(int)  # a row
    point_removed = Signal(int)
    page_changed = Signal()
    page_built = Signal()  # it shows nothing of the run yet

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._theme = theme
        self._of_piece = False
        self._of_log = False
        self._worded: Callable[[str], str] = str
        self._entries: Sequence[tuple[str, object]] = ()
        self._running = False
        self.bar = RunBar()
        self.bar.looked.connect(self.looked)
        self.trace = LazyWidget(self._make_trace)
        self.data = LazyWidget(self._make_data)
        self.prompt = LazyWidget(lambda: RunPrompt(self._theme))
        self.checks = LazyWidget(self._make_checks)
        self.breakpoints = LazyWidget(self._make_breakpoints)
        self.compare = LazyWidget(self._make_compare)
        self.setup_form = LazyWidget(self._make_setup_form)
        self.now = LazyWidget(self._make_now)
        self.answer = AnswerPage(self.now)
        for page in (*self._themed, self.setup_form, self.now):
            page.ready.connect(self.page_built)
        self.pages = QTabWidget()
        self.pages.setDocumentMode(True)
        self.pages.setObjectName("runPages")
        self.pages.tabBar().setUsesScrollButtons(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.pages, 1)
        self.traces = QStackedWidget()  # the trace, or two of them compared
        self.traces.addWidget(self.trace)
        self.traces.addWidget(self.compare)
        self.real_runs = QStackedWidget()  # the list of logs, once it is asked for
        for below in (self.traces, self.setup_form, self.real_runs):
            self.pages.addTab(below, "")
        self.explore = QStackedWidget()  # a tab beside this panel's own
        self.right = QTabWidget()  # what stands at the right while a run is looked at: always these, in this order
        self.right.setDocumentMode(True)
        self.right.setObjectName("debugTabs")
        self.right.setFocusProxy(None)  # type: ignore[arg-type]  # its tabs may be hidden, where Tab would get stuck
        self.right.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.places = {name: _Place() for name in RIGHT}
        shown = (self.answer, self.data, self.prompt, self.checks)
        for place, part in zip(self.places.values(), shown, strict=True):
            self.right.addTab(place, "")
            place.addWidget(part)
        self.pages.setMinimumSize(200, 60)
        self.setMinimumWidth(320)
        self.right.currentChanged.connect(lambda _at: self._keep_keyboard())
        for pages in (self.pages, self.right, self.traces):
            pages.currentChanged.connect(lambda _at: self.page_changed.emit())
        self.show_comparing(False)
        self.retranslate()

    # Building

    @property
    def _themed(self) -> tuple[LazyWidget[ThemedPage], ...]:
        return (self.trace, self.data, self.prompt, self.checks, self.breakpoints, self.compare)

    def _make_trace(self) -> RunTrace:
        trace = RunTrace(self._theme)
        trace.looked.connect(self.looked)
        trace.be_for_log(self._of_log)
        return trace

    def _make_data(self) -> RunData:
        data = RunData(self._theme)
        data.step_picked.connect(self.step_picked)
        data.watch_wanted.connect(self.watch_wanted)
        data.unwatch_wanted.connect(self.unwatch_wanted)
        return data

    def _make_checks(self) -> RunChecks:
        checks = RunChecks(self._theme)
        checks.left.connect(self.right.tabBar().setFocus)
        return checks

    def _make_breakpoints(self) -> RunBreakpoints:
        points = RunBreakpoints(self._theme)
        points.step_picked.connect(self.step_picked)
        points.wanted.connect(self.point_wanted)
        points.toggled.connect(self.point_toggled)
        points.removed.connect(self.point_removed)
        points.ask_for_pieces(self._of_piece, self._worded)
        return points

    def _make_compare(self) -> RunCompare:
        compare = RunCompare(self._theme)
        compare.picked.connect(self.compared_with)
        compare.looked.connect(self.looked)
        compare.closed.connect(self._leave_comparison)
        return compare

    def _make_setup_form(self) -> RunSetupForm:
        form = RunSetupForm()
        form.show_entries(self._entries)
        form.show_running(self._running)
        form.changed.connect(lambda _setup: self.setup_changed.emit())
        return form

    def _make_now(self) -> RunNow:
        now = RunNow()
        now.chosen.connect(self.chosen)
        return now

    def set_actions(self, actions: Sequence[QAction], comparing: QAction) -> None:
        """Control the run by these actions; the last one is on while runs are compared."""
        self.bar.set_actions(actions, comparing)
        self.page_changed.connect(lambda: comparing.setChecked(self.is_comparing))

    def add_page(self, page: QWidget) -> int:
        """Put another page before the real runs; where it is. Whoever adds it names it with `pages.setTabText`."""
        return self.pages.insertTab(self.pages.indexOf(self.real_runs), page, "")

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self.bar.retranslate()
        for each in self._themed:
            each.if_built(lambda page: page.retranslate())
        self.setup_form.if_built(lambda form: form.retranslate())
        self.now.if_built(lambda now: now.retranslate())
        self.pages.setFont(ui_font(12))
        self.pages.setAccessibleName(_("Pages of the run"))
        below: Sequence[tuple[QWidget, str]] = (
            (self.traces, _("Trace")),
            (self.setup_form, _("Setup")),
            (self.real_runs, _("Real Runs")),
        )
        for page, name in below:
            self.pages.setTabText(self.pages.indexOf(page), name)
        self.right.setFont(ui_font(12))
        self.right.setAccessibleName(_("Debug"))
        self.right.tabBar().setAccessibleName(_("Debug"))
        step = self._worded(_("Movement")) if self._of_piece else _("Step")
        for at, name in enumerate((_("Answer"), _("Context"), _("Prompt"), _("Checks"), step)[: self.right.count()]):
            self.right.setTabText(at, name)

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        self._theme = theme
        for page in self._themed:
            page.if_built(lambda each: each.set_theme(theme))

    @property
    def condition_met(self) -> bool:
        """Whether the user marked the external condition as met."""
        return self.now.built is not None and self.now.built.condition_met

    @property
    def setup(self) -> Setup:
        """How runs of agents are set up."""
        return self.setup_form.built.setup if self.setup_form.built is not None else Setup()

    @property
    def entry(self) -> str | None:
        """The step that the user wants a run to start at; None: the usual one."""
        return self.setup_form.built.entry if self.setup_form.built is not None else None

    def show_idle(self, status: Status, entries: Sequence[tuple[str, object]], offers: Sequence[AnswerOffer]) -> None:
        """No run: show how to start one, at one of the entries (label, key)."""
        self.show_now(status, offers)
        self._entries = entries
        self.setup_form.if_built(lambda form: form.show_entries(entries))
        self.show_running(False)
        self.bar.show_branches([], None)
        self.bar.show_place(0, 0)

    def show_now(
        self,
        status: Status,
        offers: Sequence[AnswerOffer] = (),
        condition: str | None = None,
        *,
        wrote: Wrote | None = None,
    ) -> None:
        """Show where a run is and what can be answered, as `RunNow.show_offers` takes it."""
        if self.now.built is not None:
            self.now.built.show_status(status)
            self.now.built.show_offers(offers, condition, wrote=wrote)

    def show_running(self, running: bool) -> None:
        """Whether there is a run, while which not all of its setup can be changed."""
        self._running = running
        self.setup_form.if_built(lambda form: form.show_running(running))

    def show_comparing(self, on: bool) -> None:
        """Whether there is another run to compare with."""
        if not on:
            self.traces.setCurrentWidget(self.trace)

    @property
    def is_comparing(self) -> bool:
        """Whether two runs are compared in place of the trace."""
        return self.traces.currentWidget() is self.compare and self.pages.currentWidget() is self.traces

    def _keep_keyboard(self) -> None:
        """Qt gives the keyboard to a place on which nothing takes it: then it is the tabs'."""
        place = self.right.currentWidget()
        if place in self.places.values() and place is self.right.window().focusWidget():
            self.right.tabBar().setFocus()

    def _leave_comparison(self) -> None:
        self.show_page(self.trace)
        self.trace.widget.table.setFocus()

    def be_for_piece(self, on: bool, worded: Callable[[str], str] = str) -> None:
        """Whether it is a piece that is run, which has movements in place of steps, and no validators.

        `worded` puts a text into the words of the piece's file.
        """
        self._of_piece, self._worded = on, worded
        self.breakpoints.if_built(lambda points: points.ask_for_pieces(on, worded))
        self.right.setTabEnabled(RIGHT.index("checks"), not on)
        self.retranslate()

    def be_for_log(self, on: bool) -> None:
        """Whether it is the log of a real run that is shown, which has no context, prompts or validators to look at."""
        self._of_log = on
        self.trace.if_built(lambda trace: trace.be_for_log(on))
        for name in ("context", "prompt"):
            self.right.setTabEnabled(RIGHT.index(name), not on)
        self.right.setTabEnabled(RIGHT.index("checks"), not on and not self._of_piece)

    def have_prompts(self, on: bool) -> None:
        """Whether the log that is shown has the whole prompts."""
        self.right.setTabEnabled(RIGHT.index("prompt"), on)

    def have_in(self, place: str, page: QWidget) -> None:
        """Have something else in one of the places at the right, in front."""
        self.places[place].addWidget(page)
        self.places[place].setCurrentWidget(page)

    def show_page(self, page: QWidget) -> None:
        """Bring a page to the front, or what is in one."""
        built: tuple[QWidget, ...] = (self.now, *self._themed, self.setup_form)
        page = next((each for each in built if each.isAncestorOf(page)), page)
        if self.traces.indexOf(page) >= 0:
            self.traces.setCurrentWidget(page)
            page = self.traces
        if self.pages.indexOf(page) >= 0:
            self.pages.setCurrentWidget(page)
            return
        if self.explore.indexOf(page) >= 0:
            self.explore.setCurrentWidget(page)
            return
        place = next((each for each in self.places.values() if each.isAncestorOf(page)), None)
        if place is not None:
            self.right.setCurrentWidget(place)

    def is_seen(self, page: QWidget) -> bool:
        """Whether a page can be seen now."""
        return page.isVisible()

    def focus_offers(self) -> None:
        """Put the keyboard on the first thing to pick."""
        self.show_page(self.now)
        self.now.widget.focus_offers()
