"""The data page: the context with who wrote and who reads each key, and the watches."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QCompleter, QHBoxLayout, QLineEdit, QSplitter, QVBoxLayout, QWidget

from stepflow_gui.gui.runs.panel.page import ScrolledPage
from stepflow_gui.gui.widgets.controls import name_it, tool_button
from stepflow_gui.gui.widgets.fonts import mono_font
from stepflow_gui.gui.widgets.table import Rows, Table, TableRow
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_BESIDE = 420  # pixels of width from which on the watches have room beside the context


class RunData(ScrolledPage):
    """`watch_wanted` carries a path, `unwatch_wanted` a row, `step_picked` the step that a key belongs to."""

    watch_wanted = Signal(str)
    unwatch_wanted = Signal(int)
    step_picked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.context = Rows(4, theme)
        self.context_table = Table(self.context, (170, 0, 64, 110))
        self.context_table.activated.connect(
            lambda index: self.step_picked.emit(self.context_table.key_at(index.row()))
        )
        self.watches = Rows(2, theme)
        self.watch_table = _WatchTable(self.watches, (130, 0))
        self.watch_table.removed.connect(self.unwatch_wanted)
        self.path = QLineEdit()
        self.path.setMinimumHeight(24)
        self.path.returnPressed.connect(self._watch)
        self.add = tool_button("watch-add")
        self.add.setText("+")
        self.add.clicked.connect(self._watch)
        self._known = QCompleter([])
        self._known.setFilterMode(Qt.MatchFlag.MatchContains)
        self.path.setCompleter(self._known)
        split = self._split = QSplitter(Qt.Orientation.Horizontal)
        self.column.addWidget(split)
        side = QWidget()
        side.setObjectName("panel")
        split.addWidget(self.context_table)
        split.addWidget(side)
        row = QHBoxLayout()
        row.setContentsMargins(8, 4, 8, 4)
        row.addWidget(self.path, 1)
        row.addWidget(self.add)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.watch_table, 1)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 1)
        split.setSizes([460, 200])
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        self.set_theme(theme)
        self.retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= _BESIDE
        self._split.setOrientation(Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical)

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self.context.set_headings(_("Key"), _("Value"), _("Written"), _("Read by"))
        self.watches.set_headings(_("Watch"), _("Value"))
        self.context_table.setAccessibleName(_("Context: what the steps have left"))
        self.watch_table.setAccessibleName(_("Watches"))
        self.path.setPlaceholderText(_("Watch a path, such as handoff.issue"))
        self.path.setToolTip(self.path.placeholderText())
        self.path.setAccessibleName(_("Path to watch"))
        self.path.setFont(mono_font(12))
        name_it(self.add, _("Watch"))

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        self.context.set_theme(theme)
        self.watches.set_theme(theme)

    def show_context(self, rows: Sequence[TableRow]) -> None:
        """The keys of the context."""
        self.context.show_all(rows)

    def show_watches(self, rows: Sequence[TableRow], known: Sequence[str]) -> None:
        """The watches; `known` paths are offered while one is typed."""
        self.watches.show_all(rows)
        if not self.path.hasFocus():
            self._known = QCompleter(list(known), self)
            self._known.setFilterMode(Qt.MatchFlag.MatchContains)
            self.path.setCompleter(self._known)

    def _watch(self) -> None:
        text = self.path.text().strip()
        if text:
            self.path.clear()
            self.watch_wanted.emit(text)


class _WatchTable(Table):
    """Delete takes a watch away."""

    removed = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace} and self.picked is not None:
            self.removed.emit(self.picked)
        else:
            super().keyPressEvent(event)
