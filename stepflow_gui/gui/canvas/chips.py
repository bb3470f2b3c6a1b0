"""The small texts that float over the canvas: the notice at its top and the hint at the pointer."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QWidget

from stepflow_gui.gui.fonts import ui_font
from stepflow_gui.gui.theme import Theme

_AWAY = 16  # of the hint from the pointer
_EDGE = 8


class Chip(QLabel):
    """One line on a plate; it takes no mouse events and no focus."""

    def __init__(self, over: QWidget, theme: Theme, token: str) -> None:
        super().__init__(over)
        self._over = over
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(ui_font(12))
        self.hide()
        self.set_look(theme, token)

    def set_look(self, theme: Theme, token: str) -> None:
        """The plate's border and text take a token's colour."""
        self.setStyleSheet(
            f"QLabel {{ background: {theme.hex('surface')}; color: {theme.hex('text')};"
            f" border: 1px solid {theme.hex(token)}; border-radius: 6px; padding: 4px 10px; }}"
        )

    def say(self, text: str) -> None:
        """Show a text, wrapped where the canvas is too narrow for one line; an empty one hides the chip."""
        if not text:
            self.hide()
            return
        room = self._over.width() - 2 * _EDGE
        self.setWordWrap(False)
        self.setMaximumWidth(16777215)
        self.setText(text)
        if self.sizeHint().width() > room:
            self.setWordWrap(True)
            self.setFixedWidth(max(room, 80))
            self.setFixedHeight(self.heightForWidth(self.width()))
        else:
            self.setFixedSize(self.sizeHint())
        self.show()
        self.raise_()

    def at_top(self) -> None:
        """Stand in the middle of the canvas's top."""
        over = self._over
        self.move(max(_EDGE, (over.width() - self.width()) // 2), _EDGE + 4)

    def at_pointer(self, where: QPoint) -> None:
        """Stand beside the pointer, inside the canvas."""
        over = self._over
        x = where.x() + _AWAY
        y = where.y() + _AWAY
        if x + self.width() > over.width() - _EDGE:
            x = where.x() - _AWAY - self.width()
        if y + self.height() > over.height() - _EDGE:
            y = where.y() - _AWAY - self.height()
        self.move(max(_EDGE, x), max(_EDGE, y))
