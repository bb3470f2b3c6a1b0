"""Paints the rows of what was found in files: a file with its count, a line with its match, or before and after."""

from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from stepflow_gui.gui.source.finding.search import Hit, filled
from stepflow_gui.gui.widgets.fields import one_line
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.text.source import Source

ROW = Qt.ItemDataRole.UserRole  # a HitRow, or a FileRow
_LEAD, _TAIL = 40, 120  # characters before and after a match that are shown where there is room
_LEAST, _AFTER = 3, 6  # and where there is little
_GAP = 6


class FileRow(NamedTuple):
    """A file: its name, where it is, how often it holds what is looked for."""

    name: str
    folder: str
    matches: int


class HitRow(NamedTuple):
    """A match in its line; `by` is what replaces it, None where nothing is replaced."""

    line: int
    before: str
    match: str
    after: str
    by: str | None = None

    @property
    def text(self) -> str:
        """The row as plain text."""
        becomes = f" → {self.before}{self.by}{self.after}" if self.by is not None else ""
        return f"{self.line}: {self.before}{self.match}{self.after}{becomes}"


def row_of(source: Source, hit: Hit, by: str | None, *, pattern: bool) -> HitRow:
    """The line of a match; `by` is what was written to replace it with, of a pattern with its groups."""
    line, column, _offset = source.position(hit.start)
    whole = source.line_text(line)
    start, length = column - 1, hit.end - hit.start
    before = whole[:start].lstrip()
    if len(before) > _LEAD:
        before = "…" + before[-_LEAD:]
    match = source.text[hit.start : hit.end]
    after = whole[start + length : start + length + _TAIL]
    becomes = by if by is None or not pattern else filled(by, hit.groups, match)
    shown = None if becomes is None else one_line(becomes)
    return HitRow(line, one_line(before), one_line(match), one_line(after), shown)


class HitDelegate(QStyledItemDelegate):
    """What goes is marked by a minus, what comes by a plus, never by colour alone."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row = index.data(ROW)
        lines = 2 if isinstance(row, HitRow) and row.by is not None else 1
        font = mono_font(11) if isinstance(row, HitRow) else ui_font(12)
        return QSize(80, QFontMetrics(font).height() * lines + 8)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ROW)
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        shown.text = ""
        style = shown.widget.style() if shown.widget is not None else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, shown, painter, shown.widget)
        area = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, shown, shown.widget).adjusted(2, 0, -2, 0)
        painter.save()
        painter.setClipRect(area)
        if isinstance(row, FileRow):
            self._file(painter, area, row)
        elif isinstance(row, HitRow):
            self._hit(painter, area, row)
        painter.restore()

    def _file(self, painter: QPainter, area: QRect, row: FileRow) -> None:
        count = str(row.matches)
        end = QFontMetrics(ui_font(11)).horizontalAdvance(count)
        self._write(painter, area.adjusted(area.width() - end, 0, 0, 0), count, ui_font(11), "muted")
        left = area.adjusted(0, 0, -end - _GAP, 0)
        taken = self._write(painter, left, row.name, ui_font(12, QFont.Weight.DemiBold), "text")
        self._write(painter, left.adjusted(taken + _GAP, 0, 0, 0), row.folder, ui_font(11), "muted")

    def _hit(self, painter: QPainter, area: QRect, row: HitRow) -> None:
        if row.by is None:
            self._line(painter, area, f"{row.line}", (row.before, row.match, row.after), "accent")
            return
        upper = QRect(area.left(), area.top() + 3, area.width(), area.height() // 2 - 3)
        self._line(painter, upper, "−", (row.before, row.match, row.after), "error")
        lower = upper.translated(0, upper.height())
        self._line(painter, lower, "+", (row.before, row.by, row.after), "closure")

    def _line(self, painter: QPainter, area: QRect, sign: str, parts: tuple[str, str, str], token: str) -> None:
        font = mono_font(11)
        metrics = QFontMetrics(font)
        left = area.left() + self._write(painter, area, sign, font, "muted") + _GAP
        room = area.right() - left - metrics.horizontalAdvance(parts[1] + parts[2][:_AFTER])
        narrow = max(room, metrics.horizontalAdvance("…" * _LEAST))
        parts = (metrics.elidedText(parts[0], Qt.TextElideMode.ElideLeft, narrow), *parts[1:])
        for part, marked in zip(parts, (False, True, False), strict=True):
            place = QRect(left, area.top(), max(0, area.right() - left), area.height())
            wide = min(metrics.horizontalAdvance(part), place.width())
            if marked and wide:
                high = metrics.height()
                ground = QRect(left, area.top() + (area.height() - high) // 2, wide, high)
                painter.fillRect(ground, self.theme.mix(token, "surface", 0.22))
            left += self._write(painter, place, part, font, "text")

    def _write(self, painter: QPainter, area: QRect, text: str, font: QFont, token: str) -> int:
        painter.setFont(font)
        painter.setPen(self.theme.color(token))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max(0, area.width()))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
        return painter.fontMetrics().horizontalAdvance(shown)
