"""The prompt page: the prompt as the model is shown it, where it is from, its variables and every place tried."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter

from stepflow_gui.gui.runs.panel.page import ScrolledPage, WrappedLine, read_text
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.table import Rows, Table, TableRow
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_LEAST_TEXT = 48  # pixels of height
_BESIDE = 420  # pixels of width from which on both tables have room beside each other


class RunPrompt(ScrolledPage):
    """Shows one prompt."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.source = WrappedLine()
        self.text = read_text(_LEAST_TEXT)
        self.variables = Rows(2, theme)
        self.tried = Rows(2, theme)
        tables = self._tables = QSplitter(Qt.Orientation.Vertical)
        split = QSplitter(Qt.Orientation.Horizontal)
        self.column.addWidget(self.source)
        self.column.addWidget(split, 1)
        split.addWidget(self.text)
        split.addWidget(tables)
        self.variable_table = Table(self.variables, (150, 0))
        self.tried_table = Table(self.tried, (0, 110))
        tables.addWidget(self.variable_table)
        tables.addWidget(self.tried_table)
        tables.setSizes([200, 300])
        split.setSizes([340, 300])
        for each in (split, tables):
            each.setHandleWidth(1)
            each.setStretchFactor(0, 1)
            each.setStretchFactor(1, 1)
            each.setChildrenCollapsible(False)
        self.retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self.variables.set_headings(_("Variable"), _("Value"))
        self.tried.set_headings(_("Path tried"), _("Result"))
        self.variable_table.setAccessibleName(_("Variables of the prompt"))
        self.tried_table.setAccessibleName(_("Places where the prompt was looked for"))
        self.text.setAccessibleName(_("Prompt"))
        self.text.setFont(mono_font(12))
        self.source.setFont(ui_font(12))

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        self.variables.set_theme(theme)
        self.tried.set_theme(theme)

    def show_prompt(self, source: str, text: str, variables: Sequence[TableRow], tried: Sequence[TableRow]) -> None:
        """Show a prompt, or why there is none."""
        self.source.show_text(source)
        if text != self.text.toPlainText():
            self.text.setPlainText(text)
        self.text.setVisible(bool(text))
        self.variables.show_all(variables)
        self.tried.show_all(tried)
        self._tables.show()
        self._arrange()

    def show_logged(self, source: str, text: str) -> None:
        """Show the prompt of a real run, of which no variables are known, or why there is none."""
        self.show_prompt(source, text, [], [])
        self._tables.hide()

    def _arrange(self) -> None:
        """Where there is no prompt, the tables share its place."""
        beside = self.text.isHidden() and self.width() >= _BESIDE
        self._tables.setOrientation(Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical)
