"""Two versions of an agent: their graph with what differs, and the differences as a list."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.flow.comparison.both import BothFlows
from stepflow_gui.gui.canvas.layers.change_layer import ChangeLayer
from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.problems.fix_preview import DiffText, FilePreview
from stepflow_gui.gui.widgets.controls import Chooser, quiet_label
from stepflow_gui.gui.widgets.dock import PanelTitle
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_SIGN_TOKENS = {"+": "closure", "-": "error", "~": "warning", "»": "work"}
_STEP = Qt.ItemDataRole.UserRole
_BUILDING = 30  # milliseconds between looks whether a large graph stands


class Difference(NamedTuple):
    """One line of the list, and the step that it is about."""

    text: str
    step: str | None = None


class VersionsPage(QWidget):
    """`base_chosen(id)`: what to compare with; `named(text)`: the revision's name; `picked(step)`; `closed()`."""

    base_chosen = Signal(str)
    named = Signal(str)
    picked = Signal(str)
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._both: BothFlows | None = None
        self.canvas = GraphView(theme)
        self._layer = ChangeLayer(self.canvas.graph)
        self._building = QTimer(self)
        self._building.setInterval(_BUILDING)
        self._building.timeout.connect(self._mark)
        self.base = Chooser()
        self.base.activated.connect(lambda at: self.base_chosen.emit(self.base.itemData(at)))
        self.revision = QLineEdit()
        self.revision.setMaximumWidth(180)
        self.revision.setMinimumWidth(60)
        self.revision.returnPressed.connect(lambda: self.named.emit(self.revision.text().strip()))
        self.diff = DiffText()  # placed at the right
        self._changes: Sequence[FilePreview] = ()
        self._empty = QWidget()  # where there is no graph to show
        self.summary = QLabel()
        self.summary.setTextFormat(Qt.TextFormat.PlainText)
        self.summary.setWordWrap(True)
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.previous, self.next, self.close_button = QPushButton("↑"), QPushButton("↓"), QPushButton()
        self.previous.clicked.connect(lambda: self._step(-1))
        self.next.clicked.connect(lambda: self._step(1))
        self.close_button.clicked.connect(self.closed)
        for button in (self.previous, self.next, self.close_button):
            button.setObjectName("quiet")
        self.changes = QWidget()  # placed in the side panel
        self.title, self._none = PanelTitle(), quiet_label()
        self.list = QListWidget()
        self.list.setObjectName("differences")
        self.list.setUniformItemSizes(True)
        self.list.currentItemChanged.connect(self._chosen)
        side = QVBoxLayout(self.changes)
        side.setContentsMargins(16, 12, 8, 8)
        for part in (self.title, self._none):
            side.addWidget(part)
        side.addWidget(self.list, 1)
        side.addStretch(0)  # takes the room while there is no list
        self._lay_out()
        self.canvas.step_selected.connect(self._picked_on_canvas)
        self.retranslate()
        self.set_theme(theme)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(12, 6, 12, 6)
        head.setSpacing(8)
        head.addWidget(self.base)
        head.addWidget(self.revision)
        head.addStretch(1)
        for button in (self.previous, self.next, self.close_button):
            head.addWidget(button)
        heading = QHBoxLayout()
        heading.setContentsMargins(16, 0, 12, 6)
        heading.addWidget(self.summary)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(heading)
        column.addWidget(self.canvas, 1)
        column.addWidget(self._empty, 1)

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self.base.setFont(ui_font(12))
        self.base.setAccessibleName(_("Compare with"))
        self.base.setToolTip(_("Compare with"))
        self.revision.setPlaceholderText(_("branch, tag or commit"))
        self.revision.setAccessibleName(_("Revision"))
        self.summary.setFont(ui_font(12))
        self.title.set_title(_("Changes"))
        self.list.setFont(mono_font(11))
        self.list.setAccessibleName(_("Differences"))
        self.diff.setFont(mono_font(11))
        self.diff.setAccessibleName(_("Texts before and after"))
        self.diff.setPlaceholderText(_("No difference in the texts"))
        names = (_("Previous difference"), _("Next difference"), _("Close"))
        for button, name in zip((self.previous, self.next, self.close_button), names, strict=True):
            button.setFont(ui_font(12))
            button.setToolTip(name)
            button.setAccessibleName(name)
        self.close_button.setText(names[-1])
        self.canvas.retranslate()
        self._mark()

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        self._theme = theme
        self.canvas.set_theme(theme)
        self.diff.show_changes(self._changes, theme)
        self._mark()
        for row in range(self.list.count()):
            self._tint(self.list.item(row))

    def show_bases(self, bases: Sequence[tuple[str, str]], current: str, *, asks_name: bool) -> None:
        """What can be compared with: ids and names; whether a revision's name is asked for."""
        with QSignalBlocker(self.base):
            self.base.clear()
            for base, name in bases:
                self.base.addItem(name, base)
            self.base.setCurrentIndex(next((at for at, (base, _name) in enumerate(bases) if base == current), 0))
        self.revision.setVisible(asks_name)

    def show_trouble(self, text: str) -> None:
        """Show why nothing can be compared, or that the comparison is running."""
        self.summary.setText(text)
        self.list.clear()
        self._show_list(text)
        self.show_texts(())
        self._both = None
        self._layer.clear()
        self._show_canvas(on=False)

    def show_texts(self, changes: Sequence[FilePreview]) -> None:
        """Show the texts that differ; what was in view stays where nothing has changed."""
        if changes != self._changes:
            self._changes = changes
            self.diff.show_changes(changes, self._theme)

    def show_comparison(
        self, both: BothFlows | None, differences: Sequence[Difference], summary: str, *, keep_positions: bool
    ) -> None:
        """Show what differs; without flows only the list."""
        chosen = self.list.currentRow()
        self.summary.setText(summary)
        with QSignalBlocker(self.list):
            self.list.clear()
            for difference in differences:
                item = QListWidgetItem(difference.text)
                item.setData(_STEP, difference.step)
                self.list.addItem(item)
                self._tint(item)
            if 0 <= chosen < self.list.count() and keep_positions:
                self.list.setCurrentRow(chosen)
        self._show_list(summary)
        self._both = both
        self._layer.clear()
        self._show_canvas(on=both is not None)
        if both is not None:
            self.canvas.show_flow(both.flow, keep_positions=keep_positions, verdict=None)
            if not keep_positions:
                self.canvas.fit()
        self._mark()

    def _show_list(self, otherwise: str) -> None:
        """Show the list, or in its place why there is none."""
        self._none.setText(otherwise)
        for part, shown in ((self.list, self.list.count() > 0), (self._none, self.list.count() == 0)):
            part.setVisible(shown)

    def _show_canvas(self, *, on: bool) -> None:
        self.canvas.setVisible(on)
        self._empty.setVisible(not on)

    def _mark(self) -> None:
        if self._both is None:
            self._building.stop()
        elif self.canvas.is_building:
            self._building.start()
        else:
            self._building.stop()
            self._layer.show(self._both.steps, self._both.edges, self.canvas.graph.pens, self._both.entries)

    def _tint(self, item: QListWidgetItem) -> None:
        sign = item.text().lstrip()[:1]
        token = _SIGN_TOKENS.get(sign, "text")
        item.setForeground(QColor(self._theme.color(token)))

    def _chosen(self, item: QListWidgetItem | None) -> None:
        step = item.data(_STEP) if item is not None else None
        if isinstance(step, str) and self._both is not None and step in self._both.flow.steps:
            self.canvas.select_step(step, reveal=True)
            self._show_in_texts(step)
            self.picked.emit(step)

    def _picked_on_canvas(self, step: str | None) -> None:
        if step is None:
            return
        for row in range(self.list.count()):
            if self.list.item(row).data(_STEP) == step:
                with QSignalBlocker(self.list):
                    self.list.setCurrentRow(row)
                break
        self._show_in_texts(step)
        self.picked.emit(step)

    def _show_in_texts(self, step: str) -> None:
        """Have the first line that names a step in the middle, if one is shown."""
        found = self.diff.document().find(step)
        if not found.isNull():
            found.setPosition(found.selectionStart())
            self.diff.setTextCursor(found)
            self.diff.centerCursor()

    def _step(self, by: int) -> None:
        """Go to the next step in the list that differs, round the ends."""
        rows = [row for row in range(self.list.count()) if _begins(self.list, row)]
        if not rows:
            return
        now = self.list.currentRow()
        beyond: Callable[[int], bool] = (lambda row: row > now) if by > 0 else (lambda row: row < now)
        found = [row for row in rows if beyond(row)]
        target = (found[0] if by > 0 else found[-1]) if found else (rows[0] if by > 0 else rows[-1])
        self.list.setCurrentRow(target)


def _begins(listed: QListWidget, row: int) -> bool:
    """Whether the block of a step begins at a row."""
    step = listed.item(row).data(_STEP)
    return step is not None and (row == 0 or listed.item(row - 1).data(_STEP) != step)
