"""A line above the canvas that says something and offers what to do, instead of a dialog."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from stepflow_gui.gui.fonts import ui_font
from stepflow_gui.gui.theme import Theme


class Banner(QWidget):
    """Hidden until `say` is called; each button hides it and calls its handler."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("banner")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._token = "info"
        self._icon = QLabel()
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._buttons: list[QPushButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 8, 12, 8)
        self._row.setSpacing(8)
        self._row.addWidget(self._icon, 0)
        self._row.addWidget(self._text, 1)
        self.hide()

    @property
    def text(self) -> str:
        """What the banner says."""
        return self._text.text()

    def say(self, token: str, text: str, offers: Sequence[tuple[str, Callable[[], object]]] = ()) -> None:
        """Show a text with an icon (`error`, `warning`, `info`) and buttons."""
        self._token = token
        self._text.setFont(ui_font(12))
        self._text.setText(text)
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = []
        for label, handler in offers:
            button = QPushButton(label)
            button.setAutoDefault(True)  # Enter presses it, as Space does
            button.setFont(ui_font(12))
            button.clicked.connect(lambda _checked=False, handler=handler: self._act(handler))
            self._row.addWidget(button, 0)
            self._buttons.append(button)
        self.set_theme(self._theme)
        self.show()

    def set_theme(self, theme: Theme) -> None:
        """Tint the icon."""
        self._theme = theme
        self._icon.setPixmap(theme.pixmap(self._token, self._token, 16, ratio=self.devicePixelRatioF()))

    def _act(self, handler: Callable[[], object]) -> None:
        self.hide()
        handler()
