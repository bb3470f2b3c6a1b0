"""The validators page: closing, its validators, the failure pattern chosen, the retry prompt, the attempts left."""

from collections.abc import Sequence

from PySide6.QtCore import Signal

from stepflow_gui.gui.runs.panel.page import ScrolledPage, WrappedLine
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.table import Rows, Table, TableRow
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _


class RunChecks(ScrolledPage):
    """Shows the validation of one closure step. `left`: the table had the keyboard and is going to be hidden."""

    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.head = WrappedLine()
        self.rows = Rows(5, theme)
        self.table = Table(self.rows, (100, 54, 0, 76, 76))
        self.column.addWidget(self.head)
        self.column.addWidget(self.table, 1)
        self.column.addStretch()
        self.retranslate()

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self.rows.set_headings(_("Validator"), _("State"), _("Command"), _("Pattern"), _("Retry prompt"))
        self.table.setAccessibleName(_("Validators"))
        self.head.setFont(ui_font(12))

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        self.rows.set_theme(theme)

    def show_checks(self, head: str, rows: Sequence[TableRow]) -> None:
        """Show a validation, or that there is none."""
        self.head.show_text(head)
        self.rows.show_all(rows)
        if not rows and self.table.hasFocus():
            self.left.emit()
        self.table.setVisible(bool(rows))
