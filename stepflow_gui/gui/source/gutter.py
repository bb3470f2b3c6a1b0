"""The source editor's left margin: line numbers, findings, folds, the lines of the selected step."""

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QTextBlock, QTextCursor
from PySide6.QtWidgets import QWidget

from stepflow_gui.gui.source.editor import SourceEditor

_LEFT = 16  # pixels: room for a finding's dot
_RIGHT = 26  # the sign of a fold, the step's bar and the gap before the text
_SIGN = 17  # pixels from the right edge to the middle of the sign of a fold


class Gutter(QWidget):
    """Painted beside the editor's viewport; a click takes the line, or folds at the sign beside its number."""

    def __init__(self, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._hovered = False
        self.setCursor(Qt.CursorShape.ArrowCursor)
        editor.blockCountChanged.connect(self._fit)
        editor.updateRequest.connect(self._scrolled)
        editor.resized.connect(self._fit)
        editor.marked.connect(self.update)
        editor.folding.changed.connect(editor.refresh)
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
            self._paint_fold(painter, block, QRectF(self.width() - _SIGN - 4, top + line / 2 - 4, 8, 8))
            if number in worst:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color(worst[number]))
                painter.drawEllipse(QRectF(5, top + line / 2 - 3, 6, 6))
        painter.end()

    def _paint_fold(self, painter: QPainter, block: QTextBlock, box: QRectF) -> None:
        # What can be folded shows it under the mouse, what is folded always.
        folded = self._editor.folding.is_folded(block)
        if not folded and not (self._hovered and self._editor.folding.can_fold(block)):
            return
        across = [box.topLeft(), QPointF(box.right() - 2, box.center().y()), box.bottomLeft()]
        down = [box.topLeft(), QPointF(box.center().x(), box.bottom() - 2), box.topRight()]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._editor.theme.color("accent" if folded else "muted"), 1.5))
        painter.drawPolyline(across if folded else down)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hover(over=True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(over=False)
        super().leaveEvent(event)

    def _hover(self, *, over: bool) -> None:
        self._hovered = over
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cursor = self._editor.cursorForPosition(QPoint(0, round(event.position().y())))
        folding, block = self._editor.folding, cursor.block()
        if event.position().x() >= self.width() - _RIGHT and (folding.is_folded(block) or folding.can_fold(block)):
            folding.toggle(block)
            return
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
