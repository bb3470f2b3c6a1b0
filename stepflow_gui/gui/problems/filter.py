"""The row over the problems: how many there are, which are listed, and all safe fixes at once."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton, QWidget

from stepflow_gui.gui.problems.model import SEVERITIES, ProblemModel, count_text
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.gui.widgets.wrap_layout import WrapLayout
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.messages import _, ngettext


class FilterRow(QWidget):
    """`changed()` is emitted where other findings are to be listed, `fix_safe_asked()` by the button for all fixes.

    The button for the suppressed findings is there where there are some.
    """

    changed = Signal()
    fix_safe_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.of_movements = False  # as the steps of what is open are called
        self.severities = {severity: self._severity_button() for severity in SEVERITIES}
        self.words = QLineEdit()
        self.words.setMaximumWidth(220)
        self.words.setMinimumWidth(80)
        self.words.textChanged.connect(self.changed)
        self.only_step = QToolButton()
        self.only_step.setCheckable(True)
        self.only_step.setObjectName("filterButton")
        self.only_step.toggled.connect(self.changed)
        self.suppressed = QToolButton()
        self.suppressed.setCheckable(True)
        self.suppressed.setObjectName("filterButton")
        self.suppressed.toggled.connect(self.changed)
        self.fix_safe = QPushButton()
        self.fix_safe.setObjectName("quiet")
        self.fix_safe.clicked.connect(self.fix_safe_asked)
        row = WrapLayout(self, gap=4)
        row.setContentsMargins(12, 4, 12, 0)
        for button in self.severities.values():
            row.addWidget(button)
        row.addWidget(self.suppressed)
        row.addWidget(self.only_step)
        row.addWidget(self.words)
        row.addWidget(self.fix_safe)
        self.retranslate()

    def retranslate(self) -> None:
        """Show the row in the language in use."""
        for button in (*self.severities.values(), self.suppressed, self.only_step, self.fix_safe, self.words):
            button.setFont(ui_font(11))
        self.words.setPlaceholderText(_("Filter"))
        about, one, only = (
            _("Filter by rule, text, file or step"),
            _("Selected step"),
            _("Only problems of the selected step"),
        )
        if self.of_movements:
            about, one, only = (
                _("Filter by rule, text, file or movement"),
                _("Selected movement"),
                _("Only problems of the selected movement"),
            )
        self.words.setAccessibleName(about)
        self.words.setToolTip(about)
        self.only_step.setText(one)
        self.only_step.setToolTip(only)
        self.fix_safe.setText(_("Apply all safe fixes…"))
        self.fix_safe.setToolTip(_("Show what all safe fixes would change"))

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        for severity, button in self.severities.items():
            button.setIcon(theme.icon(severity, severity))

    def hidden_severities(self) -> set[Severity]:
        """Those that are switched off."""
        return {severity for severity, button in self.severities.items() if not button.isChecked()}

    def show_counts(self, model: ProblemModel) -> None:
        """Show how many there are; what can't be seen hides nothing."""
        counts = model.counts()
        for severity, button in self.severities.items():
            button.setVisible(counts[severity] > 0 and len(counts) > 1)
            button.setText(count_text(severity, counts[severity]))
            button.setToolTip(_("Show or hide: {what}").format(what=button.text()))
        quiet = len(model.suppressed)
        self.suppressed.setVisible(quiet > 0)
        self.suppressed.setText(ngettext("{count} suppressed", "{count} suppressed", quiet).format(count=quiet))
        self.suppressed.setToolTip(_("Show or hide suppressed findings, with their reasons"))
        if not quiet:
            self.suppressed.setChecked(False)
        several = counts.total() + quiet > 1
        self.setVisible(several or quiet > 0)
        self.words.setVisible(several)
        self.only_step.setVisible(several)
        self.fix_safe.setVisible(any(fix.safe for found in model.rows for fix in found.fixes))
        if len(counts) == 1:
            self.severities[next(iter(counts))].setChecked(True)
        if not several:
            self.words.clear()
            self.only_step.setChecked(False)

    def _severity_button(self) -> QToolButton:
        button = QToolButton()
        button.setCheckable(True)
        button.setChecked(True)
        button.setObjectName("filterButton")
        button.setIconSize(QSize(14, 14))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.toggled.connect(self.changed)
        return button
