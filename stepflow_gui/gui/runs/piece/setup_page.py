"""The setup page of a piece's run: besides what all have, the shadow, the task, and whether a person is there."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QToolTip, QWidget

from stepflow_gui.formats.takt.releases.sets import NONE, Releases, minors_of
from stepflow_gui.formats.takt.releases.setting import HEAD, LATEST, PREFIX, runtime_meant
from stepflow_gui.formats.takt.runners import EXAMPLE, GUIDE, RUNNERS, runner_named
from stepflow_gui.gui.runs.panel.setup_form import SetupForm, choices
from stepflow_gui.gui.runs.setup_model import Setup
from stepflow_gui.gui.widgets.controls import Chooser
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
        self.shadow = Chooser()
        self._releases: Releases = NONE
        self._typed = QLineEdit()
        self.era.setEditable(True)
        self.era.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.era.setLineEdit(self._typed)
        self._typed.editingFinished.connect(self._took_typed)
        self._lay_out((self.shadow,), (self.task,), (self.interactive,))
        self.retranslate()
        self.task.textChanged.connect(self._took)
        self.interactive.toggled.connect(self._took)
        self.shadow.activated.connect(self._took)

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        super().retranslate()
        self.task.setPlaceholderText(_("Text for {task}"))
        self.interactive.setFont(ui_font(12))
        self.interactive.setText(_("Interactive"))
        self.era.setToolTip(_("A release of TAKT can be typed, such as {release}").format(release=EXAMPLE))
        self.interactive.setToolTip(_("Rules that are marked interactive_only can be taken"))

    def show_movements(self, movements: Sequence[str], initial: str) -> None:
        """Offer these to start at, the usual one first."""
        self.show_entries([(initial, None), *((name, name) for name in movements if name != initial)])

    def show_releases(self, releases: Releases) -> None:
        """Offer the releases that the file is for."""
        if releases != self._releases:
            self._releases = releases
            self._fill()

    def _names(self) -> dict[QWidget, str]:
        return {self.task: _("Task")} | super()._names() | {self.shadow: _("Shadow run")}

    def _fixed(self) -> Sequence[QWidget]:
        return (*super()._fixed(), self.shadow, self.task, self.interactive)

    def _eras(self) -> Sequence[tuple[str, str]]:
        """Those of the file first, the newest before the others; then what holds for every file."""
        guide = _("{era} (documents)").format(era=GUIDE.name)
        newest = (*reversed(minors_of(self._releases)), LATEST, HEAD)
        chosen = [each for each in (self.setup.era, self.setup.shadow) if each is not None]
        names = dict.fromkeys((*(f"{PREFIX}{each}" for each in newest), *RUNNERS, *chosen))
        return [(guide if name == GUIDE.name else name, name) for name in names]

    def _era(self) -> str:
        """The runner of the list or, by the name that was typed, another one; the old one where there is none."""
        word = self._typed.text().strip()
        listed = self.era.findText(word)
        if listed >= 0:
            return str(self.era.itemData(listed))
        return next((name for name in (word, f"{PREFIX}{word}") if runner_named(name)), self.setup.era)

    def _took_typed(self) -> None:
        word, chosen = self._typed.text().strip(), self._era()
        if chosen != self.setup.era:
            self._took()
        elif word and word != self.era.itemText(self.era.findData(chosen)):
            self._fill()
            self._refuse(word)

    def _refuse(self, word: str) -> None:
        """Say that a typed word is not a runner, with what may be meant."""
        meant = runtime_meant(word)
        text = _("“{word}” isn't a runtime").format(word=word)
        if meant is not None:
            text += _(". Did you mean “{meant}”?").format(meant=meant)
        self.note.setText(text)
        self.note.show()
        QToolTip.showText(self.era.mapToGlobal(self.era.rect().bottomLeft()), text, self.era)

    def _read(self, setup: Setup) -> Setup:
        return setup._replace(
            task=self.task.toPlainText(),
            interactive=self.interactive.isChecked(),
            shadow=self.shadow.currentData(),
        )

    def _fill(self) -> None:
        super()._fill()
        choices(self.shadow, [(_("none"), None), *self._eras()], self.setup.shadow)
        self._typed.setText(self.era.itemText(self.era.findData(self.setup.era)))
        with QSignalBlocker(self.interactive):
            self.interactive.setChecked(self.setup.interactive)
        if self.task.toPlainText() != self.setup.task:
            with QSignalBlocker(self.task):
                self.task.setPlainText(self.setup.task)
