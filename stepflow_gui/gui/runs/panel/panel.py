"""The run panel: a bar that controls the run, where it is with the possible answers, and pages with details."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QSplitter, QTabWidget, QVBoxLayout, QWidget

from stepflow_gui.gui.runs.panel.agent_setup_form import RunSetupForm
from stepflow_gui.gui.runs.panel.bar import RunBar
from stepflow_gui.gui.runs.panel.breakpoints import RunBreakpoints
from stepflow_gui.gui.runs.panel.checks import RunChecks
from stepflow_gui.gui.runs.panel.compare import RunCompare
from stepflow_gui.gui.runs.panel.data import RunData
from stepflow_gui.gui.runs.panel.now import AnswerOffer, RunNow, Status
from stepflow_gui.gui.runs.panel.prompt import RunPrompt
from stepflow_gui.gui.runs.panel.trace import RunTrace
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_WIDE = 520  # pixels of width from which on the status has a place beside the pages


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
        self.pages = QTabWidget()
        self.pages.setDocumentMode(True)
        self.pages.setObjectName("runPages")
        self.pages.tabBar().setUsesScrollButtons(True)
        self._themed = (self.trace, self.data, self.prompt, self.checks, self.breakpoints, self.compare)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self._split, 1)
        self._split.addWidget(self.now)
        self._split.addWidget(self.pages)
        for page in (*self._themed, self.setup_form):  # last: what moves is dressed again, with all in it
            self.pages.addTab(page, "")
        self._split.setStretchFactor(0, 2)
        self._split.setStretchFactor(1, 3)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.setSizes([400, 560])
        self.pages.setMinimumSize(200, 60)
        self.setMinimumWidth(320)
        self._wide = True
        self.now.chosen.connect(self.chosen)
        self.data.step_picked.connect(self.step_picked)
        self.breakpoints.step_picked.connect(self.step_picked)
        self.checks.left.connect(self.pages.tabBar().setFocus)
        self.pages.currentChanged.connect(lambda _at: self.page_changed.emit())
        self.show_comparing(False)
        self.retranslate()
        self.set_theme(theme)

    def set_actions(self, actions: Sequence[QAction]) -> None:
        """Control the run by these actions."""
        self.bar.set_actions(actions)

    def add_page(self, page: QWidget) -> int:
        """Put another page last; where it stands. Whoever adds it names it with `pages.setTabText`."""
        return self.pages.addTab(page, "")

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        for part in (self.bar, self.now, *self._themed, self.setup_form):
            part.retranslate()
        self.pages.setFont(ui_font(12))
        self.pages.setAccessibleName(_("Pages of the run"))
        for page, name in (
            (self.now, _("Now")),
            (self.trace, _("Trace")),
            (self.data, _("Data")),
            (self.prompt, _("Prompt")),
            (self.checks, _("Validators")),
            (self.breakpoints, _("Breakpoints")),
            (self.compare, _("Compare")),
            (self.setup_form, _("Setup")),
        ):
            at = self.pages.indexOf(page)
            if at >= 0:
                self.pages.setTabText(at, name)

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
        self.pages.setTabVisible(self.pages.indexOf(self.compare), on)

    def show_page(self, page: QWidget) -> None:
        """Bring a page to the front."""
        if self.pages.indexOf(page) >= 0:
            self.pages.setCurrentWidget(page)

    def is_seen(self, page: QWidget) -> bool:
        """Whether a page can be seen now."""
        return page.isVisible()

    def focus_offers(self) -> None:
        """Put the keyboard on the first thing to pick."""
        self.show_page(self.now)
        self.now.focus_offers()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= _WIDE
        if wide == self._wide:
            return
        self._wide = wide
        if wide:
            self.pages.removeTab(self.pages.indexOf(self.now))
            self._split.insertWidget(0, self.now)
            self._split.setSizes([400, 560])
            self.now.show()
        else:
            self.pages.insertTab(0, self.now, _("Now"))
            self.pages.setCurrentIndex(0)
