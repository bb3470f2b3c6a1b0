"""The run panel: below a bar that controls the run and its trace, at the right what can be answered and the details.

Its breakpoints are a page of the side panel.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from stepflow_gui.gui.runs.panel.agent_setup_form import RunSetupForm
from stepflow_gui.gui.runs.panel.bar import RunBar
from stepflow_gui.gui.runs.panel.breakpoints import RunBreakpoints
from stepflow_gui.gui.runs.panel.checks import RunChecks
from stepflow_gui.gui.runs.panel.compare import RunCompare
from stepflow_gui.gui.runs.panel.data import RunData
from stepflow_gui.gui.runs.panel.now import AnswerOffer, AnswerPage, RunNow, Status
from stepflow_gui.gui.runs.panel.prompt import RunPrompt
from stepflow_gui.gui.runs.panel.trace import RunTrace
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

RIGHT = ("answer", "context", "prompt", "checks")


class RunPanel(QWidget):
    """Shows a run. It knows no machine: it receives what to show and emits what was picked."""

    chosen = Signal(object)  # an Offer's key
    step_picked = Signal(object)
    page_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.bar = RunBar()
        self.now = RunNow()
        self.trace = RunTrace(theme)
        self.data = RunData(theme)
        self.prompt = RunPrompt(theme)
        self.checks = RunChecks(theme)
        self.breakpoints = RunBreakpoints(theme)
        self.compare = RunCompare(theme)
        self.setup_form = RunSetupForm()
        self.answer = AnswerPage(self.now)
        self.pages = QTabWidget()
        self.pages.setDocumentMode(True)
        self.pages.setObjectName("runPages")
        self.pages.tabBar().setUsesScrollButtons(True)
        self._themed = (self.trace, self.data, self.prompt, self.checks, self.breakpoints, self.compare)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.pages, 1)
        self.traces = QStackedWidget()  # the trace, or two of them compared
        shown_above: tuple[QWidget, ...] = (self.trace, self.compare)
        for part in shown_above:
            self.traces.addWidget(part)
        self.real_runs = QStackedWidget()  # the list of logs, once it is asked for
        for below in (self.traces, self.setup_form, self.real_runs):
            self.pages.addTab(below, "")
        self.compare.closed.connect(self._leave_comparison)
        self.explore = QStackedWidget()  # a tab beside this panel's own
        self.right = QTabWidget()  # what stands at the right while a run is looked at: always these, in this order
        self.right.setDocumentMode(True)
        self.right.setObjectName("debugTabs")
        self.right.setFocusProxy(None)  # type: ignore[arg-type]  # its tabs may be hidden, where Tab would get stuck
        self.right.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.places = {name: QStackedWidget() for name in RIGHT}
        shown = (self.answer, self.data, self.prompt, self.checks)
        for place, part in zip(self.places.values(), shown, strict=True):
            self.right.addTab(place, "")
            place.addWidget(part)
        self._of_piece = False
        self._worded: Callable[[str], str] = str
        self.pages.setMinimumSize(200, 60)
        self.setMinimumWidth(320)
        self.now.chosen.connect(self.chosen)
        self.data.step_picked.connect(self.step_picked)
        self.breakpoints.step_picked.connect(self.step_picked)
        self.checks.left.connect(self.right.tabBar().setFocus)
        for pages in (self.pages, self.right, self.traces):
            pages.currentChanged.connect(lambda _at: self.page_changed.emit())
        self.show_comparing(False)
        self.retranslate()
        self.set_theme(theme)

    def set_actions(self, actions: Sequence[QAction], comparing: QAction) -> None:
        """Control the run by these actions; the last one is on while runs are compared."""
        self.bar.set_actions(actions, comparing)
        self.page_changed.connect(lambda: comparing.setChecked(self.is_comparing))

    def add_page(self, page: QWidget) -> int:
        """Put another page before the real runs; where it is. Whoever adds it names it with `pages.setTabText`."""
        return self.pages.insertTab(self.pages.indexOf(self.real_runs), page, "")

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        for part in (self.bar, self.now, *self._themed, self.setup_form):
            part.retranslate()
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
        for page in self._themed:
            page.set_theme(theme)

    @property
    def condition_met(self) -> bool:
        """Whether the user marked the external condition as met."""
        return self.now.condition_met

    def show_idle(self, status: Status, entries: Sequence[tuple[str, object]], offers: Sequence[AnswerOffer]) -> None:
        """No run: show how to start one, at one of the entries (label, key)."""
        self.now.show_status(status)
        self.now.show_offers(offers)
        self.setup_form.show_entries(entries)
        self.setup_form.show_running(False)
        self.bar.show_branches([], None)
        self.bar.show_place(0, 0)

    def show_comparing(self, on: bool) -> None:
        """Whether there is another run to compare with."""
        if not on:
            self.traces.setCurrentWidget(self.trace)

    @property
    def is_comparing(self) -> bool:
        """Whether two runs are compared in place of the trace."""
        return self.traces.currentWidget() is self.compare and self.pages.currentWidget() is self.traces

    def _leave_comparison(self) -> None:
        self.show_page(self.trace)
        self.trace.table.setFocus()

    def be_for_piece(self, on: bool, worded: Callable[[str], str] = str) -> None:
        """Whether it is a piece that is run, which has movements in place of steps, and no validators.

        `worded` puts a text into the words of the piece's file.
        """
        self._of_piece, self._worded = on, worded
        self.right.setTabEnabled(RIGHT.index("checks"), not on)
        self.retranslate()

    def be_for_log(self, on: bool) -> None:
        """Whether it is the log of a real run that is shown, which has no context, prompts or validators to look at."""
        self.trace.be_for_log(on)
        for name in ("context", "prompt"):
            self.right.setTabEnabled(RIGHT.index(name), not on)
        self.right.setTabEnabled(RIGHT.index("checks"), not on and not self._of_piece)

    def have_in(self, place: str, page: QWidget) -> None:
        """Have something else in one of the places at the right, in front."""
        self.places[place].addWidget(page)
        self.places[place].setCurrentWidget(page)

    def show_page(self, page: QWidget) -> None:
        """Bring a page to the front."""
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
        self.now.focus_offers()
