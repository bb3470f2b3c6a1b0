"""Texts from files made fit for a terminal: nothing in them moves the cursor, forges a line or hides another."""

import re

TAB = "    "

# C0 and C1 controls, line and paragraph separators, marks that turn the reading direction, lone surrogates.
_UNFIT = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"


def printable(text: str) -> str:
    """The text with every such character written as an escape."""
    return text if text.isprintable() else re.sub(_UNFIT, _escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    names = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return names.get(found[0]) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def line_of_code(text: str) -> str:
    """A line of a file as a code frame shows it: tabs become blanks."""
    return printable(text.replace("\t", TAB))


def width(text: str) -> int:
    """How many terminal columns a text takes: full-width characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width  # most texts do without

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)
