"""The comparing page: two runs beside each other, from where they part."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from stepflow_gui.gui.widgets.controls import Chooser, quiet_label
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.table import Rows, Table, TableRow
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _


class RunCompare(QWidget):
    """`picked` carries the number of the run to compare with, `looked` the entry (from 1) to look at.

    `closed()`: Escape was pressed.
    """

    picked = Signal(int)
    looked = Signal(int)
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.other = Chooser()
        self.other.activated.connect(lambda at: self.picked.emit(self.other.itemData(at)))
        self.summary = quiet_label()
        self.rows = Rows(3, theme)
        self.table = Table(self.rows, (52, 0, 0))
        self.table.activated.connect(lambda index: self.looked.emit(index.row() + 1))
        self.table.setTextElideMode(Qt.TextElideMode.ElideRight)
        row = QHBoxLayout()
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(12)
        row.addWidget(self.other)
        row.addWidget(self.summary, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.table, 1)
        self.retranslate()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self.other.setAccessibleName(_("Run to compare with"))
        self.other.setFont(ui_font(12))
        self.table.setAccessibleName(_("Both runs beside each other"))

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        self.rows.set_theme(theme)

    def show_others(self, others: Sequence[tuple[int, str]], current: int | None) -> None:
        """The runs that can be compared with (number, name)."""
        with QSignalBlocker(self.other):
            self.other.clear()
            for number, name in others:
                self.other.addItem(name, number)
                if number == current:
                    self.other.setCurrentIndex(self.other.count() - 1)

    def show_pairs(
        self, names: tuple[str, str], summary: str, count: int, make: Callable[[int], TableRow], part: int
    ) -> None:
        """Both runs beside each other, `part` (from 0) being where they part."""
        self.rows.set_headings("#", *names)
        self.summary.setText(summary)
        self.rows.show(count, make)
        if part < count:
            self.table.scrollTo(self.rows.index(part, 0), Table.ScrollHint.PositionAtCenter)
