"""Several lines to type in; entered by Enter or by leaving them, Shift+Enter begins a line."""

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPaintEvent

from stepflow_gui.gui.inspector.form_line_edit import asks_for_history, hatch
from stepflow_gui.gui.widgets.editors import TextBox


class FormTextEdit(TextBox):
    """`entered` is emitted with a text that differs from the one shown. Escape brings that one back."""

    entered = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""
        self.hatched = False  # it stands for values that differ
        self.setAcceptDrops(False)  # as FormLineEdit

    def show_file(self, text: str) -> None:
        """Show the file's text; what is being typed stays unless the file changed."""
        if text != self._shown or not self.pending:
            self._shown = text
            self.show_text(text)

    @property
    def pending(self) -> bool:
        """Whether something is typed that wasn't entered."""
        return self.toPlainText() != self._shown and not self.isReadOnly()

    def restore(self) -> None:
        """Show the file's text again."""
        self.show_text(self._shown)

    def enter(self) -> None:
        """Enter what is typed."""
        if self.pending:
            self.entered.emit(self.toPlainText())

    def event(self, event: QEvent) -> bool:
        if asks_for_history(event) and not self.pending:
            event.ignore()
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hatched and not self.hasFocus() and not self.toPlainText():
            hatch(self.viewport(), QRectF(self.viewport().rect()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Escape and self.pending:
            self.restore()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not shift:
            self.enter()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.enter()
