"""A sentence that wraps where there is room for it, and else is cut to one line with the whole as its tool tip."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from stepflow_gui.gui.widgets.fields import polish
from stepflow_gui.gui.widgets.fonts import ui_font


class Sentence(QLabel):
    """Empty sentences aren't seen."""

    def __init__(self) -> None:
        super().__init__()
        self._whole = ""
        self._short = False
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setMinimumWidth(40)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setFont(ui_font(12))
        self.hide()

    @property
    def whole(self) -> str:
        """The sentence before it was cut."""
        return self._whole

    def show_text(self, text: str, token: str, more: str = "") -> None:
        """Show a text in the colour of a token; `more` is shown on hover."""
        self._whole = text
        self.setToolTip("\n".join(part for part in (text, more) if part))
        self.setAccessibleName(text)
        if self.property("token") != token:
            self.setProperty("token", token)
            polish(self)
        self._fit()

    def be_short(self, short: bool) -> None:
        """Keep to one line."""
        if short != self._short:
            self._short = short
            self.setWordWrap(not short)
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().minimumSizeHint().height())

    def _fit(self) -> None:
        text = self._whole
        if self._short:
            line = " ".join(text.split("\n"))
            text = self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, max(self.width(), 40))
        if text != self.text():
            self.setText(text)
