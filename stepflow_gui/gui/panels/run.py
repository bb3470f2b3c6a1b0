"""The run panel: where the run stands, what the person may answer, and the trace of what happened."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QBrush, QFont, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.gui.fonts import mono_font, ui_font
from stepflow_gui.gui.panels.fields import ElidedLabel, one_line, polish
from stepflow_gui.gui.panels.wrap_layout import WrapLayout
from stepflow_gui.gui.theme import Theme
from stepflow_gui.messages import _

_STEP = Qt.ItemDataRole.UserRole
_BOLD = QFont.Weight.DemiBold
_ROOM_FOR_TRACE = 480  # pixels of panel width


class Offer(NamedTuple):
    """Something the person may pick. `key` comes back with `chosen`; `primary` marks the usual one."""

    key: object
    label: str
    tip: str = ""
    primary: bool = False
    enabled: bool = True


class TraceRow(NamedTuple):
    """One line of the trace, `note` saying how the answer became a move."""

    number: int
    step: str
    answer: str
    result: str
    note: str = ""
    token: str = "text"


class Status(NamedTuple):
    """Where the run stands: a title, a line below it, and the colour token of the title."""

    title: str
    detail: str = ""
    token: str = "text"
    mono: bool = False


class RunPanel(QWidget):
    """Shows a run. It knows no machine: it is told what to show and says what was picked."""

    started = Signal(object)  # the picked entry's key
    chosen = Signal(object)  # an Offer's key
    back_wanted = Signal()
    restart_wanted = Signal()
    stop_wanted = Signal()
    step_picked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._theme = theme
        self._title = ElidedLabel("", ui_font(13, _BOLD))
        self._detail = QLabel()
        self._detail.setTextFormat(Qt.TextFormat.PlainText)
        self._detail.setWordWrap(True)
        self._detail.setProperty("muted", True)
        self._entries = QComboBox()
        self._offers = QWidget()
        self._offers.setObjectName("panel")
        self._offer_row = WrapLayout(self._offers)
        self._told = QCheckBox()
        self._start = _button("run", primary=True)
        self._back = _button("back")
        self._restart = _button("restart")
        self._stop = _button("stop")
        self._start.clicked.connect(lambda: self.started.emit(self._entries.currentData()))
        self._back.clicked.connect(self.back_wanted)
        self._restart.clicked.connect(self.restart_wanted)
        self._stop.clicked.connect(self.stop_wanted)
        self._trace = QTreeWidget()
        self._trace.setRootIsDecorated(False)
        self._trace.setUniformRowHeights(True)
        self._trace.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._trace.setColumnCount(3)
        self._trace.itemActivated.connect(lambda item: self.step_picked.emit(item.data(0, _STEP)))
        self._trace.itemClicked.connect(lambda item: self.step_picked.emit(item.data(0, _STEP)))
        self._trace.header().setStretchLastSection(False)
        for column, mode in enumerate((_FIT, _STRETCH, _STRETCH)):
            self._trace.header().setSectionResizeMode(column, mode)
        self._build()
        self.retranslate()
        self.set_theme(theme)

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        for button, text in (
            (self._start, _("Run by Hand")),
            (self._back, _("Step Back")),
            (self._restart, _("Restart")),
            (self._stop, _("Stop")),
        ):
            button.setAccessibleName(text)
            button.setToolTip(text)
        self._start.setText(_("Run by Hand"))
        self._entries.setAccessibleName(_("Entry to start at"))
        self._trace.setHeaderLabels(["#", _("Step"), _("Answer and where it led")])
        self._trace.setAccessibleName(_("Trace of the run"))
        self._title.setFont(ui_font(13, _BOLD))
        self._detail.setFont(ui_font(12))
        self._told.setFont(ui_font(12))

    def set_theme(self, theme: Theme) -> None:
        """Tint the icons."""
        self._theme = theme
        self._start.setIcon(theme.icon("run", "onmark"))
        self._back.setIcon(theme.icon("back", "accent"))
        self._restart.setIcon(theme.icon("restart", "accent"))
        self._stop.setIcon(theme.icon("stop", "accent"))

    def show_idle(self, status: Status, entries: Sequence[tuple[str, object]]) -> None:
        """No run: offer to start one at one of the entries (label, key)."""
        self._show_status(status)
        self._entries.clear()
        for label, key in entries:
            self._entries.addItem(one_line(label), key)
        self._entries.setVisible(len(entries) > 1)
        self._start.setVisible(True)
        self._start.setEnabled(bool(entries))
        for widget in (self._back, self._restart, self._stop, self._told):
            widget.setVisible(False)
        self._show_offers([])
        self.show_trace([])

    @property
    def told(self) -> bool:
        """Whether the person says that the outside's condition holds."""
        return self._told.isVisible() and self._told.isChecked()

    def show_run(self, status: Status, offers: Sequence[Offer], can_go_back: bool, told: str | None = None) -> None:
        """A run that waits for the person, or that has ended (then without offers).

        `told` labels a box to tick for what only the outside can say; None: there is no such thing.
        """
        self._told.setVisible(told is not None)
        self._told.setText(told or "")
        self._told.setChecked(False)
        self._show_status(status)
        self._entries.setVisible(False)
        self._start.setVisible(False)
        for button in (self._back, self._restart, self._stop):
            button.setVisible(True)
        self._back.setEnabled(can_go_back)
        self._show_offers(offers)

    def show_trace(self, rows: Sequence[TraceRow]) -> None:
        """The trace so far; only what is new is added."""
        while self._trace.topLevelItemCount() > len(rows):
            self._trace.takeTopLevelItem(self._trace.topLevelItemCount() - 1)
        for index, row in enumerate(rows):
            item = self._trace.topLevelItem(index)
            if item is None:
                item = QTreeWidgetItem(self._trace)
            self._fill(item, row)
        if rows:
            last = self._trace.topLevelItem(len(rows) - 1)
            if last is not None:
                self._trace.scrollToItem(last)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._trace.setVisible(self.width() >= _ROOM_FOR_TRACE)

    def focus_offers(self) -> None:
        """Put the keyboard on the first thing to pick."""
        first = self._offer_row.itemAt(0)
        widget = first.widget() if first else self._start
        if widget is not None and widget.isVisible():
            widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill(self, item: QTreeWidgetItem, row: TraceRow) -> None:
        texts = (str(row.number), one_line(row.step), one_line(f"{row.answer}  →  {row.result}"))
        for column, text in enumerate(texts):
            item.setText(column, text)
            item.setToolTip(column, row.note or text)
            item.setFont(column, mono_font(12) if column == 1 else ui_font(12))
        item.setForeground(2, QBrush(self._theme.color(row.token)))
        item.setData(0, _STEP, row.step)

    def _show_status(self, status: Status) -> None:
        self._title.setFont(mono_font(13, _BOLD) if status.mono else ui_font(13, _BOLD))
        self._title.show_whole(status.title)
        self._title.setProperty("token", status.token)
        polish(self._title)
        self._detail.setText(status.detail)
        self._detail.setVisible(bool(status.detail))

    def _show_offers(self, offers: Sequence[Offer]) -> None:
        had_focus = self._offers.isAncestorOf(self.focusWidget()) if self.focusWidget() else False
        while (item := self._offer_row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for offer in offers:
            button = _button(None, offer.primary)
            button.setText(one_line(offer.label).replace("&", "&&"))
            button.setToolTip(offer.tip)
            button.setEnabled(offer.enabled)
            button.clicked.connect(lambda _checked=False, key=offer.key: self.chosen.emit(key))
            self._offer_row.addWidget(button)
            button.show()
        self._offers.updateGeometry()
        if had_focus:
            self.focus_offers()

    def _build(self) -> None:
        beginning = QHBoxLayout()
        beginning.setSpacing(8)
        beginning.addWidget(self._entries)
        beginning.addWidget(self._start)
        beginning.addStretch(1)
        heading = QHBoxLayout()
        heading.setSpacing(6)
        heading.addWidget(self._title, 1)
        for button in (self._back, self._restart, self._stop):
            heading.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        left = QWidget()
        left.setObjectName("panel")
        column = QVBoxLayout(left)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addLayout(heading)
        column.addWidget(self._detail)
        column.addWidget(self._offers)
        column.addWidget(self._told)
        column.addLayout(beginning)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(left)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(scroll)
        split.addWidget(self._trace)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setHandleWidth(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(split)


_FIT = QHeaderView.ResizeMode.ResizeToContents
_STRETCH = QHeaderView.ResizeMode.Stretch


def _button(icon: str | None, primary: bool = False) -> QPushButton:
    button = QPushButton()
    button.setAutoDefault(True)  # Enter presses it, as Space does
    button.setProperty("primary", primary)
    button.setFont(ui_font(12, QFont.Weight.DemiBold))
    button.setIconSize(QSize(14, 14))
    if icon:
        button.setObjectName(f"run-{icon}-button")
    return button
