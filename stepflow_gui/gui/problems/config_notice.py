"""What in the configuration can't be applied, as lines above the problems that open the file."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.lint.config.file import ConfigProblem
from stepflow_gui.messages import ngettext

_MOST = 3  # lines


class ConfigNotice(QWidget):
    """`picked(ConfigProblem)` is emitted where a person goes on to one."""

    picked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[QPushButton] = []
        self._shown: list[ConfigProblem] = []
        self._more = QLabel()
        self._more.setProperty("muted", True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 4, 12, 0)
        self._column.setSpacing(2)
        self._column.addWidget(self._more)
        self.hide()

    def show_problems(self, problems: Sequence[ConfigProblem]) -> None:
        """Show these, the first of many in full."""
        if list(problems) != self._shown:
            self._shown = list(problems)
            for line in self.lines:
                self._column.removeWidget(line)
                line.deleteLater()
            self.lines = [self._line(problem) for problem in problems[:_MOST]]
            for row, line in enumerate(self.lines):
                self._column.insertWidget(row, line)
        rest = len(problems) - _MOST
        self._more.setVisible(rest > 0)
        self._more.setFont(ui_font(11))
        self._more.setText(ngettext("and {count} more", "and {count} more", max(rest, 0)).format(count=rest))
        self.setVisible(bool(problems))

    def _line(self, problem: ConfigProblem) -> QPushButton:
        where = problem.file.name + ("" if problem.line is None else f":{problem.line}")
        line = QPushButton(f"{where}  {problem.message}".replace("&", "&&"))
        line.setObjectName("configLine")
        line.setFont(ui_font(11))
        line.setToolTip(f"{problem.file}\n{problem.message}")
        line.setMinimumWidth(0)
        policy = line.sizePolicy()
        policy.setHorizontalPolicy(policy.Policy.Ignored)
        line.setSizePolicy(policy)
        line.clicked.connect(lambda _checked=False: self.picked.emit(problem))
        return line
