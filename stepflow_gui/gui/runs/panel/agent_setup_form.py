"""The form for how an agent's run is controlled, besides the common fields: shadow, parameters, real commands."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QFileDialog, QLineEdit, QWidget

from stepflow_gui.formats.climpt.eras import GUIDE, era_title
from stepflow_gui.gui.runs.panel.setup_form import SetupForm, choices
from stepflow_gui.gui.runs.setup import eras
from stepflow_gui.gui.runs.setup_model import Setup
from stepflow_gui.gui.widgets.controls import Chooser
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.messages import _


class RunSetupForm(SetupForm):
    """The form of agents. `ask_trace_file` and `ask_test_file` may be replaced where no dialog can be shown."""

    def __init__(self) -> None:
        super().__init__(Setup())
        self.ask_trace_file = self._ask_trace
        self.ask_test_file = self._ask_test
        self.shadow = Chooser()
        self.args = QLineEdit()
        self.real = QCheckBox()
        self.no_prompts = QCheckBox()
        self._lay_out((self.shadow, self.args), (), (self.real, self.no_prompts))
        self.retranslate()
        self.shadow.activated.connect(self._took)
        for box in (self.real, self.no_prompts):
            box.toggled.connect(self._took)
        self.args.editingFinished.connect(self._took)

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        super().retranslate()
        self.real.setText(_("Run the commands of validators for real"))
        self.no_prompts.setText(_("Run without prompts"))
        self.no_prompts.setToolTip(_("A missing prompt or variable doesn't stop the run, whatever the runtime."))
        for box in (self.real, self.no_prompts):
            box.setFont(ui_font(12))
        self.args.setPlaceholderText("issue=42")

    def _names(self) -> dict[QWidget, str]:
        return super()._names() | {self.shadow: _("Shadow run"), self.args: _("Parameters")}

    def _fixed(self) -> Sequence[QWidget]:
        return (*super()._fixed(), self.shadow, self.args, self.no_prompts)

    def _eras(self) -> Sequence[tuple[str, str]]:
        guide = _("{era} (documents)").format(era=GUIDE.name)
        return [(guide if era == GUIDE.name else era_title(era), era) for era in eras()]

    def _read(self, setup: Setup) -> Setup:
        return setup._replace(
            shadow=self.shadow.currentData(),
            real=self.real.isChecked(),
            prompts=not self.no_prompts.isChecked(),
            args=self.args.text(),
        )

    def _fill(self) -> None:
        super()._fill()
        choices(self.shadow, [(_("none"), None), *self._eras()], self.setup.shadow)
        for box, checked in ((self.real, self.setup.real), (self.no_prompts, not self.setup.prompts)):
            with QSignalBlocker(box):
                box.setChecked(checked)

    def _ask_test(self, proposed: Path) -> Path | None:
        kinds = _("Scripts ({patterns})").format(patterns=f"*{proposed.suffix}")
        name, _kind = QFileDialog.getSaveFileName(self, _("Save as Test"), str(proposed), kinds)
        return Path(name) if name else None

    def _ask_trace(self) -> Path | None:
        kinds = _("Traces ({patterns})").format(patterns="*.jsonl")
        name, _kind = QFileDialog.getSaveFileName(self, _("Save the trace as"), "trace.jsonl", kinds)
        return Path(name) if name else None
