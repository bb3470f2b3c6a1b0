"""What pages of the run panel are made of: a page that scrolls where it is too low, lines of text that wrap whole."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget


class ScrolledPage(QScrollArea):
    """Holds parts in a column; where there is too little height for the least that each needs, they scroll."""

    def __init__(self) -> None:
        super().__init__()
        body = QWidget()
        body.setObjectName("panel")
        self.setWidget(body)  # before it is filled: under a style sheet whatever moves is dressed again, with all in it
        self.column = QVBoxLayout(body)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its parts have it
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


def read_text(least: int) -> QPlainTextEdit:
    """A text to read, from which Tab moves on, at least so many pixels high."""
    text = QPlainTextEdit()
    text.setReadOnly(True)
    text.setObjectName("explanation")
    text.setTabChangesFocus(True)
    text.setMinimumHeight(least)
    return text


class WrappedLine(QLabel):
    """Quiet plain text that is as high as its words need in the width that it has, whatever is below."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setProperty("muted", True)
        self.setContentsMargins(12, 6, 12, 6)
        policy = self.sizePolicy()
        policy.setHeightForWidth(False)  # a layout would give it less
        self.setSizePolicy(policy)

    def show_text(self, text: str) -> None:
        """Show another text."""
        self.setText(text)
        self._take_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._take_height()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._take_height()

    def _take_height(self) -> None:
        wanted = self.heightForWidth(self.width())
        if wanted > 0 and wanted != self.minimumHeight():
            self.setFixedHeight(wanted)
