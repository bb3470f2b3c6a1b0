"""Reads YAML in which tabs separate tokens, as YAML 1.2 lets them (6.2, 6.6): only indentation is of spaces alone."""

from ruamel.yaml import YAML
from ruamel.yaml.scanner import Scanner, ScannerError

_BREAKS = "\r\n\x85\u2028\u2029"
_ENDS = "\0" + _BREAKS
_MARKS = ("---", "...")


def yaml_reader() -> YAML:
    """A reader of one text. Tags execute nothing."""
    reader = YAML(typ="safe", pure=True)
    reader.Scanner = _TabScanner
    return reader


class _TabScanner(Scanner):
    def scan_to_next_token(self) -> None:
        reader = self.reader
        super().scan_to_next_token()
        while reader.peek() == "\t":  # in a block: between brackets tabs are passed over already
            width = self._blanks()
            if reader.peek(width) not in "#" + _ENDS:
                if self._is_indentation() and reader.column <= self.indent:
                    return
                self.allow_simple_key = False  # what is indented so can be no mapping or sequence
            reader.forward(width)
            super().scan_to_next_token()

    def scan_plain_spaces(self, indent: int, _start_mark: object) -> list[str] | None:
        """The text between two words of an unquoted text; nothing where the text ends."""
        reader = self.reader
        width = self._blanks()
        blanks: str = reader.prefix(width)
        reader.forward(width)
        if reader.peek() not in _BREAKS:
            return [blanks] if blanks else []
        line_break: str = self.scan_line_break()
        self.allow_simple_key = True
        empty: list[str] = []
        while not self._at_mark():
            if reader.peek() in _BREAKS:
                empty.append(self.scan_line_break())
            elif reader.peek() == " " or (reader.peek() == "\t" and reader.column >= indent):
                reader.forward()
            else:
                folded = [line_break] if line_break != "\n" else [] if empty else [" "]
                return folded + empty
        return None

    def scan_block_scalar(self, style: str, rt: bool | None = False) -> object:
        token: object = super().scan_block_scalar(style, rt)
        if self.reader.peek() == "\t":  # a line of the text, which the tab would indent: neither empty nor a comment
            raise ScannerError(None, None, "found character '\\t' in an indentation", self.reader.get_mark())
        return token

    def _blanks(self) -> int:
        width = 0
        while self.reader.peek(width) in " \t":
            width += 1
        return width

    def _at_mark(self) -> bool:
        reader = self.reader
        return reader.column == 0 and reader.prefix(3) in _MARKS and reader.peek(3) in " \t" + _ENDS

    def _is_indentation(self) -> bool:
        """Whether nothing but blanks stands before in the line."""
        reader = self.reader
        before: str = reader.buffer[max(0, reader.pointer - reader.column) : reader.pointer]
        return not before.strip(" \t")
