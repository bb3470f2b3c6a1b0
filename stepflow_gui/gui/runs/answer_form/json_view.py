"""The JSON view of an answer: the same text as the form makes, coloured, with what is wrong in it below."""

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from stepflow_gui.gui.source.languages.syntax import Colours
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _


class JsonText(QPlainTextEdit):
    """The text. Only what can be seen is coloured."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("answerText")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.setFont(mono_font(12))
        self.colours = Colours(self.document(), theme)
        self.document().contentsChange.connect(self._changed)
        self.updateRequest.connect(lambda *_args: self._colour())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._colour()

    def _changed(self, position: int, _removed: int, added: int) -> None:
        if not self.colours.working:
            self.colours.forget(position, added)

    def _colour(self) -> None:
        lines = self.viewport().height() // max(self.fontMetrics().lineSpacing(), 1) + 2
        self.colours.show(self.firstVisibleBlock(), lines)


class JsonView(QWidget):
    """`written` is emitted with what a person typed."""

    written = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.editor = JsonText(theme)
        self._problem = QLabel()
        self._problem.setWordWrap(True)
        self._problem.setFont(ui_font(11))
        self._problem.setProperty("token", "error")
        self._problem.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.editor, 1)
        column.addWidget(self._problem)
        self.editor.textChanged.connect(self._typed)
        self.retranslate()

    def retranslate(self) -> None:
        """Name it in the language in use."""
        self.editor.setAccessibleName(_("Answer as JSON"))
        self.editor.setFont(mono_font(12))

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.editor.colours.set_theme(theme)
        self.editor.viewport().update()

    def show_text(self, text: str, problem: str) -> None:
        """Show a text, the cursor staying where it is if it is the same, and why it is not JSON."""
        if text != self.editor.toPlainText():
            bar = self.editor.verticalScrollBar().value()
            with QSignalBlocker(self.editor):
                self.editor.setPlainText(text)
            self.editor.verticalScrollBar().setValue(bar)
            QTimer.singleShot(0, self.editor.viewport(), self.editor.viewport().update)
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self.editor.setAccessibleDescription(problem)

    def _typed(self) -> None:
        if not self.editor.colours.working:
            self.written.emit(self.editor.toPlainText())
