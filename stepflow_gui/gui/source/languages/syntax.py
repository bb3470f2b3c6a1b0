"""Colours the text of the source editor, only in the lines that can be seen."""

from collections.abc import Iterator

from PySide6.QtGui import QFont, QTextBlock, QTextCharFormat, QTextDocument, QTextLayout

from stepflow_gui.gui.source.languages.json_lexer import STATES, Lex, Role, json_parts, schema_parts
from stepflow_gui.gui.source.mapping import units
from stepflow_gui.gui.widgets.theme import Theme

# A token and how much of it there is in the text's own colour: calm, and unlike the colours of the step kinds.
TINTS: dict[Role, tuple[str, float]] = {
    "key": ("text", 1.0),
    "keyword": ("muted", 1.0),
    "string": ("work", 0.75),
    "number": ("accent", 0.8),
    "word": ("accent", 0.8),
    "bracket": ("muted", 1.0),
    "comment": ("muted", 1.0),
    "heading": ("text", 1.0),
    "mark": ("muted", 1.0),
    "code": ("work", 0.75),
    "variable": ("accent", 1.0),
    "strong": ("text", 1.0),
}
_BOLD: frozenset[Role] = frozenset({"heading", "strong"})
_BY_LINE = (json_parts, schema_parts)  # in which no line leaves anything open
_PLAIN = -1  # Qt's state of a block that wasn't examined yet


class Colours:
    """Gives blocks their colours once; a block that changed is given to `forget` first."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        self.working = False  # Qt reports new colours like new text: listeners check this flag
        self._document = document
        self._lex: Lex = json_parts
        self._round = 0  # counts the themes and languages: colours of an older one are made again
        self._open = [0]  # what is open before each block, from the first on, as far as somebody has looked
        self._formats: dict[Role, QTextCharFormat] = {}
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme; every block is coloured again when it is next seen."""
        self._round += 1
        for role, (token, share) in TINTS.items():
            form = QTextCharFormat()
            form.setForeground(theme.mix(token, "text", share))
            form.setFontItalic(role == "comment")
            if role in _BOLD:
                form.setFontWeight(QFont.Weight.DemiBold)
            self._formats[role] = form

    def set_language(self, lex: Lex) -> None:
        """Read the text as another language; every block is coloured again when it is next seen."""
        self._round += 1
        self._lex = lex
        self._open = [0]

    def forget(self, position: int, length: int) -> None:
        """The text from a position on changed."""
        block = self._document.findBlock(position)
        del self._open[block.blockNumber() + 1 :]
        while block.isValid() and block.position() <= position + length:
            block.setUserState(_PLAIN)
            block = block.next()

    def show(self, first: QTextBlock, count: int) -> None:
        """Colour so many blocks that aren't folded away, where they aren't yet."""
        self.working = True
        block = first
        while block.isValid() and count > 0:
            if not block.isVisible():
                block = block.next()
                continue
            count -= 1
            is_open = self._open_before(block)
            state = self._round * STATES + is_open
            if block.userState() != state:
                block.setUserState(state)
                block.layout().setFormats(list(self._ranges(block.text(), is_open)))
                self._document.markContentsDirty(block.position(), block.length())
            block = block.next()
        self.working = False

    def _open_before(self, block: QTextBlock) -> int:
        number = block.blockNumber()
        if self._lex in _BY_LINE:
            return 0
        if number >= len(self._open):
            above = self._document.findBlockByNumber(len(self._open) - 1)
            while len(self._open) <= number:
                self._open.append(self._lex(above.text(), self._open[-1])[1])
                above = above.next()
        return self._open[number]

    def _ranges(self, line: str, is_open: int) -> Iterator[QTextLayout.FormatRange]:
        wide = not line.isascii()
        for part in self._lex(line, is_open)[0]:
            found = QTextLayout.FormatRange()
            found.start = units(line[: part.start]) if wide else part.start
            found.length = units(line[part.start : part.end]) if wide else part.end - part.start
            found.format = self._formats[part.role]
            yield found
