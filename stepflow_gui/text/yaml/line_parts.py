"""The parts with which a line of block YAML begins, also of a text that is half written."""

import re
from collections.abc import Iterator

_DASH = re.compile(r"-(?:[ \t]+|$)")
_QUOTED_KEY = re.compile(r""""(?:[^"\\]|\\.)*+"|'(?:[^']|'')*+'""")
_KEY_ENDS = re.compile(r":(?=[ \t]|$)|[ \t]\#")
_NO_KEY = frozenset("\"'{}[],&*!|>%@`#")  # what no plain key begins with


def list_dashes(line: str) -> Iterator[int]:
    """The columns of the dashes with which a line's list elements begin."""
    at = len(line) - len(line.lstrip(" \t"))
    while found := _DASH.match(line, at):
        yield at
        at = found.end()


def key_end(line: str, at: int) -> int | None:
    """Where the key that begins at a column of a line ends, its colon not counted; None where none does."""
    quoted = _QUOTED_KEY.match(line, at)
    if quoted is not None:
        rest = line[quoted.end() :].lstrip(" \t")
        is_key = rest.startswith(":") and rest[1:2] in {"", " ", "\t"}
        return quoted.end() if is_key else None
    if line[at : at + 1] in _NO_KEY:
        return None
    found = _KEY_ENDS.search(line, at)
    if found is None or found.group() != ":" or found.start() == at:
        return None
    return at + len(line[at : found.start()].rstrip(" \t"))
