"""Small read-only parts of panels: elided values, links, field rows."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from stepflow_gui.gui.widgets.fonts import mono_font, ui_font


class ElidedLabel(QLabel):
    """One line that is cut in the middle where it doesn't fit; the tool tip holds it whole."""

    def __init__(self, text: str, font: QFont, mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle) -> None:
        super().__init__()
        self._mode = mode
        self._whole = one_line(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(font)
        self.setMinimumWidth(24)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self._whole)
        self._elide()

    def show_whole(self, text: str) -> None:
        """Show another text."""
        self._whole = one_line(text)
        self.setAccessibleName(self._whole)
        self.updateGeometry()
        self._elide()

    @property
    def whole(self) -> str:
        """The text before it was cut."""
        return self._whole

    def sizeHint(self) -> QSize:
        """As wide as the whole text."""
        hint = super().sizeHint()
        margins = self.contentsMargins()
        width = self.fontMetrics().horizontalAdvance(self._whole) + margins.left() + margins.right() + 20
        return QSize(width, hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut again for the new width."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = self.contentsRect().width() - (18 if self.objectName() == "fieldBox" else 2)
        shown = self.fontMetrics().elidedText(self._whole, self._mode, max(room, 12))
        if shown != self.text():
            self.setText(shown)
        self.setToolTip(self._whole if shown != self._whole else "")


class LinkLabel(ElidedLabel):
    """A value with a target: a click, Enter or Space emits `followed` with it."""

    followed = Signal(object)

    def __init__(self, text: str, goal: str, font: QFont) -> None:
        super().__init__(text, font)
        self._goal = goal
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("link", True)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Follow."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.followed.emit(self._goal)
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Follow by key."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.followed.emit(self._goal)
        else:
            super().keyPressEvent(event)


_WIDEST_KEY = 130  # px; a rule's condition can be a whole sentence


class FieldRows(QWidget):
    """Rows of a key and its value, the keys in one column."""

    followed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnMinimumWidth(0, 100)
        self._grid.setColumnStretch(1, 1)

    def add(self, key: str, value: str, goal: str | None = None, mono: bool = True) -> None:
        """A row; with a `goal` the value is a link that emits it."""
        row = self._grid.rowCount()
        label = QLabel()
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setFont(ui_font(12))
        shown = label.fontMetrics().elidedText(one_line(key), Qt.TextElideMode.ElideMiddle, _WIDEST_KEY)
        label.setText(shown)
        label.setToolTip(key if shown != key else "")
        label.setProperty("muted", True)
        font = mono_font(12) if mono else ui_font(12)
        box: ElidedLabel
        if goal is None:
            box = ElidedLabel(value, font)
        else:
            link = LinkLabel(value, goal, font)
            link.followed.connect(self.followed)
            box = link
        box.setObjectName("fieldBox")
        box.setAccessibleName(f"{key}: {one_line(value)}")
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(box, row, 1)


def one_line(text: str) -> str:
    """A text of the file made fit for one line: control characters as their pictures."""
    if text.isprintable():
        return text
    return "".join(chr(0x2400 + ord(char)) if ord(char) < 32 else char for char in text)


def polish(widget: QWidget) -> None:
    """Apply the style sheet again after a property changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()
