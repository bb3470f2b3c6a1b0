"""One finding in the inspector: its words, and by mouse and keyboard what can be done about it."""

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy

from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.problem import Problem
from stepflow_gui.messages import _

_PAGES = {Qt.Key.Key_F1: "rule", Qt.Key.Key_Space: "fix"}
_OPENING = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Menu}


def wrapped_label(font: QFont, label: QLabel | None = None) -> QLabel:
    """A label of plain words that takes the width it gets."""
    label = label or QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setFont(font)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return label


class FindingLine(QLabel):
    """A click, Enter or the menu key ask for a menu, as Ctrl+. does; Space asks for the fix, F1 for the rule.

    `menu_asked(problem, point)` and `page_asked(problem, page)`; the point is one of the screen.
    """

    menu_asked = Signal(object, object)
    page_asked = Signal(object, str)

    def __init__(self) -> None:
        super().__init__()
        wrapped_label(ui_font(12), self)
        self.setContentsMargins(4, 2, 4, 2)  # room for the mark of the keyboard
        self._problem: Problem | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_finding(self, problem: Problem) -> None:
        """Show the linter's finding."""
        self._problem = problem
        self.setText(problem.text)
        self.setAccessibleName(problem.text)
        self.setToolTip(_("Show fixes"))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._ask_menu(event.globalPosition().toPoint())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        self._ask_menu(event.globalPos() if by_mouse else self._corner())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        with_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in _OPENING or (key == Qt.Key.Key_Period and with_control):
            self._ask_menu(self._corner())
        elif key in _PAGES and self._problem is not None:
            self.page_asked.emit(self._problem, _PAGES[key])
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self.palette().highlight().color(), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)

    def _corner(self) -> QPoint:
        return self.mapToGlobal(self.rect().bottomLeft())

    def _ask_menu(self, point: QPoint) -> None:
        if self._problem is not None:
            self.menu_asked.emit(self._problem, point)
