"""The breakpoints page: a form to set one, and the list to switch them on and off."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QCompleter, QFrame, QGridLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from stepflow_gui.gui.widgets.controls import push_button, quiet_label
from stepflow_gui.gui.widgets.fields import polish
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.table import Rows, Table, TableRow
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_FIELD_HEIGHT = 24  # pixels, at least
_IN_ONE_ROW = 640  # pixels of width from which on all fields have room beside each other


class RunBreakpoints(QScrollArea):
    """`wanted` carries the contents of the fields; the others a row of the list."""

    wanted = Signal(str, str, str, str)
    toggled = Signal(int)
    removed = Signal(int)
    step_picked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields have it
        body = QWidget()
        body.setObjectName("panel")
        self.rows = Rows(2, theme)
        self.table = _Breakpoints(self.rows, (64, 0))
        self.table.toggled.connect(self.toggled)
        self.table.removed.connect(self.removed)
        self.table.clicked.connect(self._clicked)
        self.table.activated.connect(lambda index: self.step_picked.emit(self.table.key_at(index.row())))
        self.step, self.intent, self.validator, self.condition = (QLineEdit() for _number in range(4))
        self._of_piece = False
        self._worded: Callable[[str], str] = str
        self.fields = (self.step, self.intent, self.validator, self.condition)
        self._known = [QStringListModel(self) for _number in range(3)]
        for field, known in zip(self.fields, self._known, strict=False):
            completer = QCompleter(known, field)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            field.setCompleter(completer)
        self.add = push_button()
        self.add.clicked.connect(self._add)
        self.problem = quiet_label()
        self.problem.setProperty("token", "error")
        self.problem.setContentsMargins(12, 0, 12, 4)
        self._form = QGridLayout()
        self._form.setContentsMargins(12, 6, 12, 6)
        self._form.setSpacing(6)
        for field in self.fields:
            field.returnPressed.connect(self._add)
            field.setMinimumSize(48, _FIELD_HEIGHT)
        self._arrange(in_one_row=True)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._form)
        column.addWidget(self.problem)
        column.addWidget(self.table, 1)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidget(body)
        self.show_text("")
        self.retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(in_one_row=self.width() >= _IN_ONE_ROW)

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self.rows.set_headings(_("On"), _("Breakpoint"))
        self.table.setAccessibleName(_("Breakpoints"))
        names = (_("Step"), _("Intent"), _("Validator"), _("Condition, such as visit >= 3"))
        tip = _("Tests joined by “and”: visit >= 3, handoff.issue is missing, context.initial.issue.title contains bug")
        if self._of_piece:
            names = (self._worded(_("Movement or sub-step")), _("Result"), "", names[3])
            tip = _("Tests joined by “and”: visit >= 3, reports.plan.md contains bug, iteration > 5")
        for field, name in zip(self.fields, names, strict=True):
            field.setPlaceholderText(name)
            field.setAccessibleName(name)
            field.setToolTip(name)
            field.setFont(ui_font(12))
        self.condition.setToolTip(tip)
        self.add.setText(_("Add"))

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        self.rows.set_theme(theme)

    def ask_for_pieces(self, on: bool, worded: Callable[[str], str] = str) -> None:
        """Whether breakpoints are those of pieces, which have results in place of intents and no validators.

        `worded` puts a text into the words of the piece's file.
        """
        self._of_piece, self._worded = on, worded
        self.validator.setVisible(not on)
        self.retranslate()

    def show_known(self, steps: Sequence[str], intents: Sequence[str], validators: Sequence[str]) -> None:
        """Names to be offered while one is typed."""
        for model, names in zip(self._known, (steps, intents, validators), strict=True):
            if model.stringList() != list(names):
                model.setStringList(list(names))

    def show_breakpoints(self, rows: Sequence[TableRow]) -> None:
        """List the breakpoints."""
        self.rows.show_all(rows)

    def show_text(self, problem: str) -> None:
        """Show why the fields make no breakpoint; "" where they do."""
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        polish(self.problem)
        if not problem:
            for field in self.fields:
                field.clear()

    def _arrange(self, *, in_one_row: bool) -> None:
        """Put the fields in one row, or the condition below the others."""
        form = self._form
        for at, (field, stretch) in enumerate(zip(self.fields, (3, 2, 2, 4), strict=True)):
            below = field is self.condition and not in_one_row
            form.addWidget(field, int(below), 0 if below else at, 1, 2 if below else 1)
            form.setColumnStretch(at, 0 if at == 3 and not in_one_row else stretch)
        form.addWidget(self.add, int(not in_one_row), 4 if in_one_row else 2)

    def _add(self) -> None:
        self.wanted.emit(*(field.text() for field in self.fields))

    def _clicked(self, index: object) -> None:
        at = self.table.currentIndex()
        del index
        if at.isValid() and at.column() == 0:
            self.toggled.emit(at.row())


class _Breakpoints(Table):
    """Space switches a breakpoint on or off, Delete takes it away."""

    toggled = Signal(int)
    removed = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        picked = self.picked
        if picked is not None and event.key() == Qt.Key.Key_Space:
            self.toggled.emit(picked)
        elif picked is not None and event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self.removed.emit(picked)
        else:
            super().keyPressEvent(event)
