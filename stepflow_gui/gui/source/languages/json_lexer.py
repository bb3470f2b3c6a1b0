"""The parts of one line of JSON text for the eye: keys, strings, numbers, words, brackets, comments."""

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

Role = Literal[
    "key",
    "keyword",  # a key that the language itself knows
    "string",
    "number",
    "word",
    "bracket",
    "comment",
    "heading",
    "mark",  # what makes a list, a quotation, a rule or emphasis of a text
    "code",
    "variable",
    "strong",
]

LONGEST = 20_000  # characters of a line; longer ones, as of minified files, stay plain

_PART = re.compile(
    r'(?P<string>"(?:[^"\\]|\\.)*+(?:"|\\?$))(?P<key>\s*:)?'
    r"|(?P<comment>//.*|/\*.*)"
    r"|(?P<number>-?\d[\w.+-]*)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<bracket>[{}\[\]])"
)
_WORDS = {"true", "false", "null"}
# The keywords of JSON Schema by what their values begin with: a property may have the same name.
_KEYWORDS = {
    '"': "$schema $id $ref $comment type title description const format pattern default",
    "[": "type enum required allOf anyOf oneOf examples items prefixItems",
    "{": "properties definitions $defs items patternProperties additionalProperties not if then else contains"
    " propertyNames dependentRequired dependentSchemas",
    "": "const default minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems"
    " maxItems uniqueItems minProperties maxProperties additionalProperties deprecated readOnly writeOnly",
}
_KNOWN = {sign: frozenset(words.split()) for sign, words in _KEYWORDS.items()}


class LexerToken(NamedTuple):
    """A stretch of a line, in code points from its start."""

    start: int
    end: int
    role: Role


Lex = Callable[[str, int], tuple[list[LexerToken], int]]
"""Takes a line apart, given what the line before it left open (0: nothing); gives what this one leaves open."""
STATES = 256  # what can be open is less than this


def parts(line: str) -> Iterator[LexerToken]:
    """The parts of a line in order. A string never spans lines, so a line is read by itself."""
    if len(line) > LONGEST:
        return
    for match in _PART.finditer(line):
        if match["string"] is not None:
            yield LexerToken(match.start(), match.end("string"), "key" if match["key"] else "string")
        elif match["comment"] is not None:
            yield LexerToken(match.start(), match.end(), "comment")
        elif match["number"] is not None:
            yield LexerToken(match.start(), match.end(), "number")
        elif match["bracket"] is not None:
            yield LexerToken(match.start(), match.end(), "bracket")
        elif match["word"] in _WORDS:
            yield LexerToken(match.start(), match.end(), "word")


def json_parts(line: str, _open: int = 0) -> tuple[list[LexerToken], int]:
    """A line of JSON; nothing goes on in the next."""
    return list(parts(line)), 0


def schema_parts(line: str, _open: int = 0) -> tuple[list[LexerToken], int]:
    """A line of a JSON Schema: its keywords are distinguished from the names of properties."""
    return [_as_keyword(line, part) if part.role == "key" else part for part in parts(line)], 0


def no_parts(_line: str, _open: int = 0) -> tuple[list[LexerToken], int]:
    """A text of which nothing is known."""
    return [], 0


def _as_keyword(line: str, key: LexerToken) -> LexerToken:
    begun = line[key.end :].lstrip(" \t:")[:1]
    known = _KNOWN.get(begun, _KNOWN[""])
    return key._replace(role="keyword") if line[key.start + 1 : key.end - 1] in known else key
