"""The trace page: what happened, entry by entry, and how the picked one's answer became a move."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QTextEdit, QVBoxLayout, QWidget

from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.table import Rows, Table, TableRow
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _
from stepflow_gui.run.debugging.branches import StoredRun

_OF_LOGS = (3, 4, 5, 6)  # columns that only rows of a log have
_BESIDE = 520  # pixels of width from which on the explanation has room beside the list
_BESIDE_LOG = 960  # the same where rows have the columns of a log too


class RunTrace(QWidget):
    """`looked` carries the entry, from 1, that the person wants to look at."""

    looked = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.rows = Rows(7, theme)
        self._shown: tuple[StoredRun, int, object] | None = None  # the run, its length and last moment then
        self.table = Table(self.rows, (44, 170, 0, 44, 72, 56, 92))
        self.table.setTextElideMode(Qt.TextElideMode.ElideRight)  # what was answered stands before where it led
        self.table.clicked.connect(lambda index: self.looked.emit(index.row() + 1))
        self.table.activated.connect(lambda index: self.looked.emit(index.row() + 1))
        self.explanation = QTextEdit()
        self.explanation.setReadOnly(True)
        self.explanation.setObjectName("explanation")
        self.explanation.setTabChangesFocus(True)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.addWidget(self.table)
        self._split.addWidget(self.explanation)
        self._split.setStretchFactor(0, 3)
        self._split.setStretchFactor(1, 2)
        self._split.setHandleWidth(1)
        self.be_for_log(False)
        self.table.setMinimumHeight(60)
        self.explanation.setMinimumHeight(40)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._split, 1)
        self.retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_explanation()

    def _place_explanation(self) -> None:
        beside = self.width() >= (_BESIDE_LOG if self._of_log else _BESIDE)
        self._split.setOrientation(Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical)

    def be_for_log(self, on: bool) -> None:
        """Whether each row also has its line, times, cost and how it is known."""
        self._of_log = on
        self._place_explanation()
        for column in _OF_LOGS:
            self.table.setColumnHidden(column, not on)
        self._split.setStretchFactor(0, 3 if not on else 5)
        self._split.setSizes([720, 280] if on else [360, 240])

    def have_header(self, header: QWidget) -> None:
        """Have a row above the entries, until it is deleted."""
        self._column.insertWidget(0, header)

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        of_logs = _("Line"), _("Duration"), _("Cost"), _("Known from")
        self.rows.set_headings("#", _("Step"), _("Answer and target"), *of_logs)
        self.table.setAccessibleName(_("Trace of the run"))
        self.explanation.setAccessibleName(_("How the transition was chosen"))
        self.explanation.setPlaceholderText(_("How the transition was chosen is shown here."))
        self.explanation.setFont(ui_font(12))

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        self.rows.set_theme(theme)

    def forget(self) -> None:
        """Make all rows again when they are shown again: the language or what is run has changed."""
        self._shown = None

    def show_run(
        self, run: StoredRun | None, moment_at: Callable[[int], object], make: Callable[[int], TableRow], *, busy: bool
    ) -> None:
        """Show the entries of a run, by their 0-based place, or none; rows of moments that it still has are kept.

        `moment_at` gives what was there after so many events. While the run is `busy` the list is only kept at its end.
        """
        if run is None:
            self._shown = None
            self._show(0, make, 0, kept=0, busy=busy)
            self.explain([])
            return
        kept = 0
        if self._shown is not None and self._shown[0] is run and self._shown[1] <= run.length:
            _run, length, last = self._shown
            kept = length if moment_at(length) is last else 0
        self._show(run.length, make, run.position, kept=kept, busy=busy)
        self._shown = run, run.length, moment_at(run.length)

    def _show(self, count: int, make: Callable[[int], TableRow], position: int, *, kept: int, busy: bool) -> None:
        self.rows.show(count, make, kept=kept)
        if busy:
            self.table.scrollToBottom()
            return
        self.rows.mark(position - 1 if count else None)
        if count and position:
            index = self.rows.index(position - 1, 0)
            with QSignalBlocker(self.table):
                self.table.setCurrentIndex(index)
            self.table.scrollTo(index)

    def explain(self, sentences: list[str]) -> None:
        """Explain how the run's current entry came about."""
        text = "\n".join(sentences)
        if text != self.explanation.toPlainText():
            self.explanation.setPlainText(text)
