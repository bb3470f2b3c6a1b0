"""What Enter, Tab and the key of comments write in the source editor: in lines, indented as the file is."""

import re

from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source, Span

_FIRST_INDENT = re.compile(r"[\r\n]([ \t]+)\S")
_BLANKS = re.compile(r"[ \t]*")
_COMMENT = re.compile(r"[ \t]*(# ?)")
_PAIRS = {"{": "}", "[": "]"}


def indent_unit(text: str) -> str:
    """One step of a text's indentation, taken from its first indented line; two spaces where there is none."""
    found = _FIRST_INDENT.search(text)
    if found is None:
        return "  "
    return "\t" if found[1].startswith("\t") else found[1]


def new_line(line: str, column: int, text: str) -> tuple[str, int]:
    """What Enter inserts at a column of a line, and how many characters before its end the caret stays.

    The indentation goes on; after an opening bracket it is one step deeper, with the closing one on a line of its own.
    """
    before, after = line[:column], line[column:].lstrip()
    indent = before[: _end_of_blanks(before)]
    opened = before.rstrip()[-1:]
    if opened not in _PAIRS:
        return "\n" + indent, 0
    deeper = "\n" + indent + indent_unit(text)
    if after.startswith(_PAIRS[opened]):
        closing = "\n" + indent
        return deeper + closing, len(closing)
    return deeper, 0


def tab_text(column: int, text: str) -> str:
    """What Tab inserts at a column."""
    unit = indent_unit(text)
    return unit if unit == "\t" else " " * (len(unit) - column % len(unit))


def indent_edits(source: Source, selection: Span, outwards: bool) -> list[TextEdit]:
    """The edits that move the selected lines one step in or out; empty lines stay empty."""
    unit = indent_unit(source.text)
    edits = []
    for number in _lines(source, selection):
        line = source.line_text(number)
        start = source.offset(number, 1)
        if not outwards and line:
            edits.append(TextEdit(start, start, unit))
        elif outwards and line[:1] in {" ", "\t"}:
            width = 1 if line.startswith("\t") else min(len(unit), _end_of_blanks(line))
            edits.append(TextEdit(start, start + width, ""))
    return edits


def comment_edits(source: Source, selection: Span) -> list[TextEdit]:
    """The edits that make comments of the selected lines, or lines again of those that all are comments.

    Comments begin with “#”, in one column; empty lines stay empty beside others.
    """
    lines = [(number, source.line_text(number)) for number in _lines(source, selection)]
    lines = [(number, line) for number, line in lines if line.strip()] or lines
    marks = [_COMMENT.match(line) for _number, line in lines]
    starts = [source.offset(number, 1) for number, _line in lines]
    if all(marks):
        found = [(start, mark) for start, mark in zip(starts, marks, strict=True) if mark]
        return [TextEdit(start + mark.start(1), start + mark.end(1), "") for start, mark in found]
    column = min(_end_of_blanks(line) for _number, line in lines)
    return [TextEdit(start + column, start + column, "# ") for start in starts]


def _lines(source: Source, selection: Span) -> range:
    """The numbers of the lines of which something is selected."""
    first = source.position(selection.start).line
    return range(first, source.position(max(selection.start, selection.end - 1)).line + 1)


def _end_of_blanks(line: str) -> int:
    found = _BLANKS.match(line)
    return found.end() if found else 0
