"""The find bar of the source panel."""

import re
from bisect import bisect_left

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from stepflow_gui.gui.fonts import mono_font, ui_font
from stepflow_gui.gui.theme import Theme
from stepflow_gui.messages import _
from stepflow_gui.text.source import Span

_MOST = 10_000  # hits that are counted


class FindBar(QWidget):
    """Finds a text in the source, whatever its case. `found` is emitted with the Span to show, `closed` on Escape."""

    found = Signal(object)
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._text = ""
        self._hits: list[Span] = []
        self._from = 0
        self.field = QLineEdit()
        self.field.textChanged.connect(self._search)
        self._count = QLabel()
        self._count.setProperty("muted", True)
        self._back = self._button(Qt.ArrowType.UpArrow)
        self._back.clicked.connect(lambda: self.step(-1))
        self._forth = self._button(Qt.ArrowType.DownArrow)
        self._forth.clicked.connect(lambda: self.step(1))
        self._close = self._button(Qt.ArrowType.NoArrow)
        self._close.clicked.connect(self.closed)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 12, 6)
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        row.addWidget(self._count)
        row.addWidget(self._back)
        row.addWidget(self._forth)
        row.addWidget(self._close)
        self.set_theme(theme)
        self.retranslate()

    def retranslate(self) -> None:
        """Show the bar in the language in use."""
        self.field.setPlaceholderText(_("Find in the source"))
        self.field.setAccessibleName(_("Find in the source"))
        self.field.setFont(mono_font(12))
        self._count.setFont(ui_font(11))
        for button, name in (
            (self._back, _("Previous match")),
            (self._forth, _("Next match")),
            (self._close, _("Close the find bar")),
        ):
            button.setToolTip(name)
            button.setAccessibleName(name)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._close.setIcon(theme.icon("close", "muted"))

    def open(self, text: str, start: int, wanted: str) -> None:
        """Search `text` from an offset on, for `wanted` where that is given."""
        self._text, self._from = text, start
        if wanted and wanted != self.field.text():
            self.field.setText(wanted)
        else:
            self._search()
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def set_text(self, text: str) -> None:
        """The text changed while the bar is open."""
        self._text = text
        self._hits = self._all()
        self._show_count(None)

    def step(self, by: int) -> None:
        """Go to the next (1) or the previous (-1) hit, round the ends."""
        if not self._hits:
            return
        at = bisect_left(self._hits, Span(self._from, 0))
        here = at < len(self._hits) and self._hits[at].start == self._from
        self._go((at + (by if here or by < 0 else 0)) % len(self._hits))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)

    def _search(self) -> None:
        self._hits = self._all()
        if self._hits:
            self._go(bisect_left(self._hits, Span(self._from, 0)) % len(self._hits))
        else:
            self._show_count(None)

    def _all(self) -> list[Span]:
        wanted = self.field.text()
        hits: list[Span] = []
        for match in re.finditer(re.escape(wanted), self._text, re.IGNORECASE) if wanted else ():
            hits.append(Span(*match.span()))
            if len(hits) == _MOST:
                break
        return hits

    def _go(self, index: int) -> None:
        hit = self._hits[index]
        self._from = hit.start
        self._show_count(index)
        self.found.emit(hit)

    def _show_count(self, index: int | None) -> None:
        if not self.field.text():
            self._count.setText("")
        elif not self._hits:
            self._count.setText(_("no match"))
        elif index is None:
            self._count.setText(str(len(self._hits)))
        else:
            self._count.setText(_("{number} of {count}").format(number=index + 1, count=len(self._hits)))
        for button in (self._back, self._forth):
            button.setEnabled(bool(self._hits))

    def _button(self, arrow: Qt.ArrowType) -> QToolButton:
        button = QToolButton()
        button.setArrowType(arrow)
        button.setAutoRaise(True)
        return button
