"""Where in a YAML text a caret stands while somebody types: which key or value is begun there, and of what."""

import re
from typing import Literal, NamedTuple

from stepflow_gui.text.yaml.line_parts import key_end, list_dashes
from stepflow_gui.text.yaml.lines import LINE_END

_BLOCK = re.compile(r"(?:[&!]\S*[ \t]+)*[|>][-+0-9]*[ \t]*(?:\#.*)?$")
_COMMENT = re.compile(r"(?:^|[ \t])\#.*$")
_FLOW = re.compile(r""""(?:[^"\\]|\\.)*+(?:"|$)|'(?:[^']|'')*+(?:'|$)|[{}\[\],]|:(?=[ \t]|$)|[^"'{}\[\],:]+|:""")
_WORD_REST = re.compile(r"[\w./-]*")
_MARKS = re.compile(r"(?:[&!][^\s,\[\]{}]*[ \t]+)+")
_QUOTES = ('"', "'")
_QUOTE_END = {'"': re.compile(r'(?:[^"\\]|\\.)*+"'), "'": re.compile(r"(?:[^']|'')*+'")}

Expects = Literal["key", "value", "either", "nothing"]


class YamlContext(NamedTuple):
    """What is begun at a caret.

    `path` is that of the object that a key is for, or of the value that is begun; `either` may become a value or the
    first key of an object. `start` and `end` are the stretch that a completion takes the place of, `typed` what of it
    stands before the caret, without the quote that it begins with. `column` is the indentation of a key.
    """

    expects: Expects
    path: tuple[str | int, ...]
    start: int
    end: int
    typed: str = ""
    quote: str = ""
    column: int = 0
    in_brackets: bool = False
    keys: frozenset[str] = frozenset()  # of the object, in the lines above


class _Level:
    """A key or a list element that encloses what follows."""

    __slots__ = ("column", "is_item", "keys", "name", "written")

    def __init__(self, column: int, name: str | int) -> None:
        self.column = column
        self.name = name
        self.is_item = isinstance(name, int)
        self.keys: set[str] = set()  # of the object to which the key belongs
        self.written = False  # it has its value in its line


class _Reading:
    """The levels at the beginning of a line."""

    def __init__(self) -> None:
        self.levels: list[_Level] = []
        self.block: int | None = None  # lines further in than this column belong to a text
        self.left_open = ""  # the quote of a text of many lines, or the brackets that are open

    def path(self) -> tuple[str | int, ...]:
        return tuple(level.name for level in self.levels)

    def dash(self, column: int) -> None:
        while self.levels and self.levels[-1].column > column:
            self.levels.pop()
        number = 0
        if self.levels and self.levels[-1].column == column and self.levels[-1].is_item:
            number = int(self.levels.pop().name) + 1
        self.levels.append(_Level(column, number))

    def leave(self, column: int) -> None:
        """Leave what a line that begins at a column with no dash doesn't belong to."""
        while self.levels and (
            self.levels[-1].column > column or (self.levels[-1].column == column and self.levels[-1].is_item)
        ):
            self.levels.pop()

    def key(self, column: int, name: str) -> None:
        self.leave(column)
        known: set[str] = set()
        if self.levels and self.levels[-1].column == column:
            known = self.levels.pop().keys
        level = _Level(column, name)
        level.keys = known | {name}
        self.levels.append(level)


def yaml_context_at(text: str, offset: int) -> YamlContext:
    """The context of a caret, an offset in code points; linear in what stands before it."""
    reading = _Reading()
    start = 0
    for end in LINE_END.finditer(text, 0, offset):
        _line(reading, text[start : end.start()])
        start = end.end()
    found = LINE_END.search(text, offset)
    line = text[start : found.start() if found else len(text)]
    return _at_caret(reading, line, offset - start, start)


def _line(reading: _Reading, line: str) -> None:
    column = len(line) - len(line.lstrip(" "))
    if _goes_on(reading, line, column):
        return
    content = line.strip()
    if not content or content.startswith("#"):
        return
    if line.startswith(("---", "...", "%")):
        reading.levels = []
        return
    begin, rest = _begin(reading, line)
    if rest:
        _take_value(reading, rest, begin)


def _goes_on(reading: _Reading, line: str, column: int) -> bool:
    """Whether a line belongs to the value of one before."""
    if reading.block is not None:
        if not line.strip() or column > reading.block:
            return True
        reading.block = None
    if reading.left_open:
        reading.left_open = _open_after(line, reading.left_open)
        return True
    return False


def _begin(reading: _Reading, line: str) -> tuple[int, str]:
    """Read the dashes and the key of a line; gives the column of the last of them, and what follows."""
    at = column = len(line) - len(line.lstrip(" \t"))
    for dash in list_dashes(line):
        reading.dash(dash)
        column = dash
        at = dash + 1 + len(line[dash + 1 :]) - len(line[dash + 1 :].lstrip(" \t"))
    end = key_end(line, at)
    if end is None:
        return column, line[at:]
    reading.key(at, _plain(line[at:end]))
    return at, line[end:].lstrip(" \t")[1:].lstrip(" \t")


def _take_value(reading: _Reading, value: str, column: int) -> None:
    if value.startswith("#"):
        return
    if _BLOCK.match(value):
        reading.block = column
    elif value[0] in _QUOTES or value[0] in "{[":
        reading.left_open = _open_after(value, "")
    if reading.levels and not value.startswith(("&", "!")):
        reading.levels[-1].written = True


