"""Where in a JSON text a caret stands while somebody types: which key or value is begun there, in which object.

Works on broken text, as text is while it is typed: what stands behind the caret is read no further than the
string that the caret is in.
"""

import json
import re
from typing import Literal, NamedTuple

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[{}\[\]:,]|[^\s"{}\[\]:,]+')
_REST = re.compile(r'(?:[^"\\\n]|\\.)*"?')

_BEHIND = re.compile(r'[ \t]*(?:[:,}\]\r\n]|$)|[ \t]+"')  # what can stand behind a string

Expects = Literal["key", "value", "nothing"]


class Context(NamedTuple):
    """What is begun at a caret.

    `path` is that of the object that a key is for, or of the value that is begun. `start` and `end` are the span that
    a completion takes the place of: the string or word around the caret, quotes included, else nothing. `typed` is
    what of it stands before the caret, decoded, and `whole` all of it; `quoted` whether it is a string. `end` goes on
    to the string's end.
    """

    expects: Expects
    path: tuple[str | int, ...]
    start: int
    end: int
    typed: str = ""
    quoted: bool = False
    whole: str = ""


class _Frame:
    """An object or array that is open at the caret."""

    __slots__ = ("colon", "index", "is_array", "key")

    def __init__(self, *, is_array: bool) -> None:
        self.is_array = is_array
        self.index = 0
        self.key: str | None = None
        self.colon = False


def context_at(text: str, offset: int, start: int = 0, path: tuple[str | int, ...] = ()) -> Context:
    """The context of a caret, an offset in code points; linear in what stands before it.

    A value that is known to begin at `start`, and to be at `path`, need not be searched for.
    """
    found = _inside(text, offset, start)
    return found._replace(path=(*path, *found.path)) if path else found


def _inside(text: str, offset: int, begin: int) -> Context:
    frames: list[_Frame] = []
    begun: tuple[int, str] | None = None  # a string or word that reaches up to the caret
    done = False  # a value stands behind the last comma or colon already
    for match in _TOKEN.finditer(text, begin, offset):
        token, start = match.group(), match.start()
        if done and frames and token not in "}],:":  # a comma is missing
            _next(frames[-1])
            done = False
        if token in "{[":
            frames.append(_Frame(is_array=token == "["))
            done = False
        elif token in "}]":
            if frames:
                frames.pop()
            done = True
        elif token == ":" and frames:
            frames[-1].colon = True
            done = False
        elif token == "," and frames:
            _next(frames[-1])
            done = False
        elif match.end() == offset and not _is_closed(token):
            begun = (start, token)
        elif frames and not frames[-1].is_array and not frames[-1].colon and token.startswith('"'):
            frames[-1].key = _decoded(token)
        else:
            done = True
    return _context(text, offset, frames, begun, done=done)


def _next(frame: _Frame) -> None:
    frame.colon = False
    frame.key = None
    frame.index += 1


def _context(text: str, offset: int, frames: list[_Frame], begun: tuple[int, str] | None, *, done: bool) -> Context:
    start, token = begun or (offset, "")
    quoted = token.startswith('"')
    end = offset
    if quoted:
        rest = _REST.match(text, offset)
        assert rest is not None
        # An unclosed string takes nothing along that is not its own: what ends it has to be the end of something.
        closes = rest.group().endswith('"') and _BEHIND.match(text, rest.end()) is not None
        end = rest.end() if closes else offset
    elif begun is None and text[offset : offset + 1] == '"' and not done:
        rest = _TOKEN.match(text, offset)
        end = rest.end() if rest is not None and _is_closed(rest.group()) else offset
        quoted = end > offset
    typed = _decoded(token) if quoted and token else token
    whole = _decoded(text[start:end]) if quoted else text[start:end]
    path = _path(frames)
    if not frames:
        return Context("nothing" if done else "value", (), start, end, typed, quoted, whole)
    last = frames[-1]
    if done and begun is None:
        return Context("nothing", path, offset, offset)
    if not last.is_array and not last.colon and last.key is not None:
        return Context("nothing", path, offset, offset)  # a colon comes first
    if last.is_array or last.colon:
        return Context("value", path, start, end, typed, quoted, whole)
    return Context("key", path, start, end, typed, quoted, whole)


def _path(frames: list[_Frame]) -> tuple[str | int, ...]:
    path: list[str | int] = []
    for number, frame in enumerate(frames):
        inner = number + 1 < len(frames)
        if frame.is_array:
            path.append(frame.index)
        elif frame.key is not None and (frame.colon or inner):
            path.append(frame.key)
    return tuple(path)


def _is_closed(token: str) -> bool:
    return len(token) > 1 and token.startswith('"') and token.endswith('"') and _decodes(token)


def _decodes(token: str) -> bool:
    try:
        json.loads(token)
    except ValueError:
        return False
    return True


def _decoded(token: str) -> str:
    """The text of a string, which may still be open."""
    for whole in (token, token + '"', token.rstrip("\\") + '"'):
        try:
            value = json.loads(whole)
        except ValueError:
            continue
        return value if isinstance(value, str) else token
    return token.strip('"')
