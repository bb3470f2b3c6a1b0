"""Where the keys and values of a TOML text are, which the standard reader doesn't report. For text that it accepts."""

import re

from stepflow_gui.text.source import Span

Path = tuple[str | int, ...]
"""Keys from the top, and indices of arrays."""

_DEEPEST = 100  # keys and indices of a path: nothing that a person writes lies deeper

_BLANK = re.compile(r"(?:[ \t]|\r?\n|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_HEADER = re.compile(r"\[\[?")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""(?:"{0,2})'
    r"|'''(?:[^']|'(?!''))*'''(?:'{0,2})"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^,\]}#\n]*[^,\]}#\s]")
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(["\\]))')


class TomlPlaces:
    """`keys` and `values` by path. A table that is given by headers is located at its first header."""

    __slots__ = ("keys", "values")

    def __init__(self, text: str) -> None:
        self.keys: dict[Path, Span] = {}
        self.values: dict[Path, Span] = {}
        _Reader(text, self).read()

    def key(self, path: Path) -> Span:
        """Where a key stands; that of the nearest table or array around it where it has none, else the beginning."""
        while path:
            found = self.keys.get(path) or self.values.get(path)
            if found:
                return found
            path = path[:-1]
        return Span(0, 0)

    def value(self, path: Path) -> Span:
        """Where a value stands; its key's place where the value is spread over the text."""
        return self.values.get(path) or self.key(path)


class _Reader:
    def __init__(self, text: str, places: TomlPlaces) -> None:
        self.text = text
        self.places = places
        self.at = 0
        self.lengths: dict[Path, int] = {}  # of the arrays of tables

    def read(self) -> None:
        table: Path = ()
        self.skip(_BLANK)
        while self.at < len(self.text):
            before = self.at
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
            self.skip(_BLANK)
            if self.at == before:  # not TOML: nothing more is known
                return

    def skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def header(self) -> Path:
        brackets = _HEADER.match(self.text, self.at)
        assert brackets is not None
        self.at = brackets.end()
        names = self.dotted()
        path: Path = ()
        for number, (name, _span) in enumerate(names):
            path = (*path, name)
            if number < len(names) - 1 and path in self.lengths:
                path = (*path, self.lengths[path] - 1)
        span = Span(names[0][1].start, names[-1][1].end) if names else Span(self.at, self.at)
        self.places.keys.setdefault(path, span)
        if len(brackets[0]) == 2:
            self.lengths[path] = self.lengths.get(path, 0) + 1
            path = (*path, self.lengths[path] - 1)
            self.places.keys[path] = span
        elif path in self.lengths:
            path = (*path, self.lengths[path] - 1)
        self.skip(re.compile(r"[ \t]*\]\]?"))
        return path

    def pair(self, table: Path) -> None:
        path = table
        for name, span in self.dotted():
            path = (*path, name)
            self.places.keys.setdefault(path, span)
        self.skip(re.compile(r"[ \t]*=[ \t]*"))
        self.value(path)

    def dotted(self) -> list[tuple[str, Span]]:
        names: list[tuple[str, Span]] = []
        while True:
            self.skip(_SPACE)
            found = _STRING.match(self.text, self.at) or _BARE_KEY.match(self.text, self.at)
            if found is None:
                return names
            names.append((_unquoted(found[0]), Span(*found.span())))
            self.at = found.end()
            self.skip(_SPACE)
            if self.text[self.at : self.at + 1] != ".":
                return names
            self.at += 1

    def value(self, path: Path) -> None:
        start = self.at
        if len(path) > _DEEPEST:  # nor is more known about it
            return
        opening = self.text[start : start + 1]
        if opening == "[":
            self.inside(path, "]")
        elif opening == "{":
            self.inside(path, "}")
        else:
            found = _STRING.match(self.text, start) or _PLAIN.match(self.text, start)
            self.at = found.end() if found else start
        self.places.values[path] = Span(start, self.at)

    def inside(self, path: Path, closing: str) -> None:
        """The elements of an array, the pairs of an inline table."""
        self.at += 1
        index = 0
        while True:
            self.skip(_BLANK)
            if self.at >= len(self.text):
                return
            if self.text[self.at] == closing:
                self.at += 1
                return
            before = self.at
            if closing == "]":
                self.value((*path, index))
                index += 1
            else:
                self.pair(path)
            self.skip(_BLANK)
            if self.text[self.at : self.at + 1] == ",":
                self.at += 1
            if self.at == before:
                return


def _unquoted(key: str) -> str:
    if key.startswith("'"):
        return key[1:-1]
    if not key.startswith('"'):
        return key
    return _ESCAPE.sub(lambda found: found[3] or chr(int(found[1] or found[2], 16)), key[1:-1])
