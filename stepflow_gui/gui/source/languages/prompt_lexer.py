"""The parts of one line of a prompt file for the eye: Markdown, its front matter, and the variables in it."""

import re
from collections.abc import Iterator

from stepflow_gui.gui.source.languages.json_lexer import LONGEST, Lex, LexerToken

_FRONT, _FENCED, _FENCED_TILDES, _BODY, _COMMENT = 1, 2, 3, 4, 5  # what a line leaves open; 0: the first line comes
_VARIABLE = re.compile(r"\{uv-(?P<name>\w+)\}|\{input_text\}", re.ASCII)
_FENCE = re.compile(r"\s{0,3}(?P<fence>```+|~~~+)")
_HEADING = re.compile(r"\s{0,3}#{1,6}(?:\s|$)")
_LEAD = re.compile(r"\s*(?:(?:[-*+]|\d{1,9}[.)])(?=\s|$)(?:\s+\[[ xX]\](?=\s|$))?|>+)")
_RULED = re.compile(r"\s{0,3}(?:-(?:\s*-){2,}|\*(?:\s*\*){2,}|_(?:\s*_){2,})\s*$")
_SETTING = re.compile(r"\s*(?:-\s+)?(?P<key>[\w.-]+)\s*:(?=\s|$)|(?P<comment>\s*\#.*)")
_INLINE = re.compile(
    r"(?P<code>(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<strong>\*\*(?=\S)(?:[^*]|\*(?!\*))+?(?<=\S)\*\*)"
    r"|(?P<comment><!--.*?(?:-->|$))"
    r"|(?P<link>(?<=\])\([^()\s]*\))"
)


def prompt_lexer(is_known: frozenset[str] | None) -> Lex:
    """Reads lines of a prompt. `is_known`: the variables that have a value there; None: any may have one."""

    def lex(line: str, is_open: int = 0) -> tuple[list[LexerToken], int]:
        if len(line) > LONGEST:
            return [], is_open or _BODY
        variables = [
            LexerToken(*use.span(), "variable")
            for use in _VARIABLE.finditer(line)
            if use["name"] is None or is_known is None or use["name"] in is_known
        ]
        if is_open == _FRONT:  # filled in nowhere
            return list(_setting(line)), _BODY if line.startswith("---") else _FRONT
        found, state = _read(line, is_open)
        return _laid_over(found, variables), state

    return lex


def _read(line: str, is_open: int) -> tuple[list[LexerToken], int]:
    if is_open == 0 and line.startswith("---"):
        return [LexerToken(0, len(line), "mark")], _FRONT
    whole = [LexerToken(0, len(line), "code")] if line else []
    fence = _FENCE.match(line)
    if is_open in {_FENCED, _FENCED_TILDES}:
        closes = fence is not None and fence["fence"][0] == ("`" if is_open == _FENCED else "~")
        return ([LexerToken(0, len(line), "mark")], _BODY) if closes else (whole, is_open)
    if is_open == _COMMENT:
        end = line.find("-->")
        if end < 0:
            return [LexerToken(0, len(line), "comment")], _COMMENT
        return [LexerToken(0, end + 3, "comment"), *_inline(line, end + 3)], _BODY
    if fence:
        return [LexerToken(0, len(line), "mark")], _FENCED if fence["fence"][0] == "`" else _FENCED_TILDES
    if _HEADING.match(line):
        return [LexerToken(0, len(line), "heading")], _BODY
    if _RULED.match(line):
        return [LexerToken(0, len(line), "mark")], _BODY
    lead = _LEAD.match(line)
    found = [LexerToken(0, lead.end(), "mark")] if lead else []
    found += _inline(line, lead.end() if lead else 0)
    goes_on = bool(found) and found[-1].role == "comment" and not line[: found[-1].end].endswith("-->")
    return found, _COMMENT if goes_on else _BODY


def _inline(line: str, start: int) -> Iterator[LexerToken]:
    for match in _INLINE.finditer(line, start):
        if match["code"] is not None:
            yield LexerToken(*match.span(), "code")
        elif match["strong"] is not None:
            yield LexerToken(*match.span(), "strong")
        elif match["comment"] is not None:
            yield LexerToken(*match.span(), "comment")
        else:
            yield LexerToken(*match.span(), "mark")


def _setting(line: str) -> Iterator[LexerToken]:
    if line.startswith("---"):
        yield LexerToken(0, len(line), "mark")
        return
    match = _SETTING.match(line)
    if match is None:
        if line.strip():
            yield LexerToken(0, len(line), "string")
    elif match["comment"] is not None:
        yield LexerToken(0, len(line), "comment")
    else:
        yield LexerToken(*match.span("key"), "key")
        if line[match.end() :].strip():
            yield LexerToken(match.end(), len(line), "string")


def _laid_over(found: list[LexerToken], above: list[LexerToken]) -> list[LexerToken]:
    """Parts with others cut out of them."""
    if not above:
        return found
    cut: list[LexerToken] = []
    for part in found:
        at = part.start
        for over in above:
            if over.end <= at or over.start >= part.end:
                continue
            if at < over.start:
                cut.append(LexerToken(at, over.start, part.role))
            at = over.end
        if at < part.end:
            cut.append(LexerToken(at, part.end, part.role))
    return sorted([*cut, *above])
