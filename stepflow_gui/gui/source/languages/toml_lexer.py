"""The parts of one line of TOML for the eye."""

import re

from stepflow_gui.gui.source.languages.json_lexer import LONGEST, LexerToken, Role

_LONG_END = {1: re.compile(r'(?:[^"\\]|\\.|"(?!""))*+"""'), 2: re.compile(r"(?:[^']|'(?!''))*+'''")}
_NAME = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_DOTTED = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_PART = re.compile(
    r"(?P<comment>\#.*)"
    r'|(?P<long>"""|' + r"''')"
    rf"|(?P<key>{_DOTTED})(?=\s*=)"
    r"""|(?P<string>"(?:[^"\\]|\\.)*+(?:"|$)|'[^']*+(?:'|$))"""
    r"|(?P<word>\b(?:true|false|inf|nan)\b)"
    r"|(?P<number>[+-]?\d[\w.:+-]*)"
    r"|(?P<bracket>[{}\[\]])"
)
_HEADER = re.compile(rf"\s*\[\[?\s*{_DOTTED}\s*\]?\]?")
_ROLES: tuple[Role, ...] = ("comment", "key", "string", "word", "number", "bracket")


def toml_parts(line: str, is_open: int = 0) -> tuple[list[LexerToken], int]:
    r"""A line of TOML. What it leaves open: 1 a text in \"\"\", 2 one in '''."""
    if len(line) > LONGEST:
        return [], is_open
    found: list[LexerToken] = []
    at = 0
    if is_open:
        end = _LONG_END[is_open].match(line)
        if end is None:
            return [LexerToken(0, len(line), "string")] if line else [], is_open
        found.append(LexerToken(0, end.end(), "string"))
        at = end.end()
    elif header := _HEADER.match(line):
        found.append(LexerToken(len(line) - len(line.lstrip()), header.end(), "heading"))
        at = header.end()
    while match := _PART.search(line, at):
        at = match.end()
        if match["long"]:
            kind = 1 if match["long"] == '"""' else 2
            end = _LONG_END[kind].match(line, at)
            at = end.end() if end else len(line)
            found.append(LexerToken(match.start(), at, "string"))
            if end is None:
                return found, kind
            continue
        found += [LexerToken(*match.span(), role) for role in _ROLES if match[role] is not None]
    return found, 0
