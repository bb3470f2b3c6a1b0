"""The C scanner of JSON, and where the members and elements of sound JSON stand."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from stepflow_gui.text.source import Span

_INK = re.compile(r"[^ \t\n\r]")
# For sound JSON only; possessive, as there is nothing to try again.
_BLANKS = r"[ \t\n\r]*+"
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_PLAIN_VALUE = rf"({_STRING}|[^ \t\n\r\[{{\",\]}}]++){_BLANKS},?+{_BLANKS}"
_MEMBER = re.compile(rf"({_STRING}){_BLANKS}:{_BLANKS}(?:{_PLAIN_VALUE})?+")
_PLAIN = re.compile(_PLAIN_VALUE)
_COMMA = re.compile(rf"{_BLANKS},?+{_BLANKS}")
_NESTED = 8  # levels that a pattern can pass over, without making values only to learn where they end

scan = json.JSONDecoder().raw_decode


def scan_members(text: str, start: int) -> Iterator[tuple[str, int, int, int, int]]:
    """Each member of a sound object: its key, where that stands, where its value stands."""
    at = skip(text, start + 1)
    while member := _MEMBER.match(text, at):
        key, key_end = member[1], member.end(1)
        key = scan(key)[0] if "\\" in key else key[1:-1]
        begin, end = member.span(2)
        if begin < 0:
            begin = member.end()
            end = _end_of_inside(text, begin)
            yield key, at, key_end, begin, end
            at = _next(text, end)
        else:
            yield key, at, key_end, begin, end
            at = member.end()


def scan_items(text: str, start: int) -> Iterator[Span]:
    """Where each element of a sound array stands."""
    at = skip(text, start + 1)
    while text[at] != "]":
        item = _PLAIN.match(text, at)
        if item:
            yield Span(at, item.end(1))
            at = item.end()
        else:
            end = _end_of_inside(text, at)
            yield Span(at, end)
            at = _next(text, end)


def _end_of_inside(text: str, start: int) -> int:
    """Where a sound object or array ends."""
    inside = _INSIDE.match(text, start)
    return inside.end() if inside else scan(text, start)[1]


def _next(text: str, end: int) -> int:
    following = _COMMA.match(text, end)
    return following.end() if following else end


def _brackets(levels: int) -> str:
    """A pattern for an object or array that holds no more than so many levels."""
    text = r"[^\[\]{}\"]*+"
    inside = _STRING if levels == 0 else f"{_STRING}|{_brackets(levels - 1)}"
    return rf"[\[{{]{text}(?:(?:{inside}){text})*+[\]}}]"


_INSIDE = re.compile(_brackets(_NESTED))


def skip(text: str, at: int) -> int:
    """Where the next character stands that is not a blank."""
    ink = _INK.search(text, at)
    return ink.start() if ink else len(text)


def decoder() -> tuple[Callable[[str, int], tuple[Any, int]], list[bool]]:
    """The C scanner, to read the value at an offset and find its end, and a list that is empty until a key is doubled.

    Reading raises ValueError for anything but JSON, RecursionError for JSON nested too deep.
    """
    clashes: list[bool] = []

    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        built = dict(pairs)
        if len(built) != len(pairs):
            clashes.append(True)
        return built

    def refuse(constant: str) -> Any:
        raise ValueError(constant)  # NaN and Infinity are not JSON

    return json.JSONDecoder(object_pairs_hook=build, parse_constant=refuse).raw_decode, clashes
