"""Between a file's text and the Qt document that shows it: offsets, line ends, what Qt can't show, and from when on.

Qt counts UTF-16 units and ends a line with one sign whatever the file has there; a file's text counts code points and
keeps CRLF. The document holds the `shown` form of the text, so both have the same lines.
"""

from PySide6.QtGui import QShowEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit

from stepflow_gui.text.edit import TextEdit, difference
from stepflow_gui.text.source import Source

LONGEST = 60_000  # characters: a key in such a line takes Qt about 15 ms, in one of a million 240 (measured)
_LARGE = 100_000  # characters, from which on laying a text out holds the window up
_KEPT = 10_000  # characters of a longer line that are shown
_MORE = "…"
# What Qt would treat as the end of a block or a frame, and the character shown for it in the window.
_STAND_INS = str.maketrans(
    {"\u2028": "\u2424", "\u2029": "\u2424", "\ufdd0": "\ufffd", "\ufdd1": "\ufffd", "\0": "\u2400"}
)


def shown(text: str) -> str:
    """A text as the document holds it: as many code points, but for CRLF, which is one there."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.translate(_STAND_INS) if not text.isascii() or "\0" in text else text


def has_long_line(text: str) -> bool:
    """Whether a line of a text is too long to be laid out between two keys."""
    at = 0
    while at + LONGEST < len(text):
        end = max(text.rfind("\n", at, at + LONGEST + 1), text.rfind("\r", at, at + LONGEST + 1))
        if end < 0:
            return True
        at = end + 1
    return False


def cut(text: str) -> str:
    """A shown text with the beginnings of lines that are too long."""
    if not has_long_line(text):
        return text
    return "\n".join(line if len(line) <= LONGEST else line[:_KEPT] + _MORE for line in text.split("\n"))


def line_end(text: str) -> str:
    """How the lines of a text end: as its first does."""
    at = text.find("\n")
    if at < 0:
        return "\r" if "\r" in text else "\n"
    return "\r\n" if at and text[at - 1] == "\r" else "\n"


def units(text: str) -> int:
    """The length in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def joined_changes(first: tuple[int, int, int] | None, then: tuple[int, int, int]) -> tuple[int, int, int]:
    """Two changes of a document one after the other, as one: position, removed and added units."""
    if first is None:
        return then
    start = min(first[0], then[0])
    length = max(first[0] + first[2], then[0] + then[1]) - start  # between the two
    return start, length - first[2] + first[1], length - then[1] + then[2]


