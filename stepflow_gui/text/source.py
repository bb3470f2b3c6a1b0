"""A file's text with the index from offsets to lines and columns."""

import re
from bisect import bisect_right
from typing import NamedTuple

BOM = "\ufeff"
_LINE_END = re.compile(r"\r\n?|\n")
_LINE_FEED = re.compile(r"\n")  # quicker to look for
_ASTRAL = "[\U00010000-\U0010ffff]"


class Position(NamedTuple):
    """A place in a text: line and column from 1, offset from 0, all in code points, a BOM not counted."""

    line: int
    column: int
    offset: int


class Span(NamedTuple):
    """A stretch of a text: offsets in code points, `end` not included."""

    start: int
    end: int


class Source:
    """A file's text, as it was decoded: nothing is translated, so that `encode` gives the same bytes.

    `text` is without the byte order mark, which `bom` remembers.
    """

    __slots__ = ("_plain", "_starts", "bom", "text")

    def __init__(self, text: str, bom: bool = False) -> None:
        self.text = text
        self.bom = bom
        self._starts: list[int] | None = None
        self._plain: bool | None = None  # whether no character takes two UTF-16 units

    @classmethod
    def decode(cls, data: bytes) -> "Source":
        """Read UTF-8 bytes. Raises UnicodeDecodeError, whose `start` is the offset of the first bad byte."""
        text = data.decode("utf-8")
        return cls(text[1:], bom=True) if text.startswith(BOM) else cls(text)

    def encode(self) -> bytes:
        """The bytes of the file."""
        return ((BOM if self.bom else "") + self.text).encode("utf-8")

    def with_text(self, text: str) -> "Source":
        """The same file holding another text."""
        return Source(text, self.bom)

    def with_stretch(self, start: int, end: int, text: str) -> "Source":
        """The same file with another text between two offsets; its index of lines is kept, not rebuilt."""
        after = Source("".join((self.text[:start], text, self.text[end:])), self.bom)
        if self._starts is not None:
            after._starts = self._starts_after(after.text, start, end, len(text))
        return after

    @property
    def line_count(self) -> int:
        """Lines, counted as an editor does: one more than there are line ends."""
        return len(self._line_starts())

    def position(self, offset: int) -> Position:
        """Line and column of an offset; offsets outside the text are taken as its nearest end."""
        offset = max(0, min(offset, len(self.text)))
        starts = self._line_starts()
        line = bisect_right(starts, offset)
        return Position(line, offset - starts[line - 1] + 1, offset)

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column (from 1), held inside the text and the line."""
        starts = self._line_starts()
        if line < 1:
            return 0
        if line > len(starts):
            return len(self.text)
        return max(starts[line - 1], min(starts[line - 1] + column - 1, self._line_end(line)))

    def line_text(self, line: int) -> str:
        """A line (from 1) without its line end."""
        return self.text[self._line_starts()[line - 1] : self._line_end(line)]

    def utf16(self, offset: int) -> int:
        """The offset in UTF-16 units, as Qt documents and LSP count."""
        return offset if self._units_are_points() else len(_encoded(self.text[:offset])) // 2

    def from_utf16(self, units: int) -> int:
        """The offset in code points of an offset in UTF-16 units; inside a pair, the one after it."""
        if self._units_are_points():
            return min(units, len(self.text))
        return len(_encoded(self.text)[: 2 * units].decode("utf-16-le", "surrogatepass"))

    def _units_are_points(self) -> bool:
        if self._plain is None:
            self._plain = re.search(_ASTRAL, self.text) is None
        return self._plain

    def _line_starts(self) -> list[int]:
        # A line ends at \n, \r\n or a lone \r; splitlines() would also cut at U+2028 and form feeds.
        if self._starts is None:
            ends = _LINE_END if "\r" in self.text else _LINE_FEED
            self._starts = [0, *[end.end() for end in ends.finditer(self.text)]]
        return self._starts

    def _starts_after(self, text: str, start: int, end: int, length: int) -> list[int]:
        # From one character before the change to one behind it: a \r and a \n may have met there or been parted.
        old = self._starts or [0]
        first, last, shift = max(0, start - 1), start + length + 1, length - (end - start)
        starts = old[: bisect_right(old, first)]
        for line_end in _LINE_END.finditer(text, first):
            if line_end.start() >= last:
                break
            if line_end.end() > starts[-1]:
                starts.append(line_end.end())
        rest = old[bisect_right(old, max(end + 1, starts[-1] - shift)) :]
        return starts + ([at + shift for at in rest] if shift else rest)

    def _line_end(self, line: int) -> int:
        starts = self._line_starts()
        if line == len(starts):
            return len(self.text)
        end = starts[line] - 1
        if end > starts[line - 1] and self.text[end] == "\n" and self.text[end - 1] == "\r":
            end -= 1
        return end


def _encoded(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")
