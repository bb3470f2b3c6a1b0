"""What the setups of all runs have in common: who answers, by which file or seed, where it starts, as which runner."""

from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QLabel,
    QMenu,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.gui.runs.setup_model import Setup, Who
from stepflow_gui.gui.widgets.controls import Chooser, push_button, quiet_label
from stepflow_gui.gui.widgets.fields import ElidedLabel, one_line
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.menu_text import plain
from stepflow_gui.gui.widgets.wrap_layout import WrapLayout
from stepflow_gui.messages import _

_WIDTH = 174  # pixels of a field
_WITH_FILE = ("script", "replay")
_MANY = 200  # steps that a run may start at
_MOST_COST = 10_000.0  # US dollars


class SetupForm(QScrollArea):
    """`changed` carries the `Setup`; `ask_file` may be replaced where no dialog can be shown.

    Who extends it gives its own fields with `_lay_out`, names them in `_names` and reads them in `_read`.
    """

    changed = Signal(object)

    def __init__(self, setup: Setup) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields have it
        self.setup = setup
        self.ask_file = self._ask
        self.entries = Chooser()
        self.who = Chooser()
        self.era = Chooser()
        self.seed = QSpinBox()
        self.seed.setRange(0, 999_999)
        self.seed.setValue(setup.seed)
        self.most = QDoubleSpinBox()
        self.most.setRange(0.0, _MOST_COST)
        self.most.setSingleStep(0.1)
        for number in (self.seed, self.most):  # their style leaves no room beside the digits
            number.lineEdit().setTextMargins(8, 0, 8, 0)
        self.file = ElidedLabel("", ui_font(12))
        self.choose = push_button()
        self.tests = QMenu(self.choose)  # the scripts that are known, to be picked without a dialog
        self.note = quiet_label()
        self._labels: dict[QWidget, QLabel] = {}
        self._fields: dict[QWidget, QWidget] = {}
        self._known: tuple[Path, ...] = ()
        self._shown_entries: list[tuple[str, object]] = []
        self._entries_are_due = False  # to be filled in once they can be seen

    @property
    def entry(self) -> str | None:
        """The step to start at; None: the usual one."""
        key = self.entries.currentData()
        return key if isinstance(key, str) else None

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        for widget, name in self._names().items():
            self._labels[widget].setText(name)
            self._labels[widget].setFont(ui_font(11))
            widget.setAccessibleName(name)
            widget.setAccessibleDescription(name)  # Qt reports only the current choice as a combo box's name
            widget.setFont(ui_font(12))
        self.most.setSpecialValueText(_("no limit"))
        self.choose.setText(_("Choose…"))
        self._list_tests()
        self._fill()

    def show_entries(self, entries: Sequence[tuple[str, object]]) -> None:
        """The steps that a run may start at (name, key)."""
        if self._shown_entries == (shown := list(entries)):
            return
        self._shown_entries = shown
        self._entries_are_due = len(shown) > _MANY and not self.isVisible()
        if not self._entries_are_due:
            self._fill_entries()

    def _fill_entries(self) -> None:
        self._entries_are_due = False
        kept = self.entries.currentData()
        self.entries.clear()
        for label, key in self._shown_entries:
            self.entries.addItem(one_line(label), key)
            if key == kept:
                self.entries.setCurrentIndex(self.entries.count() - 1)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._entries_are_due:
            self._fill_entries()

    def show_tests(self, files: Sequence[Path]) -> None:
        """Scripts to be offered beside a file of the person's choice."""
        if self._known != tuple(files):
            self._known = tuple(files)
            self._list_tests()

    def show_running(self, running: bool) -> None:
        """While there is a run only who answers can be changed."""
        for widget in self._fixed():
            widget.setEnabled(not running)
        self.note.setText(_("The start and the runtime can be changed after Stop.") if running else "")
        self.note.setVisible(running)

    def show_setup(self, setup: Setup) -> None:
        """Show how a run is set up."""
        self.setup = setup
        self._fill()

    # What differs

    def _names(self) -> dict[QWidget, str]:
        return {
            self.entries: _("Starts at"),
            self.who: _("Responder"),
            self.seed: _("Seed"),
            self.choose: _("File"),
            self.most: _("At most (US$)"),
            self.era: _("Runtime"),
        }

    def _fixed(self) -> Sequence[QWidget]:
        """What can't be changed while there is a run."""
        return (self.entries, self.era)

    def _eras(self) -> Sequence[tuple[str, str]]:
        """The runners that can be imitated, as they are called here and in a setup."""
        raise NotImplementedError

    def _era(self) -> str:
        """The runner that is chosen, as a setup calls it."""
        return str(self.era.currentData())

    def _read(self, setup: Setup) -> Setup:
        """A setup with the contents of its own fields."""
        return setup

    # Inside

    def _fill(self) -> None:
        setup = self.setup
        answers: list[tuple[str, Who]] = [(_("manual"), "me"), (_("a script"), "script")]
        answers += [(_("a recorded trace"), "replay"), (_("random (seeded)"), "random")]
        if find_spec("anthropic") is not None:
            answers.append((_("Anthropic (paid)"), "anthropic"))
        choices(self.who, answers, setup.who)
        choices(self.era, self._eras(), setup.era)
        with QSignalBlocker(self.seed), QSignalBlocker(self.most):
            self.seed.setValue(setup.seed)
            self.most.setValue(setup.max_cost or 0.0)
        self.file.show_whole(setup.file.name if setup.file else _("none chosen"))
        self._fields[self.seed].setVisible(setup.who == "random")
        self._fields[self.most].setVisible(setup.who == "anthropic")
        self._fields[self.choose].setVisible(setup.who in _WITH_FILE)

    def _took(self) -> None:
        before = self.setup
        who = self.who.currentData()
        self.setup = self._read(
            before._replace(
                who=who,
                seed=self.seed.value(),
                era=self._era(),
                max_cost=self.most.value() or None,
                file=before.file if who == before.who else None,
            )
        )
        self._fill()
        if who in _WITH_FILE and self.setup.file is None:
            if who == "script" and self._known:
                self._take(self._known[0])
                return
            self._choose()
        self.changed.emit(self.setup)

    def _offer(self) -> None:
        """The scripts that are known, or a dialog at once."""
        if self.setup.who == "script" and self._known:
            self.tests.popup(self.choose.mapToGlobal(self.choose.rect().bottomLeft()))
        else:
            self._choose()

    def _choose(self) -> None:
        path = self.ask_file()
        if path is not None:
            self._take(path)

    def _take(self, path: Path) -> None:
        self.setup = self.setup._replace(file=path)
        self._fill()
        self.changed.emit(self.setup)

    def _list_tests(self) -> None:
        self.tests.clear()
        for path in self._known:
            self.tests.addAction(plain(path.name)).triggered.connect(partial(self._take, path))
        self.tests.addSeparator()
        self.tests.addAction(_("Another File…")).triggered.connect(self._choose)

    def _ask(self) -> Path | None:
        kinds = _("Scripts and traces ({patterns})").format(patterns="*.json *.jsonl *.yml *.yaml")
        name, _kind = QFileDialog.getOpenFileName(self, _("Choose a script or trace"), "", kinds)
        return Path(name) if name else None

    def _lay_out(self, own: Sequence[QWidget], wide: Sequence[QWidget], boxes: Sequence[QAbstractButton]) -> None:
        """Set all fields: those of its own beside the common ones, then such as take the whole width, then boxes."""
        body = QWidget()
        body.setObjectName("panel")
        self.setWidgetResizable(True)
        self.setWidget(body)
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(10)
        fields = QWidget()
        fields.setObjectName("panel")
        row = WrapLayout(fields, gap=10)
        for widget in (self.who, self.seed, self.choose, self.most, self.entries, self.era, *own):
            holder = self._field(widget)
            holder.setFixedWidth(_WIDTH)
            row.addWidget(holder)
        column.addWidget(fields)
        for widget in wide:
            column.addWidget(self._field(widget))
        for box in boxes:
            column.addWidget(box)
        column.addWidget(self.note)
        column.addStretch(1)
        for chooser in (self.who, self.era):
            chooser.activated.connect(self._took)
        for number in (self.seed, self.most):
            number.valueChanged.connect(self._took)
        self.choose.clicked.connect(self._offer)

    def _field(self, widget: QWidget) -> QWidget:
        holder = QWidget()
        holder.setObjectName("panel")
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        label = self._labels[widget] = quiet_label(wrap=False)
        label.setBuddy(widget)
        column.addWidget(label)
        if widget is self.choose:
            column.addWidget(self.file)
        column.addWidget(widget)
        self._fields[widget] = holder
        return holder


def choices(box: QComboBox, options: Sequence[tuple[str, object]], current: object) -> None:
    """Offer these (label, value), with the current one chosen."""
    with QSignalBlocker(box):
        box.clear()
        for label, value in options:
            box.addItem(label, value)
            if value == current:
                box.setCurrentIndex(box.count() - 1)
    box.setMinimumContentsLength(8)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
