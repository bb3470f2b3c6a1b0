"""A source panel in a shown window, and hands for it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.source.panel import SourcePanel
from stepflow_gui.text.source import Source

CTRL = Qt.KeyboardModifier.ControlModifier
SMALL = '{\n  "steps": {\n    "initial.a": {"name": "A"},\n    "initial.b": {"name": "語🙂"}\n  }\n}\n'


class Bench:
    """A panel in a shown window, with the document it shows."""

    def __init__(self, document: Document, panel: SourcePanel) -> None:
        self.document = document
        self.panel = panel
        self.editor = panel.editor

    @property
    def text(self) -> str:
        source = self.document.source()
        assert isinstance(source, Source)
        return source.text

    def put_caret(self, offset: int, to: int | None = None) -> None:
        cursor = self.editor.textCursor()
        cursor.setPosition(self.editor.mapping.position(offset))
        if to is not None:
            cursor.setPosition(self.editor.mapping.position(to), QTextCursor.MoveMode.KeepAnchor)
        self.editor.setTextCursor(cursor)

    def type(self, text: str) -> None:
        QTest.keyClicks(self.editor, text)

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.editor, key, modifiers)

    def compose(self, preedit: str, commit: str = "") -> None:
        event = QInputMethodEvent(preedit, [])
        event.setCommitString(commit)
        QApplication.sendEvent(self.editor, event)

    def check(self) -> None:
        """The editor shows the document's text."""
        assert self.editor.mapping.source.text == self.text
        assert self.editor.mapping.in_step()
