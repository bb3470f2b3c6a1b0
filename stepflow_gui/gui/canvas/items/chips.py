"""The small texts that float over the canvas: the notice at its top and the hint at the pointer."""

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme

_AWAY = 16  # of the hint from the pointer
_EDGE = 8
_WIDEST = 420
_PAD_X, _PAD_Y = 10, 5


class Chip(QWidget):
    """A short text on a plate; it takes no mouse events and no focus."""

    def __init__(self, over: QWidget, theme: Theme, token: str) -> None:
        super().__init__(over)
        self._over = over
        self._theme = theme
        self._token = token
        self.text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFont(ui_font(12))
        self.hide()

    def set_look(self, theme: Theme, token: str) -> None:
        """The plate's border takes a token's colour."""
        if (theme, token) != (self._theme, self._token):
            self._theme, self._token = theme, token
            self.update()

    def show_text(self, text: str) -> None:
        """Show a text, wrapped where it is long or the canvas narrow; an empty one hides the chip."""
        if not text:
            self.hide()
            return
        if text != self.text:
            self.text = text
            self.setAccessibleName(text)
            self.update()
        self._fit()
        self.show()
        self.raise_()

    def at_top(self) -> None:
        """Place it in the middle of the canvas's top."""
        if self.isVisible():
            self._fit()
        self.move(max(_EDGE, (self._over.width() - self.width()) // 2), _EDGE + 4)

    def at_pointer(self, where: QPoint) -> None:
        """Place it beside the pointer, inside the canvas."""
        x = where.x() + _AWAY
        y = where.y() + _AWAY
        if x + self.width() > self._over.width() - _EDGE:
            x = where.x() - _AWAY - self.width()
        if y + self.height() > self._over.height() - _EDGE:
            y = where.y() - _AWAY - self.height()
        self.move(max(_EDGE, x), max(_EDGE, y))

    def at_field(self, field: QRect) -> None:
        """Place it below a field, or above it where there is no room below."""
        y = field.bottom() + _EDGE
        if y + self.height() > self._over.height() - _EDGE:
            y = field.top() - _EDGE - self.height()
        self.move(max(_EDGE, min(field.left(), self._over.width() - _EDGE - self.width())), max(_EDGE, y))

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color(self._token), 1))
        painter.setBrush(self._theme.color("surface"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setPen(self._theme.color("text"))
        painter.drawText(self.rect().adjusted(_PAD_X, _PAD_Y, -_PAD_X, -_PAD_Y), int(_FLAGS), self.text)
        painter.end()

    def _fit(self) -> None:
        room = max(80, min(_WIDEST, self._over.width() - 2 * _EDGE) - 2 * _PAD_X)
        size = QFontMetrics(self.font()).boundingRect(QRect(0, 0, room, 1000), int(_FLAGS), self.text).size()
        self.resize(size + QSize(2 * _PAD_X + 2, 2 * _PAD_Y))


_FLAGS = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignCenter
