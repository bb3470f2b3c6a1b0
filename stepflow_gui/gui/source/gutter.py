"""The source editor's left margin: line numbers, findings, the lines of the selected step."""

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QTextCursor
from PySide6.QtWidgets import QWidget

from stepflow_gui.gui.source.editor import SourceEditor

_LEFT = 16  # pixels: room for a finding's dot
_RIGHT = 14  # the step's bar and the gap before the text


class Gutter(QWidget):
    """Painted beside the editor's viewport; clicking it takes the line."""

    def __init__(self, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self.setCursor(Qt.CursorShape.ArrowCursor)
        editor.blockCountChanged.connect(self._fit)
        editor.updateRequest.connect(self._scrolled)
        editor.resized.connect(self._fit)
        editor.marked.connect(self.update)
        self._fit()

    def sizeHint(self) -> QSize:
        digits = max(3, len(str(self._editor.blockCount())))
        return QSize(_LEFT + self._editor.fontMetrics().horizontalAdvance("9") * digits + _RIGHT, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        editor, theme = self._editor, self._editor.theme
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme.color("canvas"))
        painter.setFont(editor.font())
        current = editor.textCursor().blockNumber()
        step = editor.step_lines
        worst = editor.line_severities()
        for block, top, height in editor.visible_lines():
            if top > event.rect().bottom():
                break
            number = block.blockNumber()
            painter.setPen(theme.color("text" if number == current else "muted"))
            line = min(height, editor.fontMetrics().lineSpacing())  # the first, where a long one goes on in the next
            box = QRectF(0, top, self.width() - _RIGHT, line)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number + 1))
            if step is not None and step[0] <= number <= step[1]:
                painter.fillRect(QRectF(self.width() - 8, top, 2, height), theme.color("accent"))
            if number in worst:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color(worst[number]))
                painter.drawEllipse(QRectF(5, top + line / 2 - 3, 6, 6))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cursor = self._editor.cursorForPosition(QPoint(0, round(event.position().y())))
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock)
        cursor.movePosition(QTextCursor.MoveOperation.NextBlock, QTextCursor.MoveMode.KeepAnchor)
        self._editor.setTextCursor(cursor)

    def _fit(self, _count: int = 0) -> None:
        width = self.sizeHint().width()
        inside = self._editor.contentsRect()
        self._editor.set_margin(width)
        self.setGeometry(QRect(inside.left(), inside.top(), width, inside.height()))

    def _scrolled(self, area: QRect, by: int) -> None:
        if by:
            self.scroll(0, by)
        else:
            self.update(0, area.y(), self.width(), area.height())
