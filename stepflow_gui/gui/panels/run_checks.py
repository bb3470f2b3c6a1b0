"""The validators page: closing, its validators, the failure pattern chosen, the retry prompt, the attempts left."""

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from stepflow_gui.gui.panels.run_parts import Row, Rows, Table, quiet_label
from stepflow_gui.gui.theme import Theme
from stepflow_gui.messages import _


class RunChecks(QWidget):
    """Shows the validation of one closure step."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.head = quiet_label()
        self.head.setContentsMargins(12, 6, 12, 6)
        self.rows = Rows(5, theme)
        self.table = Table(self.rows, (100, 54, 0, 76, 76))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.table, 1)
        self.retranslate()

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self.rows.set_headings(_("Validator"), _("State"), _("Command"), _("Pattern"), _("Retry prompt"))
        self.table.setAccessibleName(_("Validators"))

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        self.rows.set_theme(theme)

    def show_checks(self, head: str, rows: Sequence[Row]) -> None:
        """Show a validation, or say that there is none."""
        self.head.setText(head)
        self.rows.show_all(rows)
        self.table.setVisible(bool(rows))
