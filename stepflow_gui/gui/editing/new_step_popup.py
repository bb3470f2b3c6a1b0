"""The small form in which a new step gets its kind and its id, where the person wants it on the canvas."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.changes import AddStep, StepKind, TransitionKey
from stepflow_gui.formats.checks.ids import new_id
from stepflow_gui.gui.canvas.gestures import CreateStep
from stepflow_gui.gui.document.movements import is_piece
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.popup import Popup
from stepflow_gui.messages import _

_WIDTH = 300


class NewStepPopup(Popup):
    """`wanted(kind, id)` is emitted by Enter or the button; Escape or a click elsewhere closes it without.

    `kinds` are those that fit here, each with its proposed id; `why_not(kind, id)` returns what is wrong.
    """

    wanted = Signal(str, str)

    def __init__(
        self, parent: QWidget, title: str, kinds: Mapping[StepKind, str], why_not: Callable[[StepKind, str], str | None]
    ) -> None:
        super().__init__(parent)
        self._kinds = dict(kinds)
        self._why_not = why_not
        self._proposed = True  # the id is still the one that was proposed
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(_label(title, 12))
        column.addLayout(self._kind_row())
        self.id_field = QLineEdit()
        self.id_field.setFont(mono_font(12))
        self.id_field.setAccessibleName(_("Step id"))
        self.id_field.textEdited.connect(self._typed)
        self.id_field.textChanged.connect(self._check)
        column.addWidget(self.id_field)
        self.reason = _label("", 11)
        self.reason.setProperty("token", "error")
        column.addWidget(self.reason)
        self.create_button = QPushButton(_("Create the step"))
        self.create_button.setDefault(True)
        self.create_button.setProperty("primary", True)
        self.create_button.setFont(ui_font(12))
        self.create_button.clicked.connect(self._create)
        self.id_field.returnPressed.connect(self._create)
        column.addWidget(self.create_button)
        self.setFixedWidth(_WIDTH)
        self._pick(next(iter(self._kinds)))

    @property
    def kind(self) -> StepKind:
        """The kind that is picked."""
        return next(kind for kind, button in self.buttons.items() if button.isChecked())

    def open_at(self, at: QPoint) -> None:
        """Show it at a global point, with the id ready to be typed over."""
        self.show_for(self.id_field, at)

    def _kind_row(self) -> QHBoxLayout:
        names: dict[StepKind, str] = {
            "work": _("Work"),
            "verification": _("Verification"),
            "closure": _("Closure"),
            "section": _("Section"),
        }
        row = QHBoxLayout()
        row.setSpacing(4)
        group = QButtonGroup(self)
        self.buttons: dict[StepKind, QPushButton] = {}
        for kind in self._kinds:
            button = QPushButton(names[kind])
            button.setCheckable(True)
            button.setFont(ui_font(12))
            button.setProperty("segment", True)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _on=False, kind=kind: self._pick(kind))
            group.addButton(button)
            row.addWidget(button)
            self.buttons[kind] = button
        row.addStretch(1)
        return row

    def _pick(self, kind: StepKind) -> None:
        self.buttons[kind].setChecked(True)
        if self._proposed:
            self.id_field.setText(self._kinds[kind])
            self.id_field.selectAll()
        self._check()

    def _typed(self) -> None:
        self._proposed = False

    def _check(self) -> None:
        reason = self._why_not(self.kind, self.id_field.text().strip())
        self.reason.setText(reason or "")
        self.reason.setVisible(bool(reason))
        self.create_button.setEnabled(reason is None)
        if self.isVisible():
            self.adjustSize()

    def _create(self) -> None:
        if self.create_button.isEnabled():
            kind, step = self.kind, self.id_field.text().strip()
            self.close()
            self.wanted.emit(kind, step)


def _label(text: str, size: int) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setFont(ui_font(size))
    return label


def addition(flow: Flow, name: str, wanted: CreateStep) -> AddStep:
    """The change that makes a step of that name, and connects it as wanted."""
    incoming = None
    if wanted.step is not None and wanted.intent is not None:
        incoming = TransitionKey(wanted.step, wanted.intent)
    step = name if is_piece(flow) else new_id(name, flow.steps)
    return AddStep(step, "work", name, after=wanted.step, incoming=incoming)


def ask_name(parent: QWidget, at: QPoint, title: str, made: Callable[[str], object]) -> AskPopup:
    """Ask for the name of a new step at a global point."""
    popup = AskPopup(parent, title, _("Name"))
    popup.answered.connect(made)
    popup.open_at(at)
    return popup
