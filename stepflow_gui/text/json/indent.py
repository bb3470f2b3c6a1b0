"""Positions within lines: what the indentation of a JSON text shows about its brackets."""

_WIDEST = 1000  # columns up to which the beginning of a line is looked for, so that one long line costs no more


def column_of(text: str, at: int) -> int | None:
    """The column (from 0) of the content at an offset, if it begins its line."""
    start = _line_start(text, at)
    return at - start if not text[start:at].strip(" \t") else None


def indent_of(text: str, at: int) -> int:
    """The indentation, in characters, of the line of an offset."""
    line = text[_line_start(text, at) : at]
    return len(line) - len(line.lstrip(" \t"))


def line_indent(text: str, at: int) -> str:
    """The blanks that the line of an offset begins with."""
    start = _line_start(text, at)
    return text[start : start + indent_of(text, at)]


def same_line(text: str, start: int, end: int) -> bool:
    """Whether no line ends between two offsets."""
    return text.find("\n", start, end) < 0 and text.find("\r", start, end) < 0


def _line_start(text: str, at: int) -> int:
    furthest = max(0, at - _WIDEST)
    return max(furthest - 1, text.rfind("\n", furthest, at), text.rfind("\r", furthest, at)) + 1
