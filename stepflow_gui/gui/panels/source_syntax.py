"""Colours JSON in the source editor, only in the lines that can be seen."""

from collections.abc import Iterator

from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextDocument, QTextLayout

from stepflow_gui.gui.panels.source_lexer import Role, parts
from stepflow_gui.gui.panels.source_mapping import units
from stepflow_gui.gui.theme import Theme

# A token and how much of it there is in the text's own colour: calm, and unlike the colours of the step kinds.
_TINTS: dict[Role, tuple[str, float]] = {
    "key": ("text", 1.0),
    "string": ("work", 0.75),
    "number": ("accent", 0.8),
    "word": ("accent", 0.8),
    "bracket": ("muted", 1.0),
    "comment": ("muted", 1.0),
}
_PLAIN = -1  # Qt's state of a block that nobody has looked at


class Colours:
    """Gives blocks their colours once; a block that changed is given to `forget` first."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        self.working = False  # Qt tells of new colours as of new text: whoever listens looks here
        self._document = document
        self._round = 0  # the state of blocks that have the colours of this theme
        self._formats: dict[Role, QTextCharFormat] = {}
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme; every block is coloured again when it is next seen."""
        self._round += 1
        for role, (token, share) in _TINTS.items():
            form = QTextCharFormat()
            form.setForeground(theme.mix(token, "text", share))
            form.setFontItalic(role == "comment")
            self._formats[role] = form

    def forget(self, position: int, length: int) -> None:
        """The text from a position on changed."""
        block = self._document.findBlock(position)
        while block.isValid() and block.position() <= position + length:
            block.setUserState(_PLAIN)
            block = block.next()

    def show(self, first: QTextBlock, count: int) -> None:
        """Colour so many blocks, where they aren't yet."""
        self.working = True
        block = first
        for _line in range(count):
            if not block.isValid():
                break
            if block.userState() != self._round:
                block.setUserState(self._round)
                block.layout().setFormats(list(self._ranges(block.text())))
                self._document.markContentsDirty(block.position(), block.length())
            block = block.next()
        self.working = False

    def _ranges(self, line: str) -> Iterator[QTextLayout.FormatRange]:
        wide = not line.isascii()
        for part in parts(line):
            found = QTextLayout.FormatRange()
            found.start = units(line[: part.start]) if wide else part.start
            found.length = units(line[part.start : part.end]) if wide else part.end - part.start
            found.format = self._formats[part.role]
            yield found
