"""The parts of one line of YAML for the eye."""

import re
from collections.abc import Iterator

from stepflow_gui.gui.source.languages.json_lexer import LONGEST, STATES, LexerToken, Role
from stepflow_gui.text.yaml.line_parts import key_end, list_dashes
from stepflow_gui.text.yaml.scalar import plain_value

_QUOTES = {'"': 1, "'": 2}  # what a text of many lines leaves open
_QUOTE_ENDS = {1: re.compile(r'(?:[^"\\]|\\.|\\$)*+"'), 2: re.compile(r"(?:[^']|'')*+'(?!')")}
_BLOCK = 3  # and more: a block of lines, by the column that its own are further in than
_DEEPEST = STATES - _BLOCK - 1
_PART = re.compile(
    r"(?P<space>[ \t]+)"
    r"|(?P<comment>(?:(?<=[ \t])|^)\#.*)"
    r"|(?P<variable>[&*][^\s,\[\]{}]+)"
    r"|(?P<mark>![^\s,\[\]{}]*)"
    r"|(?P<block>[|>][-+0-9]*(?=[ \t]*(?:[ \t]\#.*)?$))"
    r"|(?P<quote>[\"'])"
    r"|(?P<bracket>[{}\[\]])"
    r"|(?P<comma>[,:](?=[ \t,\[\]{}]|$))"
)
_ROLES: dict[str | None, Role] = {"comment": "comment", "variable": "variable", "mark": "mark", "bracket": "bracket"}
_PLAIN_END = re.compile(r"[ \t]\#|:(?=[ \t]|$)")
_PLAIN_END_IN_BRACKETS = re.compile(r"[ \t]\#|[,\[\]{}]|:(?=[ \t,\[\]{}]|$)")
_DOCUMENT = re.compile(r"(?:---|\.\.\.)(?=\s|$)|%.*")


def yaml_parts(line: str, is_open: int = 0) -> tuple[list[LexerToken], int]:
    """A line of YAML. What it leaves open: a text in double (1) or single (2) quotes, a block of lines (3 and more)."""
    if len(line) > LONGEST:
        return [], is_open
    indent = len(line) - len(line.lstrip(" "))
    if is_open >= _BLOCK:
        if not line.strip() or indent > is_open - _BLOCK:
            return ([LexerToken(indent, len(line), "string")] if line.strip() else []), is_open
        is_open = 0
    if is_open:
        end = _QUOTE_ENDS[is_open].match(line)
        if end is None:
            return ([LexerToken(0, len(line), "string")] if line else []), is_open
        found, left = _values(line, end.end(), indent)
        return [LexerToken(0, end.end(), "string"), *found], left
    if document := _DOCUMENT.match(line):
        found, left = _values(line, document.end(), 0)
        return [LexerToken(0, document.end(), "mark"), *found], left
    begun = list(_beginning(line))
    at = begun[-1].end if begun else 0
    column = begun[-1].start if begun else indent
    found, left = _values(line, at, column)
    return begun + found, left


def _beginning(line: str) -> Iterator[LexerToken]:
    """The dashes and the key of a line."""
    at = len(line) - len(line.lstrip(" \t"))
    for dash in list_dashes(line):
        yield LexerToken(dash, dash + 1, "mark")
        rest = line[dash + 1 :]
        at = dash + 1 + len(rest) - len(rest.lstrip(" \t"))
    end = key_end(line, at)
    if end is not None:
        yield LexerToken(at, end, "key")


def _values(line: str, at: int, column: int) -> tuple[list[LexerToken], int]:
    """What follows; `column`: that of the key or dash it belongs to."""
    found: list[LexerToken] = []
    depth = 0
    while at < len(line):
        match = _PART.match(line, at)
        if match is None:
            token = _plain(line, at, depth)
            found.append(token)
            at = token.end
            continue
        at = match.end()
        sign = match.group()
        if match.lastgroup == "block":
            found.append(LexerToken(*match.span(), "mark"))
            found += _values(line, at, column)[0]  # a comment
            return found, _BLOCK + min(column, _DEEPEST)
        if match.lastgroup == "quote":
            end = _QUOTE_ENDS[_QUOTES[sign]].match(line, at)
            at = end.end() if end else len(line)
            is_key = depth and line[at:].lstrip(" \t").startswith(":")
            found.append(LexerToken(match.start(), at, "key" if is_key else "string"))
            if end is None:
                return found, _QUOTES[sign]
        elif match.lastgroup in _ROLES:
            found.append(LexerToken(*match.span(), _ROLES[match.lastgroup]))
            depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(sign, 0)
    return found, 0


def _plain(line: str, at: int, depth: int) -> LexerToken:
    """A scalar without quotes; inside brackets it may be a key."""
    ends = (_PLAIN_END_IN_BRACKETS if depth else _PLAIN_END).search(line, at + 1)
    text = line[at : ends.start() if ends else len(line)].rstrip(" \t")
    end = at + len(text)
    if depth and ends is not None and ends.group() == ":":
        return LexerToken(at, end, "key")
    value = plain_value(text)
    if isinstance(value, bool) or value is None:
        return LexerToken(at, end, "word")
    return LexerToken(at, end, "string" if isinstance(value, str) else "number")
