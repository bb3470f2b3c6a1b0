"""The form that says how a run is led: where it starts, who answers, in which era, what commands do."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.formats.climpt.eras import GUIDE
from stepflow_gui.gui.fonts import ui_font
from stepflow_gui.gui.panels.fields import ElidedLabel, one_line
from stepflow_gui.gui.panels.run_parts import Chooser, push_button, quiet_label
from stepflow_gui.gui.panels.wrap_layout import WrapLayout
from stepflow_gui.gui.run_setup import Setup, Who, eras
from stepflow_gui.messages import _

_WIDTH = 174  # pixels of a field
_WITH_FILE = ("script", "replay")


class RunSetupForm(QScrollArea):
    """`changed` carries the `Setup`; `ask_file` and `ask_trace_file` may be replaced where no dialog can be shown."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields have it
        self.setup = Setup()
        self.ask_file = self._ask
        self.ask_trace_file = self._ask_trace
        self.entries = Chooser()
        self.who = Chooser()
        self.era = Chooser()
        self.shadow = Chooser()
        self.seed = QSpinBox()
        self.seed.setRange(0, 999_999)
        self.seed.setValue(self.setup.seed)
        self.file = ElidedLabel("", ui_font(12))
        self.choose = push_button()
        self.args = QLineEdit()
        self.real = QCheckBox()
        self.note = quiet_label()
        self._labels: dict[QWidget, QLabel] = {}
        self._fields: dict[QWidget, QWidget] = {}
        self._build()
        self.retranslate()
        for box in (self.who, self.era, self.shadow):
            box.activated.connect(self._took)
        self.seed.valueChanged.connect(self._took)
        self.real.toggled.connect(self._took)
        self.args.editingFinished.connect(self._took)
        self.choose.clicked.connect(self._choose)

    @property
    def entry(self) -> str | None:
        """The step to start at; None: the usual one."""
        key = self.entries.currentData()
        return key if isinstance(key, str) else None

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        names = {
            self.entries: _("Starts at"),
            self.who: _("Who answers"),
            self.seed: _("Seed"),
            self.choose: _("File"),
            self.era: _("Runs as"),
            self.shadow: _("Compared with"),
            self.args: _("Parameters"),
        }
        for widget, name in names.items():
            self._labels[widget].setText(name)
            self._labels[widget].setFont(ui_font(11))
            widget.setAccessibleName(name)
            widget.setAccessibleDescription(name)  # of a list to choose from Qt says only what is chosen as its name
            widget.setFont(ui_font(12))
        self.real.setText(_("Run the commands of validators for real"))
        self.real.setFont(ui_font(12))
        self.choose.setText(_("Choose…"))
        self.args.setPlaceholderText("issue=42")
        self._fill()

    def show_entries(self, entries: Sequence[tuple[str, object]]) -> None:
        """The steps that a run may start at (name, key)."""
        kept = self.entries.currentData()
        self.entries.clear()
        for label, key in entries:
            self.entries.addItem(one_line(label), key)
            if key == kept:
                self.entries.setCurrentIndex(self.entries.count() - 1)

    def show_running(self, running: bool) -> None:
        """While there is a run only who answers can be changed."""
        for widget in (self.entries, self.era, self.shadow, self.args):
            widget.setEnabled(not running)
        self.note.setText(
            _("Where it starts and which runner it imitates can be changed after Stop.") if running else ""
        )
        self.note.setVisible(running)

    def show_setup(self, setup: Setup) -> None:
        """Show how a run is set up."""
        self.setup = setup
        self._fill()

    def _fill(self) -> None:
        setup = self.setup
        answers: list[tuple[str, Who]] = [(_("me, by hand"), "me"), (_("a script"), "script")]
        answers += [(_("a recorded trace"), "replay"), (_("chance, from a seed"), "random")]
        if find_spec("anthropic") is not None:
            answers.append((_("Anthropic (paid)"), "anthropic"))
        guide = _("{era} (documents)").format(era=GUIDE.name)
        named = [(guide if era == GUIDE.name else era, era) for era in eras()]
        _choices(self.who, answers, setup.who)
        _choices(self.era, named, setup.era)
        _choices(self.shadow, [(_("none"), None), *named], setup.shadow)
        with QSignalBlocker(self.seed), QSignalBlocker(self.real):
            self.seed.setValue(setup.seed)
            self.real.setChecked(setup.real)
        self.file.show_whole(setup.file.name if setup.file else _("none chosen"))
        self._fields[self.seed].setVisible(setup.who == "random")
        self._fields[self.choose].setVisible(setup.who in _WITH_FILE)

    def _took(self) -> None:
        before = self.setup
        who = self.who.currentData()
        self.setup = before._replace(
            who=who,
            seed=self.seed.value(),
            era=self.era.currentData(),
            shadow=self.shadow.currentData(),
            real=self.real.isChecked(),
            args=self.args.text(),
            file=before.file if who == before.who else None,
        )
        self._fill()
        if who in _WITH_FILE and self.setup.file is None:
            self._choose()
        self.changed.emit(self.setup)

    def _choose(self) -> None:
        path = self.ask_file()
        if path is not None:
            self.setup = self.setup._replace(file=path)
            self._fill()
            self.changed.emit(self.setup)

    def _ask(self) -> Path | None:
        kinds = _("Scripts and traces ({patterns})").format(patterns="*.json *.jsonl *.yml *.yaml")
        name, _kind = QFileDialog.getOpenFileName(self, _("Choose a script or trace"), "", kinds)
        return Path(name) if name else None

    def _ask_trace(self) -> Path | None:
        kinds = _("Traces ({patterns})").format(patterns="*.jsonl")
        name, _kind = QFileDialog.getSaveFileName(self, _("Save the trace as"), "trace.jsonl", kinds)
        return Path(name) if name else None

    def _build(self) -> None:
        body = QWidget()
        body.setObjectName("panel")
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(10)
        fields = QWidget()
        fields.setObjectName("panel")
        row = WrapLayout(fields, gap=10)
        for widget in (self.who, self.seed, self.choose, self.entries, self.era, self.shadow, self.args):
            row.addWidget(self._field(widget))
        column.addWidget(fields)
        column.addWidget(self.real)
        column.addWidget(self.note)
        column.addStretch(1)
        self.setWidgetResizable(True)
        self.setWidget(body)

    def _field(self, widget: QWidget) -> QWidget:
        holder = QWidget()
        holder.setObjectName("panel")
        holder.setFixedWidth(_WIDTH)
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        label = self._labels[widget] = quiet_label(wrap=False)
        column.addWidget(label)
        if widget is self.choose:
            column.addWidget(self.file)
        column.addWidget(widget)
        self._fields[widget] = holder
        return holder


def _choices(box: QComboBox, options: Sequence[tuple[str, object]], current: object) -> None:
    with QSignalBlocker(box):
        box.clear()
        for label, value in options:
            box.addItem(label, value)
            if value == current:
                box.setCurrentIndex(box.count() - 1)
    box.setMinimumContentsLength(8)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
