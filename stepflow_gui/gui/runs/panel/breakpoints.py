"""The page of breakpoints: the list to switch them on and off, and below it a form for another one."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCompleter, QFrame, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from stepflow_gui.gui.widgets.controls import push_button, quiet_label
from stepflow_gui.gui.widgets.dock import PanelTitle
from stepflow_gui.gui.widgets.fields import polish
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.table import Rows, Table, TableRow
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_FIELD_HEIGHT = 24  # pixels, at least


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
        self.title, self._new = PanelTitle(), PanelTitle()
        self.table = _Breakpoints(self.rows, (44, 0))
        self._none = quiet_label()
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
        column = QVBoxLayout(body)
        column.setContentsMargins(16, 12, 8, 12)
        column.setSpacing(6)
        for part in (self.title, self._none):
            column.addWidget(part)
        column.addWidget(self.table, 1)
        column.addWidget(self._new)
        for field in self.fields:
            field.returnPressed.connect(self._add)
            field.setMinimumHeight(_FIELD_HEIGHT)
            column.addWidget(field)
        column.addWidget(self.problem)
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(0)  # takes the room while there is no list
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidget(body)
        self.show_text("")
        self.retranslate()

    def focus_first(self) -> None:
        """Give the keyboard to the list, or to the form where there is nothing in it."""
        first = self.table if self.rows.rowCount() else self.step
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self.title.set_title(_("Breakpoints"))
        self._new.set_title(_("New breakpoint"))
        self._none.setText(_("A run pauses at these. None is set yet."))
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
        self._none.setVisible(not rows)
        self.table.setVisible(bool(rows))

    def show_text(self, problem: str) -> None:
        """Show why the fields make no breakpoint; "" where they do."""
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        polish(self.problem)
        if not problem:
            for field in self.fields:
                field.clear()

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
