"""Where in a TOML text a caret stands while somebody types: which key or value is begun there, in which table."""

import re
from typing import Literal, NamedTuple

_TOKEN = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r'|(?P<string>"""(?:[^"\\]|\\.|"(?!""))*(?:"""|$)|' + r"'''(?:[^']|'(?!''))*(?:'''|$)"
    r"""|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?)"""
    r"|(?P<sign>[\[\]{}=,.\n])"
    r"|(?P<word>[^\s\[\]{}=,.\"'\#]+)",
    re.DOTALL,
)
_WORD_REST = re.compile(r"[A-Za-z0-9_-]*")

Expects = Literal["key", "value", "header", "nothing"]


class TomlContext(NamedTuple):
    """What is begun at a caret.

    `path` is that of the table that a key is for, or of the value that is begun; an element of a list, or a table of an
    array, is a 0 in it. `start` and `end` are the stretch that a completion takes the place of; `typed` is what of it
    stands before the caret, without its quotes.
    """

    expects: Expects
    path: tuple[str | int, ...]
    start: int
    end: int
    typed: str = ""
    quoted: bool = False


class _Reading:
    """The state at a place of the text."""

    def __init__(self) -> None:
        self.table: tuple[str | int, ...] = ()
        self.keys: list[str] = []  # of the line, dotted
        self.frames: list[tuple[str, tuple[str | int, ...]]] = []  # open brackets of a value, with what they hold
        self.in_value = False
        self.done = False
        self.header = 0  # brackets of a header that is open
        self.names: list[str] = []

    def path(self) -> tuple[str | int, ...]:
        return self.frames[-1][1] if self.frames else self.table


def toml_context_at(text: str, offset: int) -> TomlContext:
    """The context of a caret, an offset in code points; linear in what stands before it."""
    at = _Reading()
    begun: tuple[int, str] | None = None
    for match in _TOKEN.finditer(text, 0, offset):
        token = match.group()
        if match["comment"] is not None:
            if match.end() == offset:
                return TomlContext("nothing", (), offset, offset)
        elif match["sign"] is not None:
            _sign(at, token)
        elif match.end() == offset and not (match["string"] and _is_closed(token)):
            begun = (match.start(), token)
        else:
            _word(at, token)
    return _context(text, offset, at, begun)


def _sign(at: _Reading, sign: str) -> None:
    if sign == "\n":
        if not at.frames:
            at.keys, at.in_value, at.done, at.header = [], False, False, 0
    elif sign == "[" and not at.in_value and not at.keys:
        at.header += 1
        at.names = []
    elif sign == "]" and at.header:
        path: tuple[str | int, ...] = tuple(at.names)
        at.table = (*path, 0) if at.header == 2 else path
        at.done = True
    elif sign in "[{":
        own = _value_path(at)
        at.frames.append((sign, own))
        at.keys, at.in_value, at.done = [], sign == "[", False
    elif sign in "]}":
        if at.frames:
            at.frames.pop()
        at.keys, at.in_value, at.done = [], True, True
    elif sign == "=":
        at.in_value = True
    elif sign == "," and at.frames:
        at.keys, at.in_value, at.done = [], at.frames[-1][0] == "[", False


def _word(at: _Reading, token: str) -> None:
    plain = _plain(token)
    if at.header:
        at.names.append(plain)
    elif at.in_value:
        at.done = True
    else:
        at.keys.append(plain)


def _value_path(at: _Reading) -> tuple[str | int, ...]:
    holder = at.path()
    return (*holder, 0) if at.frames and at.frames[-1][0] == "[" else (*holder, *at.keys)


def _context(text: str, offset: int, at: _Reading, begun: tuple[int, str] | None) -> TomlContext:
    start, token = begun or (offset, "")
    if token[:3] in {'"""', "'''"}:  # a text of many lines
        return TomlContext("nothing", (), offset, offset)
    quoted = token[:1] in {'"', "'"} and bool(token)
    end = offset
    if quoted:
        rest = re.compile(rf"[^{re.escape(token[0])}\n]*{re.escape(token[0])}?").match(text, offset)
        end = rest.end() if rest is not None and rest.group().endswith(token[0]) else offset
    elif begun is not None:
        rest = _WORD_REST.match(text, offset)
        end = rest.end() if rest is not None else offset
    typed = _plain(token)
    if at.done:
        return TomlContext("nothing", (), offset, offset)
    if at.header:
        return TomlContext("header", tuple(at.names), start, end, typed, quoted)
    if at.in_value:
        return TomlContext("value", _value_path(at), start, end, typed, quoted)
    return TomlContext("key", (*at.path(), *at.keys), start, end, typed, quoted)


def _plain(token: str) -> str:
    if token[:1] not in {'"', "'"} or not token:
        return token
    body = token[1:]
    return body[:-1] if body.endswith(token[0]) else body


def _is_closed(token: str) -> bool:
    return len(token) > 1 and token.endswith(token[0])
