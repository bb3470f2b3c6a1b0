"""What a regular expression is made of."""

from bisect import bisect_right
from typing import Literal, NamedTuple

Ranges = tuple[tuple[int, int], ...]
"""Code points from and to, sorted and apart."""

LAST = 0x10FFFF
MOST_PARTS = 5_200
"""Of an expression; those that are repeated count each time where it becomes a machine."""


class TooLargeError(Exception):
    """An expression is too large or too deep to be read, or can't be a machine: a back-reference is beyond it."""


class CharacterSet(NamedTuple):
    """The characters that one place takes; `fold`: whatever their case."""

    ranges: Ranges
    inverted: bool = False
    fold: bool = False

    def takes(self, char: str) -> bool:
        """Whether it takes a character."""
        found = any(map(self._has, map(ord, _cases(char)))) if self.fold else self._has(ord(char))
        return found is not self.inverted

    def _has(self, code: int) -> bool:
        at = bisect_right(self.ranges, (code, LAST)) - 1
        return at >= 0 and code <= self.ranges[at][1]


class Sequence(NamedTuple):
    """One after the other."""

    parts: "tuple[Part, ...]"


class Alternatives(NamedTuple):
    """One of them."""

    parts: "tuple[Part, ...]"


class Repetition(NamedTuple):
    """A part several times; `most` None: without a limit."""

    part: "Part"
    least: int
    most: int | None


class Boundary(NamedTuple):
    """A place between two characters: the text's start or end, or a line's, or a word's."""

    kind: Literal["start", "end", "line-start", "line-end", "word"]
    negated: bool = False


class LookAround(NamedTuple):
    """What follows, or went before, without being taken."""

    part: "Part"
    ahead: bool
    negated: bool


class BackReference(NamedTuple):
    """The text that a group took. No such expression can be matched in bounded time."""

    group: int | str


Part = CharacterSet | Sequence | Alternatives | Repetition | Boundary | LookAround | BackReference


def normalized(ranges: list[tuple[int, int]]) -> Ranges:
    """The same characters, sorted and joined."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)


def complement(ranges: Ranges) -> Ranges:
    """All other characters."""
    found, at = [], 0
    for first, last in ranges:
        if first > at:
            found.append((at, first - 1))
        at = last + 1
    return (*found, (at, LAST)) if at <= LAST else tuple(found)


def _cases(char: str) -> set[str]:
    """A character in its cases. JavaScript takes no ASCII letter for another one, such as K for the Kelvin sign."""
    others = {each for each in (char.lower(), char.upper()) if len(each) == 1}
    return {char, *(each for each in others if each.isascii() == char.isascii())}
