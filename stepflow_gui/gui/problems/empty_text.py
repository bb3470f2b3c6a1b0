"""The text of the problems panel when its list is empty."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme


class EmptyPage(QWidget):
    """A few words in the middle, with a check mark where all is well."""

    def __init__(self) -> None:
        super().__init__()
        self.icon = QLabel()
        self.text = QLabel()
        self.text.setProperty("muted", True)
        self.text.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addStretch(1)
        for label in (self.icon, self.text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label)
        column.addStretch(1)

    def show_text(self, text: str, theme: Theme, well: bool) -> None:
        """Show the words."""
        self.text.setFont(ui_font(13))
        self.text.setText(text)
        self.icon.setPixmap(theme.pixmap("check", "closure", 28, ratio=self.devicePixelRatioF()))
        self.icon.setVisible(well)