class Mapping:
    """Ties a Qt document to the Source that it shows. Whoever changes one of them sees to the other."""

    def __init__(self, document: QTextDocument) -> None:
        self.document = document
        self._source = Source("")
        self._same = True  # an offset is a position
        self.is_cut = False  # lines that are too long are shown in part

    @property
    def source(self) -> Source:
        """The text that the document shows."""
        return self._source

    def take(self, source: Source) -> str:
        """Take another text: what the document has to hold for it."""
        whole = shown(source.text)
        text = cut(whole)
        self._source = source
        self.is_cut = text is not whole
        self._same = not self.is_cut and _is_plain(source.text)
        return text

    def advance(self, edits: list[TextEdit], after: Source) -> None:
        """The document shows `after` now, which these edits made of the text before; quicker than looking at it all."""
        self._source = after
        self._same = self._same and all(_is_plain(edit.text) for edit in edits)

    def underlined(self, start: int, end: int) -> tuple[int, int]:
        """The positions between which something is underlined: of what spans lines, in the first."""
        first = self.position(start)
        block = self.document.findBlock(first)
        last = block.position() + block.length() - 1
        behind = min(self.position(end), last)
        if first == behind:  # something to see where nothing stands
            return (first, behind + 1) if behind < last else (max(block.position(), first - 1), behind)
        return first, behind

    def position(self, offset: int) -> int:
        """The document's position of an offset of the text."""
        if self._same:
            return max(0, min(offset, len(self._source.text)))
        place = self._source.position(offset)
        block = self.document.findBlockByNumber(place.line - 1)
        before = self._source.text[place.offset - place.column + 1 : place.offset]
        last = block.length() - 1
        behind = self._source.text[place.offset : place.offset + 1]
        if self.is_cut and self._goes_on(place.line) and behind not in {"", "\n", "\r"}:
            last -= 1  # before the sign that replaces the rest
        return block.position() + max(0, min(units(before), last))

    def _goes_on(self, line: int) -> bool:
        return self._source.offset(line + 1, 1) - self._source.offset(line, 1) > LONGEST

    def offset(self, position: int) -> int:
        """The offset in the text of a position of the document."""
        if self._same:
            return max(0, min(position, len(self._source.text)))
        block = self.document.findBlock(position)
        line = block.blockNumber() + 1
        start = self._source.offset(line, 1)
        if self.is_cut and position - block.position() == block.length() - 1:
            return start + len(self._source.line_text(line))  # behind the sign that replaces the rest
        return _forward(self._source.text, start, position - block.position())

    def edit_of(self, position: int, removed: int, added: int) -> TextEdit | None:
        """The edit of the text that a change of the document was; None where nothing really changed.

        The document has changed already and `source` has not. What Qt reports may be wider than what changed.
        """
        text = self._source.text
        start = self.offset(position)
        end = min(start + removed, len(text)) if self._same else _forward(text, start, removed)
        gone = text[start:end]
        changes = difference(shown(gone), self._text(position, added))
        if not changes:
            return None
        change = changes[0]
        first, last = start + _within(gone, change.start), start + _within(gone, change.end)
        return _apart(text, TextEdit(first, last, change.text.replace("\n", line_end(text))))

    def apply_edits(self, edits: list[TextEdit], after: Source) -> None:
        """Make edits of the text in the document too; `after` is the text then."""
        text = self._source.text
        if "\r" in text or any("\r" in edit.text for edit in edits):
            alone = edits if len(edits) == 1 else difference(text, after.text)
            edits = [_whole_line_ends(text, edit) for edit in alone]
        cursor = QTextCursor(self.document)
        cursor.beginEditBlock()
        for edit in reversed(edits):  # from the last, so that positions before it stay right
            cursor.setPosition(self.position(edit.start))
            cursor.setPosition(self.position(edit.end), QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(shown(edit.text))
        cursor.endEditBlock()
        self.advance(edits, after)

    def in_step(self) -> bool:
        """Whether the document shows the text; for tests, and slow."""
        return self._text(0, self.document.characterCount() - 1) == cut(shown(self._source.text))

    def _text(self, position: int, length: int) -> str:
        last = self.document.characterCount() - 1  # Qt counts a final block end that no text has
        cursor = QTextCursor(self.document)
        cursor.setPosition(min(position, last))
        cursor.setPosition(min(position + length, last), QTextCursor.MoveMode.KeepAnchor)
        return cursor.selectedText().replace("\u2029", "\n")


def _is_plain(text: str) -> bool:
    # Whether its offsets are positions.
    return "\r" not in text and (text.isascii() or units(text) == len(text))


def _forward(text: str, start: int, count: int) -> int:
    # The offset `count` positions of a document behind `start`.
    at = start
    while count > 0 and at < len(text):
        count -= 2 if text[at] > "\uffff" else 1
        at += 2 if text.startswith("\r\n", at) else 1
    return at


def _within(text: str, index: int) -> int:
    # The index in a text of an index in its shown form.
    return _forward(text, 0, units(shown(text)[:index])) if "\r\n" in text else index


def _apart(text: str, edit: TextEdit) -> TextEdit:
    # A lone \r that would now meet a \n would make one line end of two: it becomes a \n.
    start, end, written = edit
    after = text[end : end + 1]
    if start and text[start - 1] == "\r" and (written or after).startswith("\n"):
        start, written = start - 1, "\n" + written
    if written.endswith("\r") and after == "\n":
        written = written[:-1] + "\n"
    return TextEdit(start, end, written)


def _whole_line_ends(text: str, edit: TextEdit) -> TextEdit:
    # The edit made wider where it is inside a CRLF, before or after: there the document has no place for it.
    start, end, written = edit
    if start and text[start - 1] == "\r":
        start, written = start - 1, "\r" + written
    if text[end : end + 1] == "\n":
        end, written = end + 1, written + "\n"
    return TextEdit(start, end, written)


class LateTextEdit(QPlainTextEdit):
    """An editor that has a large text only once somebody sees it.

    `lay_out` shows a text; `wait_with` puts that off where it isn't visible, until it is seen or asked for.
    """

    def __init__(self) -> None:
        super().__init__()
        self._waiting: Source | None = None
        self._mapping = Mapping(self.document())

    def lay_out(self, source: Source) -> None:
        """Show a text from its start."""
        raise NotImplementedError

    def wait_with(self, source: Source) -> bool:
        """Show nothing yet, if it is a large text that can't be seen; False where it is to be shown now."""
        self._waiting = None
        if len(source.text) <= _LARGE or self.isVisible():
            return False
        self._waiting = source
        return True

    def goes_on_waiting(self, source: Source) -> bool:
        """Have that text instead of one that waits; False where none does."""
        if self._waiting is None:
            return False
        if not self.wait_with(source):
            self.lay_out(source)
        return True

    @property
    def is_waiting(self) -> bool:
        """Whether the text doesn't exist yet."""
        return self._waiting is not None

    @property
    def mapping(self) -> Mapping:
        """What ties the text to its file, laid out at the latest now."""
        source, self._waiting = self._waiting, None
        if source is not None:
            self.lay_out(source)
        return self._mapping

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        assert self.mapping
