"""The exploring page: what is covered, and a table of ends, loops, dead ends and what is unreachable."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from stepflow_gui.gui.runs.panel.page import ScrolledPage, WrappedLine
from stepflow_gui.gui.widgets.controls import push_button
from stepflow_gui.gui.widgets.fields import ElidedLabel
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.table import Rows, Table, TableRow
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.gui.widgets.wrap_layout import WrapLayout
from stepflow_gui.messages import _


class ExplorePage(ScrolledPage):
    """`picked` carries the key of the selected row, `played` that of a row whose path is to be played."""

    wanted = Signal()
    cancelled = Signal()
    picked = Signal(object)
    played = Signal(object)
    scripts_wanted = Signal()
    tint_wanted = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.explore = push_button(primary=True)
        self.cancel = push_button()
        self.play = push_button()
        self.save = push_button()
        self.tint = QCheckBox()
        self.all_entries = QCheckBox()
        self.summary = ElidedLabel("", ui_font(12), Qt.TextElideMode.ElideRight)
        self.summary.setProperty("muted", True)
        self.note = WrappedLine()
        self.note.setContentsMargins(12, 0, 12, 6)
        self.rows = Rows(3, theme)
        self.table = Table(self.rows, (128, 0, 0))
        self.table.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._playable: frozenset[object] = frozenset()
        self.explore.clicked.connect(self.wanted)
        self.cancel.clicked.connect(self.cancelled)
        self.play.clicked.connect(self._play)
        self.save.clicked.connect(self.scripts_wanted)
        self.tint.toggled.connect(self.tint_wanted)
        self.table.activated.connect(lambda _index: self._play())
        self.table.selectionModel().currentRowChanged.connect(lambda _now, _before: self._looked())
        buttons = QWidget()
        buttons.setObjectName("panel")
        row = WrapLayout(buttons, gap=6)
        row.setContentsMargins(12, 6, 12, 6)
        for widget in (self.explore, self.cancel, self.all_entries, self.play, self.save):
            row.addWidget(widget)
        heading = QHBoxLayout()
        heading.setContentsMargins(12, 0, 12, 6)
        heading.setSpacing(8)
        heading.addWidget(self.summary, 1)
        heading.addWidget(self.tint)
        self.column.addWidget(buttons)
        self.column.addLayout(heading)
        self.column.addWidget(self.note)
        self.column.addWidget(self.table, 1)
        self.column.addStretch(0)
        self.show_found("", "", [], frozenset(), busy=False)
        self.retranslate()

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self.explore.setText(_("Explore"))
        self.explore.setToolTip(_("Go through all that runs can do: each intent, alias and case at each step"))
        self.cancel.setText(_("Cancel"))
        self.play.setText(_("Play"))
        self.play.setToolTip(_("Start a run along this path and step through it"))
        self.save.setText(_("Save Scripts…"))
        self.save.setToolTip(_("Save the fewest scripts found that cover everything, as flow tests"))
        self.tint.setText(_("Show coverage"))
        self.tint.setToolTip(_("Tint on the canvas what runs can reach"))
        self.all_entries.setText(_("All entries"))
        self.all_entries.setToolTip(_("From every entry of the registry, not only the one that the setup starts at"))
        for box in (self.tint, self.all_entries):
            box.setFont(ui_font(12))
        self.summary.setFont(ui_font(12))
        self.note.setFont(ui_font(12))
        self.all_entries.setMinimumHeight(self.explore.sizeHint().height())  # on one line with the buttons' words
        for button in (self.explore, self.cancel, self.play, self.save):
            button.setAccessibleName(button.text())
        self.rows.set_headings(_("Found"), _("Where"), _("Path or reason"))
        self.table.setAccessibleName(_("What exploring found"))

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        self.rows.set_theme(theme)

    def show_entries(self, count: int) -> None:
        """How many steps runs may begin at; with one there is nothing to choose."""
        self.all_entries.setVisible(count > 1)

    def show_progress(self, text: str) -> None:
        """How far it is."""
        self.summary.show_whole(text)

    def show_found(
        self, summary: str, note: str, rows: Sequence[TableRow], playable: frozenset[object], *, busy: bool
    ) -> None:
        """What was found so far. `playable`: keys of the rows whose path can be played. `busy`: it continues."""
        self._playable = playable
        self.summary.show_whole(summary)
        self.note.show_text(note or _("Finds all ends with the shortest path, infinite loops and dead ends."))
        self.note.setVisible(bool(note) or not (summary or rows))
        self.table.setCurrentIndex(self.rows.index(-1, -1))
        self.rows.show_all(rows)
        self.explore.setVisible(not busy)
        self.cancel.setVisible(busy)
        self.tint.setVisible(bool(rows) and not busy)
        self.play.setVisible(bool(rows) and not busy)
        self.save.setVisible(bool(rows) and not busy)
        self.table.setVisible(bool(rows))
        self._looked()

    def _looked(self) -> None:
        at = self.table.picked
        key = self.table.key_at(at) if at is not None else None
        self.play.setEnabled(key in self._playable)
        self.picked.emit(key)

    def _play(self) -> None:
        at = self.table.picked
        key = self.table.key_at(at) if at is not None else None
        if key in self._playable:
            self.played.emit(key)
