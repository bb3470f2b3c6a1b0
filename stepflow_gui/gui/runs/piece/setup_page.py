"""The setup page of a piece's run: besides what all have, the task, and whether a person is there."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QPlainTextEdit, QWidget

from stepflow_gui.formats.takt.runners import GUIDE, RUNNERS
from stepflow_gui.gui.runs.panel.setup_form import SetupForm
from stepflow_gui.gui.runs.setup_model import Setup
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.messages import _

_TASK_HEIGHT = 56  # pixels


class PieceSetup(SetupForm):
    """The form of pieces. The runner is the file's own until another one is chosen."""

    def __init__(self, runner: str) -> None:
        super().__init__(Setup(era=runner))
        self.task = QPlainTextEdit()
        self.task.setTabChangesFocus(True)
        self.task.setObjectName("answerText")
        self.task.setFixedHeight(_TASK_HEIGHT)
        self.interactive = QCheckBox()
        self._lay_out((), (self.task,), (self.interactive,))
        self.retranslate()
        self.task.textChanged.connect(self._took)
        self.interactive.toggled.connect(self._took)

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        super().retranslate()
        self.task.setPlaceholderText(_("What {task} stands for"))
        self.interactive.setFont(ui_font(12))
        self.interactive.setText(_("A person is there"))
        self.interactive.setToolTip(_("Rules that are marked interactive_only can be taken"))

    def show_movements(self, movements: Sequence[str], initial: str) -> None:
        """Offer these to start at, the usual one first."""
        self.show_entries([(initial, None), *((name, name) for name in movements if name != initial)])

    def _names(self) -> dict[QWidget, str]:
        return {self.task: _("Task")} | super()._names()

    def _fixed(self) -> Sequence[QWidget]:
        return (*super()._fixed(), self.task, self.interactive)

    def _eras(self) -> Sequence[tuple[str, str]]:
        guide = _("{era} (documents)").format(era=GUIDE.name)
        return [(guide if name == GUIDE.name else name, name) for name in RUNNERS]

    def _read(self, setup: Setup) -> Setup:
        return setup._replace(task=self.task.toPlainText(), interactive=self.interactive.isChecked())

    def _fill(self) -> None:
        super()._fill()
        with QSignalBlocker(self.interactive):
            self.interactive.setChecked(self.setup.interactive)
        if self.task.toPlainText() != self.setup.task:
            with QSignalBlocker(self.task):
                self.task.setPlainText(self.setup.task)
