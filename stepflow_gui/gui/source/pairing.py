"""What the keys of brackets and quotes do in a document: halves that come along, are stepped over, go together."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor

from stepflow_gui.gui.source.languages.json_lexer import no_parts
from stepflow_gui.gui.source.languages.pairs import Pairs

_MOST = 20  # closing halves that are remembered


class Pairing:
    """Remembers which closing halves came along, so only those are stepped over."""

    def __init__(self) -> None:
        self.pairs = Pairs(no_parts)
        self._closing: list[QTextCursor] = []

    def forget(self) -> None:
        """Another text is there."""
        self._closing = []

    def typed(self, event: QKeyEvent, cursor: QTextCursor) -> bool:
        """Do what a key does to pairs; the cursor is where the caret goes then. False where it does nothing."""
        if cursor.hasSelection():
            return False
        line = cursor.block().text()
        column = _code_points(line, cursor.positionInBlock())
        if event.key() == Qt.Key.Key_Backspace:
            return not event.modifiers() and self._erased(line, column, cursor)
        if len(event.text()) != 1:
            return False
        ours = [each for each in self._closing if each.position() == cursor.position()]
        found = self.pairs.typed(event.text(), line, column, closed_here=bool(ours))
        if found.does == "skip":
            self._closing = [each for each in self._closing if each not in ours]
            cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
        elif found.does == "close":
            cursor.insertText(found.text)
            cursor.setPosition(cursor.position() - 1)
            self._closing = [*self._closing[-_MOST:], QTextCursor(cursor)]
        return found.does != "nothing"

    def _erased(self, line: str, column: int, cursor: QTextCursor) -> bool:
        if not self.pairs.erased(line, column):
            return False
        cursor.setPosition(cursor.position() - 1)
        cursor.setPosition(cursor.position() + 2, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        return True


def _code_points(line: str, position: int) -> int:
    """The column of a position of a block, which counts UTF-16 units."""
    if line.isascii():
        return position
    return len(line.encode("utf-16-le", "surrogatepass")[: 2 * position].decode("utf-16-le", "surrogatepass"))