def _open_after(text: str, before: str) -> str:
    """What is open behind a stretch: brackets, the last of them last, or a quote."""
    if before in _QUOTES:
        closed = _QUOTE_END[before].match(text)
        if closed is None:
            return before
        text, before = text[closed.end() :], ""
    for token in _FLOW.findall(_COMMENT.sub("", text) if before or text[:1] in "{[" else text):
        if token in {"{", "["}:
            before += token
        elif token in {"}", "]"}:
            before = before[:-1]
            if not before:
                return ""
        elif token[0] in _QUOTES and (len(token) == 1 or token[-1] != token[0]):
            return before or str(token[0])
        elif not before:
            return ""
    return before


def _at_caret(reading: _Reading, line: str, caret: int, start: int) -> YamlContext:
    offset = start + caret
    nothing = YamlContext("nothing", (), offset, offset)
    before = line[:caret]
    indent = len(line) - len(line.lstrip(" "))
    if reading.block is not None and max(indent, caret if not line.strip() else 0) > reading.block:
        return nothing
    if reading.left_open or line.startswith(("---", "...", "%")):
        return nothing
    at = indent if before.strip() else caret
    dashes = list(list_dashes(before))
    for dash in dashes:
        reading.dash(dash)
        at = dash + 1 + len(before[dash + 1 :]) - len(before[dash + 1 :].lstrip(" "))
    end = key_end(before, at)
    if end is not None:
        reading.key(at, _plain(before[at:end]))
        begun = end + 1 + before[end:].index(":")
        begun += len(before[begun:]) - len(before[begun:].lstrip(" \t"))
        return _value(reading.path(), line, caret, min(begun, caret), start)
    if before[at : at + 1] in {"{", "["} or before[at : at + 1] == "#" or " #" in before[at:]:
        return _value(reading.path(), line, caret, at, start)
    if not dashes:
        reading.leave(at)
    quote = before[at : at + 1] if before[at : at + 1] in _QUOTES else ""
    typed = before[at + len(quote) :]
    rest = _WORD_REST.match(line, caret)
    stop = rest.end() if rest is not None else caret
    if quote and line[stop : stop + 1] == quote:
        stop += 1
    context = YamlContext("key", (), start + at, start + stop, typed, quote, at)
    last = reading.levels[-1] if reading.levels else None
    if last is None:
        return context
    if last.column == at and not last.is_item:
        return context._replace(path=reading.path()[:-1], keys=frozenset(last.keys))
    return nothing if last.written else context._replace(expects="either", path=reading.path())


def _value(path: tuple[str | int, ...], line: str, caret: int, at: int, start: int) -> YamlContext:
    """A value that begins at a column of the caret's line."""
    marked = _MARKS.match(line, at)
    if marked is not None:  # an anchor or a tag stands before the value
        at = min(marked.end(), caret)
    before = line[at:caret]
    if before.startswith("#") or (_COMMENT.search(before) and before[:1] not in _QUOTES):
        return YamlContext("nothing", (), start + caret, start + caret)
    if before[:1] in {"{", "["}:
        return _in_brackets(path, line, caret, at, start)
    if _BLOCK.match(before) or before[:1] in {"&", "*", "!"}:
        return YamlContext("nothing", (), start + caret, start + caret)
    quote = before[:1] if before[:1] in _QUOTES else ""
    if quote:
        closed = line.find(quote, at + 1)
        if 0 <= closed < caret:
            return YamlContext("nothing", (), start + caret, start + caret)
        end = closed + 1 if closed >= 0 else caret
    else:
        comment = _COMMENT.search(line, at)
        end = max(caret, at + len(line[at : comment.start() if comment else len(line)].rstrip(" \t")))
    return YamlContext("value", path, start + at, start + end, before[len(quote) :], quote)


def _in_brackets(path: tuple[str | int, ...], line: str, caret: int, at: int, start: int) -> YamlContext:
    """A place inside a flow collection that begins in the caret's line."""
    frames: list[tuple[str, tuple[str | int, ...]]] = []
    number: list[int] = []
    key: str | None = None
    begun, last = caret, ""
    for match in _FLOW.finditer(line, at, caret):
        token = match.group()
        if not token.strip():
            continue
        if token in {"{", "["}:
            own = path if not frames else _element(frames[-1], number[-1], key)
            frames.append((token, own))
            number.append(0)
            key, last = None, ""
        elif token in {"}", "]"}:
            frames.pop()
            number.pop()
            key, last = None, ""
            if not frames:
                return YamlContext("nothing", (), start + caret, start + caret)
        elif token == ",":
            number[-1] += 1
            key, last = None, ""
        elif token == ":" and last:
            key, last = _plain(last), ""
        else:
            begun = match.start() + len(token) - len(token.lstrip(" \t"))
            last = token.strip(" \t")
    opened = frames[-1]
    typed = last
    quote = typed[:1] if typed[:1] in _QUOTES else ""
    rest = _WORD_REST.match(line, caret)
    stop = rest.end() if rest is not None else caret
    if quote and line[stop : stop + 1] == quote:
        stop += 1
    place = (start + (begun if typed else caret), start + stop, typed[len(quote) :], quote, 0, True)
    if opened[0] == "{" and key is None:
        return YamlContext("key", opened[1], *place)
    return YamlContext("value", _element(opened, number[-1], key), *place)


def _element(frame: tuple[str, tuple[str | int, ...]], number: int, key: str | None) -> tuple[str | int, ...]:
    return (*frame[1], number if frame[0] == "[" else key or "")


def _plain(key: str) -> str:
    return key[1:-1] if key[:1] in _QUOTES and key[-1:] == key[:1] and len(key) > 1 else key
