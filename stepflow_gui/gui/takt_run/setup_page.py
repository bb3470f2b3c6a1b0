"""The setup page of a piece's run: the task, where it starts, which runner is imitated, whether a person is there."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLabel, QPlainTextEdit, QScrollArea, QWidget

from stepflow_gui.formats.takt.runners import RUNNERS
from stepflow_gui.gui.fonts import ui_font
from stepflow_gui.gui.panels.fields import one_line
from stepflow_gui.gui.panels.run_parts import Chooser
from stepflow_gui.messages import _

_TASK_HEIGHT = 64  # pixels
_LEAST_WIDTH = 140


class PieceSetup(QScrollArea):
    """`changed`: something of it was chosen otherwise."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields have it
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.task = QPlainTextEdit()
        self.task.setTabChangesFocus(True)
        self.task.setObjectName("answerText")
        self.task.setFixedHeight(_TASK_HEIGHT)
        self.start = Chooser()
        self.runner = Chooser()
        self.interactive = QCheckBox()
        body = QWidget()
        body.setObjectName("panel")
        form = QFormLayout(body)
        form.setContentsMargins(16, 10, 16, 10)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._labels = {field: QLabel() for field in (self.task, self.start, self.runner)}
        for field, label in self._labels.items():
            label.setProperty("muted", True)
            label.setBuddy(field)
            field.setMinimumWidth(_LEAST_WIDTH)
            form.addRow(label, field)
        form.addRow("", self.interactive)
        self.setWidget(body)
        self.runner.activated.connect(lambda _at: self.changed.emit())
        self.start.activated.connect(lambda _at: self.changed.emit())
        self.interactive.toggled.connect(lambda _on: self.changed.emit())
        self.retranslate()

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        names = {self.task: _("Task"), self.start: _("Starts at"), self.runner: _("Runs as")}
        for field, label in self._labels.items():
            label.setFont(ui_font(12))
            label.setText(names[field])
            field.setAccessibleName(names[field])
            field.setFont(ui_font(12))
        self.task.setPlaceholderText(_("What {task} stands for"))
        self.interactive.setFont(ui_font(12))
        self.interactive.setText(_("A person is there"))
        self.interactive.setToolTip(_("Rules that are marked interactive_only can be taken"))

    def show_choices(self, movements: Sequence[str], initial: str, runner: str) -> None:
        """Offer these movements to start at, and the runners; what was chosen stays chosen where it can."""
        with QSignalBlocker(self.start), QSignalBlocker(self.runner):
            before = self.start.currentData()
            self.start.clear()
            for name in movements:
                self.start.addItem(one_line(name), name)
            chosen = before if before in movements else initial
            self.start.setCurrentIndex(max(0, self.start.findData(chosen)))
            if not self.runner.count():
                for name in RUNNERS:
                    self.runner.addItem(name, name)
                self.runner.setCurrentIndex(max(0, self.runner.findData(runner)))

    def show_running(self, running: bool) -> None:
        """While a run is there, what it began with can't be changed."""
        for field in (self.task, self.start, self.runner, self.interactive):
            field.setEnabled(not running)
