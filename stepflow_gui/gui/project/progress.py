"""The foot of the project panel: how far the checking is, with a button that ends it or takes it up again."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.lint.report.counts import counted
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.files.store import ReadProblem

_MOST = 20  # places that the tool tip names


class ProgressFoot(QWidget):
    """`cancelled()` and `go_on_asked()` by its button."""

    cancelled = Signal()
    go_on_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._done = self._all = self._troubled = self._notes = self._pieces = 0
        self._at_work = self._looking = self._broken = False
        self._lost: list[str] = []
        self.bar = QProgressBar()
        self.bar.setObjectName("projectProgress")
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(4)
        self.label = QLabel()
        self.label.setProperty("muted", True)
        self.label.setWordWrap(True)
        self.button = QPushButton()
        self.button.setObjectName("quiet")
        self.button.clicked.connect(self._pressed)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.label, 1)
        row.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 8, 4)
        column.setSpacing(4)
        column.addWidget(self.bar)
        column.addLayout(row)
        self.retranslate()

    @property
    def text(self) -> str:
        """The text."""
        return self.label.text()

    def show_looking(self) -> None:
        """The agents are being looked for."""
        self._looking, self._at_work, self._broken = True, True, False
        self._show()

    def count_pieces(self, pieces: int) -> None:
        """Set how many of the agents are pieces, which are counted as such. Called before the progress."""
        self._pieces = pieces

    def show_progress(
        self, done: int, among: int, troubled: int, notes: int = 0, *, at_work: bool, broken: bool = False
    ) -> None:
        """So many agents of so many are checked, and `troubled` have problems. `broken`: the work ended by itself.

        `notes` is how many findings there are that are not problems.
        """
        self._looking, self._at_work, self._broken = False, at_work, broken
        self._done, self._all, self._troubled, self._notes = done, among, troubled, notes
        self._show()

    def show_unread(self, lost: Sequence[ReadProblem]) -> None:
        """These folders or files couldn't be looked into."""
        self._lost = [describe(each) for each in lost]
        self._show()

    def retranslate(self) -> None:
        """Show it in the language in use."""
        self.label.setFont(ui_font(11))
        self.button.setFont(ui_font(11))
        self.bar.setAccessibleName(_("Agents checked"))
        self._show()

    def _show(self) -> None:
        self.bar.setVisible(self._at_work)
        self.bar.setRange(0, 0 if self._looking else max(1, self._all))
        self.bar.setValue(self._done)
        left = self._all - self._done
        self.button.setVisible(self._at_work or left > 0 or self._broken)
        self.button.setText(_("Cancel") if self._at_work else _("Continue"))
        if self._looking:
            self.label.setText(_("Looking for agents…"))
        elif self._at_work:
            self.label.setText(_("Checking: {done} of {all}").format(done=self._done, all=self._all))
        elif left > 0:
            self.label.setText(_("Checked: {done} of {all}").format(done=self._done, all=self._all))
        else:
            self.label.setText(self._summary())
        self.label.setToolTip("\n".join(self._lost[:_MOST]))

    def _summary(self) -> str:
        if self._lost:
            lost = ngettext("{count} place can’t be read", "{count} places can’t be read", len(self._lost))
            return _("{all}; {lost}").format(all=self._agents(), lost=lost.format(count=len(self._lost)))
        return self._agents()

    def _agents(self) -> str:
        if not self._all:
            return _("No agents here")
        apart, pieces = self._all - self._pieces, self._pieces
        agents = ngettext("{count} agent", "{count} agents", apart).format(count=apart)
        if pieces:
            counted_pieces = ngettext("{count} piece", "{count} pieces", pieces).format(count=pieces)
            agents = (
                _("{agents} and {pieces}").format(agents=agents, pieces=counted_pieces) if apart else counted_pieces
            )
        if not self._troubled:
            note_text = next(counted(0, 0, self._notes), _("no problems"))
            return _("{agents}, {notes}").format(agents=agents, notes=note_text)
        return _("{agents}, {count} with problems").format(agents=agents, count=self._troubled)

    def _pressed(self) -> None:
        (self.cancelled if self._at_work else self.go_on_asked).emit()
