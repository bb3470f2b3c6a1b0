"""Reads a regular expression as JavaScript does without its flag `u`: ASCII digits and words, no inline flags."""

import re
from functools import cached_property

from stepflow_gui.text.expressions.syntax import (
    LAST,
    MOST_PARTS,
    Alternatives,
    BackReference,
    Boundary,
    CharacterSet,
    LookAround,
    Part,
    Ranges,
    Repetition,
    Sequence,
    TooLargeError,
    complement,
    normalized,
)

_DEEPEST = 100  # groups inside one another
_BLANKS = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"
_LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
_CLASSES: dict[str, Ranges] = {
    "d": ((0x30, 0x39),),
    "w": normalized([(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)]),
    "s": normalized([(0x2000, 0x200A), *((ord(char), ord(char)) for char in _BLANKS)]),
}
_CONTROLS = {"f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_LOOKS = {"(?=": (True, False), "(?!": (True, True), "(?<=": (False, False), "(?<!": (False, True)}
_NAMED = re.compile(r"\(\?<([A-Za-z_$][\w$]*)>")
_MODIFIERS = re.compile(r"\(\?([ims]*)(?:-([ims]+))?:")
_SIGNS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_COUNTED = "*+?{"
_COUNT = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")
_GROUPS = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|(\((?!\?)|\(\?<[A-Za-z_$])", re.DOTALL)
_GROUP_NUMBER = re.compile("[1-9][0-9]*")
_GROUP_NAME = re.compile(r"k<([A-Za-z_$][\w$]*)>")
_OCTAL = re.compile(r"[0-3][0-7]{0,2}|[4-7][0-7]?")


class RefusedError(Exception):
    """JavaScript would not take the expression."""


def parse(source: str, *, ignore_case: bool = False) -> Part:
    """What an expression is made of. Raises RefusedError and TooLargeError."""
    return _Parser(source, ignore_case).whole()


class _Level:
    """A group while it is read: what it is, the alternatives that are complete, and the parts of the last."""

    __slots__ = ("alternatives", "flags", "look", "parts")

    def __init__(self, flags: frozenset[str], look: tuple[bool, bool] | None) -> None:
        self.flags = flags  # of what is around it
        self.look = look
        self.alternatives: list[Part] = []
        self.parts: list[Part] = []

    def next_alternative(self) -> None:
        parts = self.parts
        self.alternatives.append(parts[0] if len(parts) == 1 else Sequence(tuple(parts)))
        self.parts = []

    def part(self) -> Part:
        """All of it, when it ends."""
        self.next_alternative()
        found = self.alternatives
        part = found[0] if len(found) == 1 else Alternatives(tuple(found))
        return LookAround(part, *self.look) if self.look else part


class _Parser:
    def __init__(self, source: str, ignore_case: bool) -> None:
        self._source = source
        self._at = 0
        self._parts = 0
        self._flags = frozenset("i" if ignore_case else "")
        self._names: set[str] = set()

    @cached_property
    def _groups(self) -> int:
        """How many groups it has, also behind the place that is read."""
        return sum(found[1] is not None for found in _GROUPS.finditer(self._source))

    def whole(self) -> Part:
        """Without recursion: where calls nest deeply, Python may ask the system for memory at each of them."""
        source, around = self._source, list[_Level]()
        level = _Level(self._flags, None)
        while self._at < len(source):
            char = source[self._at]
            if char == "|":
                self._at += 1
                level.next_alternative()
            elif char == "(":
                around.append(level)
                level = self._opened()
                if len(around) > _DEEPEST:
                    raise TooLargeError
            elif char == ")":
                if not around:
                    raise RefusedError
                self._at += 1
                self._flags = level.flags
                part, is_group = level.part(), level.look is None
                level = around.pop()
                level.parts.append(self._counted(part, is_group=is_group))
            else:
                level.parts.append(self._counted(self._atom(), is_group=False))
        if around:
            raise RefusedError
        return level.part()

    def _counted(self, part: Part, *, is_group: bool) -> Part:
        """A part with the count behind it, if there is one."""
        self._parts += 1
        if self._parts > MOST_PARTS:
            raise TooLargeError
        if self._at >= len(self._source) or self._source[self._at] not in _COUNTED:
            return part
        return self._repeated(part, is_group=is_group)

    def _take(self, text: str) -> bool:
        found = self._source.startswith(text, self._at)
        self._at += len(text) * found
        return found

    def _repeated(self, part: Part, *, is_group: bool) -> Part:
        counts = self._counts()
        if counts is None:
            return part
        self._take("?")
        self._parts += 1
        looks_back = isinstance(part, LookAround) and not part.ahead
        if (not is_group and (isinstance(part, Boundary) or looks_back)) or self._counts() is not None:
            raise RefusedError
        return Repetition(part, *counts)

    def _counts(self) -> tuple[int, int | None] | None:
        counts = _SIGNS.get(self._source[self._at : self._at + 1])
        if counts is not None:
            self._at += 1
            return counts
        found = _COUNT.match(self._source, self._at)
        if found is None:
            return None
        self._at = found.end()
        least = _number(found[1])
        most = least if found[2] is None else _number(found[3]) if found[3] else None
        if most is not None and most < least:
            raise RefusedError
        return least, most

    def _atom(self) -> Part:
        char = self._source[self._at]
        if char == "\\":
            return self._escape()
        if char in _COUNTED and (char != "{" or _COUNT.match(self._source, self._at)):
            raise RefusedError
        self._at += 1
        if char == "[":
            return self._set()
        if char == ".":
            return CharacterSet(((0, LAST),)) if "s" in self._flags else CharacterSet(_LINE_ENDS, inverted=True)
        if char == "^":
            return Boundary("line-start" if "m" in self._flags else "start")
        if char == "$":
            return Boundary("line-end" if "m" in self._flags else "end")
        return self._one(ord(char))

    def _one(self, code: int) -> CharacterSet:
        return CharacterSet(((code, code),), fold="i" in self._flags)

    def _opened(self) -> _Level:
        """The group that begins here."""
        level = _Level(self._flags, None)
        named, modifiers = _NAMED.match(self._source, self._at), _MODIFIERS.match(self._source, self._at)
        if named:
            if named[1] in self._names:
                raise RefusedError
            self._names.add(named[1])
            self._at = named.end()
        elif modifiers:
            self._flags = (self._flags | set(modifiers[1])) - set(modifiers[2] or "")
            self._at = modifiers.end()
        elif self._source.startswith("(?", self._at):
            opening = next((each for each in _LOOKS if self._source.startswith(each, self._at)), None)
            if opening is None:
                raise RefusedError
            level.look = _LOOKS[opening]
            self._at += len(opening)
        else:
            self._at += 1
        return level

    # Characters

    def _set(self) -> CharacterSet:
        inverted = self._take("^")
        ranges: list[tuple[int, int]] = []
        while not self._take("]"):
            first = self._member()
            if not self._source.startswith("-", self._at) or self._source.startswith("-]", self._at):
                ranges += [(first, first)] if isinstance(first, int) else first
                continue
            self._at += 1
            last = self._member()
            if isinstance(first, int) and isinstance(last, int):
                if last < first:
                    raise RefusedError
                ranges.append((first, last))
            else:  # a class at an end: then the hyphen is one of the characters
                for each in (first, ord("-"), last):
                    ranges += [(each, each)] if isinstance(each, int) else each
        return CharacterSet(normalized(ranges), inverted, "i" in self._flags)

    def _member(self) -> int | Ranges:
        if self._at >= len(self._source):
            raise RefusedError
        char = self._source[self._at]
        self._at += 1
        if char != "\\":
            return ord(char)
        char = self._escaped()
        if char in "dDwWsS":
            self._at += 1
            return _class(char)
        if char == "b":
            self._at += 1
            return ord("\b")
        return self._code()

    def _escape(self) -> Part:
        self._at += 1
        char = self._escaped()
        if char in "bB":
            self._at += 1
            return Boundary("word", negated=char == "B")
        if char in "dDwWsS":
            self._at += 1
            return CharacterSet(_class(char), fold="i" in self._flags)
        return self._reference() or self._one(self._code())

    def _escaped(self) -> str:
        if self._at >= len(self._source):
            raise RefusedError
        return self._source[self._at]

    def _reference(self) -> BackReference | None:
        number = _GROUP_NUMBER.match(self._source, self._at)
        name = _GROUP_NAME.match(self._source, self._at)
        if number is not None:
            group = _number(number[0])
            if group > self._groups:
                return None  # what refers to no group is a character
            self._at = number.end()
            return BackReference(group)
        if name is not None and f"(?<{name[1]}>" in self._source:
            self._at = name.end()
            return BackReference(name[1])
        return None

    def _code(self) -> int:
        """The character that an escape denotes, from after the backslash."""
        octal = _OCTAL.match(self._source, self._at)
        if octal is not None:
            self._at = octal.end()
            return int(octal[0], 8)
        char = self._source[self._at]
        self._at += 1
        if char in _CONTROLS:
            return ord(_CONTROLS[char])
        length = {"x": 2, "u": 4}.get(char, 0)
        digits = self._source[self._at : self._at + length]
        if length and len(digits) == length and all(each in "0123456789abcdefABCDEF" for each in digits):
            self._at += length
            return int(digits, 16)
        follows = self._source[self._at : self._at + 1]
        if char == "c":
            if follows.isascii() and follows.isalpha():
                self._at += 1
                return ord(follows) % 32
            self._at -= 1
            return ord("\\")
        return ord(char)


def _class(char: str) -> Ranges:
    ranges = _CLASSES[char.lower()]
    return ranges if char.islower() else complement(ranges)


def _number(digits: str) -> int:
    return int(digits) if len(digits) < 10 else 1_000_000_000
