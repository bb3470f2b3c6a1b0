"""Reads a regular expression as JavaScript does without its flag `u`: ASCII digits and words, no inline flags."""

import re

from stepflow_gui.text.expressions.syntax import (
    LAST,
    Alternatives,
    BackReference,
    Boundary,
    CharacterSet,
    LookAround,
    Part,
    Ranges,
    Repetition,
    Sequence,
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
_PLAIN_GROUP = re.compile(r"\((?!\?<?[=!])")
_COUNT = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")
_GROUP_NUMBER = re.compile("[1-9][0-9]*")
_GROUP_NAME = re.compile(r"k<([A-Za-z_$][\w$]*)>")
_OCTAL = re.compile(r"[0-3][0-7]{0,2}|[4-7][0-7]?")


class RefusedError(Exception):
    """JavaScript would not take the expression."""


class TooDeepError(Exception):
    """Its groups are nested deeper than is read."""


def parse(source: str, *, ignore_case: bool = False) -> Part:
    """What an expression is made of. Raises RefusedError and TooDeepError."""
    first = _Parser(source, ignore_case, groups=None)
    part = first.whole()
    if first.greatest <= first.groups:
        return part
    return _Parser(source, ignore_case, groups=first.groups).whole()  # what refers to no group is a character


class _Parser:
    def __init__(self, source: str, ignore_case: bool, groups: int | None) -> None:
        self._source = source
        self._at = 0
        self._depth = 0
        self._flags = frozenset("i" if ignore_case else "")
        self._known_groups = groups
        self._names: set[str] = set()
        self.groups = 0
        self.greatest = 0  # number of a group that is referred to

    def whole(self) -> Part:
        part = self._alternatives()
        if self._at < len(self._source):
            raise RefusedError  # a bracket that closes nothing
        return part

    def _alternatives(self) -> Part:
        parts = [self._sequence()]
        while self._take("|"):
            parts.append(self._sequence())
        return parts[0] if len(parts) == 1 else Alternatives(tuple(parts))

    def _sequence(self) -> Part:
        parts: list[Part] = []
        while self._at < len(self._source) and self._source[self._at] not in "|)":
            in_group = _PLAIN_GROUP.match(self._source, self._at) is not None
            parts.append(self._repeated(self._atom(), in_group=in_group))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _take(self, text: str) -> bool:
        found = self._source.startswith(text, self._at)
        self._at += len(text) * found
        return found

    def _repeated(self, part: Part, *, in_group: bool) -> Part:
        counts = self._counts()
        if counts is None:
            return part
        self._take("?")
        looks_back = isinstance(part, LookAround) and not part.ahead
        if (not in_group and (isinstance(part, Boundary) or looks_back)) or self._counts() is not None:
            raise RefusedError
        return Repetition(part, *counts)

    def _counts(self) -> tuple[int, int | None] | None:
        for sign, counts in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._take(sign):
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
        if char == "(":
            return self._group()
        if char == "\\":
            return self._escape()
        if char in "*+?" or _COUNT.match(self._source, self._at):
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

    def _group(self) -> Part:
        flags = self._flags
        look: tuple[bool, bool] | None = None
        named, modifiers = _NAMED.match(self._source, self._at), _MODIFIERS.match(self._source, self._at)
        if named:
            if named[1] in self._names:
                raise RefusedError
            self._names.add(named[1])
            self.groups += 1
            self._at = named.end()
        elif modifiers:
            self._flags = (flags | set(modifiers[1])) - set(modifiers[2] or "")
            self._at = modifiers.end()
        elif self._source.startswith("(?", self._at):
            opening = next((each for each in _LOOKS if self._source.startswith(each, self._at)), None)
            if opening is None:
                raise RefusedError
            look = _LOOKS[opening]
            self._at += len(opening)
        else:
            self.groups += 1
            self._at += 1
        self._depth += 1
        if self._depth > _DEEPEST:
            raise TooDeepError
        part = self._alternatives()
        self._depth -= 1
        self._flags = flags
        if not self._take(")"):
            raise RefusedError
        return LookAround(part, *look) if look else part

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
            if self._known_groups is not None and group > self._known_groups:
                return None
            self.greatest = max(self.greatest, group)
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
