"""The frame of what pops up over the window and asks for something: Escape or a click elsewhere closes it."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QMainWindow, QWidget


def main_window_of(widget: QWidget) -> QWidget:
    """What popups and dialogs over a widget belong to: the window or tab that has its look, not the shell of tabs."""
    around = widget
    while not isinstance(around, QMainWindow) and (parent := around.parentWidget()) is not None:
        around = parent
    return around


class Popup(QFrame):
    """Deletes itself when it is closed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("popup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def show_at(self, at: QPoint) -> None:
        """Show it at a global point, moved so that all of it is on the screen."""
        self.adjustSize()
        screen = self.screen().availableGeometry()
        left = max(screen.left(), min(at.x(), screen.right() - self.width()))
        top = max(screen.top(), min(at.y(), screen.bottom() - self.height()))
        self.move(left, top)
        self.show()

    def show_for(self, field: QLineEdit, at: QPoint) -> None:
        """As `show_at`, with a field of it ready to be typed over."""
        self.show_at(at)
        field.setFocus(Qt.FocusReason.PopupFocusReason)
        field.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)
