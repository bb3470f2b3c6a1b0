"""The parts of one line of JSON text for the eye: keys, strings, numbers, words, brackets, comments."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Role = Literal["key", "string", "number", "word", "bracket", "comment"]

LONGEST = 20_000  # characters of a line; longer ones, as of minified files, stay plain

_PART = re.compile(
    r'(?P<string>"(?:[^"\\]|\\.)*+(?:"|\\?$))(?P<key>\s*:)?'
    r"|(?P<comment>//.*|/\*.*)"
    r"|(?P<number>-?\d[\w.+-]*)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<bracket>[{}\[\]])"
)
_WORDS = {"true", "false", "null"}


class Part(NamedTuple):
    """A stretch of a line, in code points from its start."""

    start: int
    end: int
    role: Role


def parts(line: str) -> Iterator[Part]:
    """The parts of a line in order. A string never spans lines, so a line is read by itself."""
    if len(line) > LONGEST:
        return
    for match in _PART.finditer(line):
        if match["string"] is not None:
            yield Part(match.start(), match.end("string"), "key" if match["key"] else "string")
        elif match["comment"] is not None:
            yield Part(match.start(), match.end(), "comment")
        elif match["number"] is not None:
            yield Part(match.start(), match.end(), "number")
        elif match["bracket"] is not None:
            yield Part(match.start(), match.end(), "bracket")
        elif match["word"] in _WORDS:
            yield Part(match.start(), match.end(), "word")
