"""Small parts that the pages of the run panel are made of: buttons, quiet labels, tables, the rows they show."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QBrush, QFont, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableView,
)

from stepflow_gui.gui.widgets.fields import one_line
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.theme import Theme

Index = QModelIndex | QPersistentModelIndex
KEY = Qt.ItemDataRole.UserRole
_NARROW = 64  # pixels up to which a column keeps its width, to stay readable
_LEAST = 160  # pixels of a column that takes what is left, while others can shrink
_ROW_HEIGHT = 24  # pixels
_KEPT = 4096  # rows that are remembered once they were made


class Cell(NamedTuple):
    """The contents of one cell: `mono` for ids and code, `token` the colour."""

    text: str
    mono: bool = False
    token: str = "text"


class TableRow(NamedTuple):
    """A row of a table; `key` identifies what it is about, `tip` adds details."""

    cells: tuple[Cell, ...]
    key: object = None
    tip: str = ""
    bold: bool = False


NO_ROW = TableRow(())


class Rows(QAbstractTableModel):
    """Rows that are made when they are first shown, so that ten thousand cost no more than those in sight."""

    def __init__(self, columns: int, theme: Theme) -> None:
        super().__init__()
        self._columns = columns
        self._headings: tuple[str, ...] = ("",) * columns
        self._theme = theme
        self._count = 0
        self._make: Callable[[int], TableRow] = lambda _at: NO_ROW
        self._made: dict[int, TableRow] = {}
        self._current: int | None = None

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._theme = theme
        self._all_changed()

    def set_headings(self, *headings: str) -> None:
        """Name the columns."""
        self._headings = headings
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self._columns - 1)

    def show(self, count: int, make: Callable[[int], TableRow], *, kept: int = 0) -> None:
        """Show so many rows; the first `kept` are as they were."""
        self._make = make
        self._made = {at: row for at, row in self._made.items() if at < kept} if kept else {}
        before = self._count
        if count > before:
            self.beginInsertRows(QModelIndex(), before, count - 1)
            self._count = count
            self.endInsertRows()
        elif count < before:
            self.beginRemoveRows(QModelIndex(), count, before - 1)
            self._count = count
            self.endRemoveRows()
        if kept < min(count, before):
            self.dataChanged.emit(self.index(kept, 0), self.index(min(count, before) - 1, self._columns - 1))

    def show_all(self, rows: Sequence[TableRow]) -> None:
        """Show these rows."""
        self.show(len(rows), rows.__getitem__)

    def mark(self, current: int | None) -> None:
        """Mark the row at which the run stands; those after it are paler."""
        if current != self._current:
            self._current = current
            self._all_changed()

    def row(self, at: int) -> TableRow:
        """The row, made now where it wasn't yet."""
        found = self._made.get(at)
        if found is None:
            if len(self._made) >= _KEPT:
                self._made.clear()
            found = self._made[at] = self._make(at)
        return found

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else self._columns

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._headings[section]
        return ui_font(11) if role == Qt.ItemDataRole.FontRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= self._count:
            return None
        row = self.row(index.row())
        if role == KEY:
            return row.key
        if index.column() >= len(row.cells):
            return None
        cell = row.cells[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return one_line(cell.text)
            case Qt.ItemDataRole.ToolTipRole:
                return row.tip or cell.text
            case Qt.ItemDataRole.FontRole:
                weight = QFont.Weight.DemiBold if row.bold else QFont.Weight.Normal
                return mono_font(12, weight) if cell.mono else ui_font(12, weight)
            case Qt.ItemDataRole.ForegroundRole:
                later = self._current is not None and index.row() > self._current
                return QBrush(self._theme.color("muted" if later else cell.token))
            case Qt.ItemDataRole.BackgroundRole if index.row() == self._current:
                return QBrush(self._theme.mix("active", "surface", 0.12))
        return None

    def _all_changed(self) -> None:
        if self._count:
            self.dataChanged.emit(self.index(0, 0), self.index(self._count - 1, self._columns - 1))


class Table(QTableView):
    """A flat list in columns, as all tables of the run panel look. `widths`: pixels; 0 takes what is left.

    Where too little would be left the others shrink, down to what their headings need. A column that the user has
    drawn to a width keeps it.
    """

    def __init__(self, rows: Rows, widths: Sequence[int]) -> None:
        super().__init__()
        self.setModel(rows)
        self.rows = rows
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setMinimumHeight(2 * _ROW_HEIGHT)  # else it would leave nothing to what is above it
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(False)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.setMinimumSectionSize(24)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column, width in enumerate(widths):
            stretch = QHeaderView.ResizeMode.Stretch
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive if width else stretch)
            if width:
                header.resizeSection(column, width)
        self._widths = tuple(widths)
        self._drawn: set[int] = set()
        self._fitting = False
        header.sectionResized.connect(self._drew)

    def sizeHint(self) -> QSize:
        """As high as it must be: it takes what is left."""
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        header = self.horizontalHeader()
        shown = [width for column, width in enumerate(self._widths) if not self.isColumnHidden(column)]
        wanted = sum(width or _LEAST for width in shown)
        share = min(1.0, self.viewport().width() / wanted)
        self._fitting = True
        for column, width in enumerate(self._widths):
            if width and column not in self._drawn:
                given = width if width <= _NARROW else int(width * share)
                header.resizeSection(column, max(given, header.sectionSizeHint(column)))
        self._fitting = False

    def _drew(self, column: int, _before: int, _now: int) -> None:
        if not self._fitting and self._widths[column]:
            self._drawn.add(column)

    def key_at(self, row: int) -> object:
        """What a row is about."""
        return self.rows.row(row).key if 0 <= row < self.rows.rowCount() else None

    @property
    def picked(self) -> int | None:
        """The row that is selected."""
        index = self.currentIndex()
        return index.row() if index.isValid() else None
