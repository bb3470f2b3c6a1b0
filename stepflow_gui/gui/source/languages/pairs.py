"""Brackets and quotes that come and go in pairs while somebody types. Knows no Qt."""

from typing import Literal, NamedTuple

from stepflow_gui.gui.source.languages.json_lexer import Lex, LexerToken

Does = Literal["close", "skip", "nothing"]
"""Write the closing half too; step over it; just type."""

_HALVES = {"{": "}", "[": "]", '"': '"', "'": "'"}
_ENDS = frozenset(" \t,:]})=")  # in front of these, and at a line's end, what is opened is closed


class Typed(NamedTuple):
    """What a key does at a caret; `text` is what is written for it."""

    does: Does
    text: str = ""


class Pairs:
    """The pairs of a language, and how its lines are taken apart."""

    __slots__ = ("_lex", "_signs")

    def __init__(self, lex: Lex, signs: str = "") -> None:
        self._lex = lex
        self._signs = signs  # what opens a pair; quotes are their own other half

    def typed(self, sign: str, line: str, column: int, *, closed_here: bool) -> Typed:
        """What a sign does at a column of a line. `closed_here`: what follows came along with an opening half."""
        following = line[column : column + 1]
        closing = {_HALVES[each] for each in self._signs}
        if sign not in closing and sign not in self._signs:
            return Typed("nothing")
        string = self._string(line, column)
        if sign in {'"', "'"}:
            if string is not None:
                ends = following == sign and column == string.end - 1 and _unescaped(line, column)
                return Typed("skip") if ends else Typed("nothing")
        elif string is not None:
            return Typed("nothing")
        elif sign in closing:
            return Typed("skip" if following == sign and closed_here else "nothing")
        before = line[column - 1 : column]
        fits = following == "" or following in _ENDS
        if not fits or (sign == _HALVES[sign] and (before.isalnum() or before == sign)):
            return Typed("nothing")
        return Typed("close", sign + _HALVES[sign])

    def erased(self, line: str, column: int) -> bool:
        """Whether Backspace at a column takes both halves of an empty pair."""
        before, after = line[column - 1 : column], line[column : column + 1]
        if not before or before not in self._signs or _HALVES[before] != after:
            return False
        if before != after:
            return self._string(line, column) is None
        string = self._string(line, column)
        return string is not None and string.end - string.start == 2

    def _string(self, line: str, column: int) -> LexerToken | None:
        """The string that a column is inside of."""
        for part in self._lex(line, 0)[0]:
            if part.role in {"string", "key"} and line[part.start] in {'"', "'"} and part.start < column:
                open_to_end = part.end == column == len(line) and not _is_closed(line[part.start : part.end])
                if column < part.end or open_to_end:
                    return part
        return None


def _is_closed(text: str) -> bool:
    return len(text) > 1 and text[-1] == text[0] and _unescaped(text, len(text) - 1)


def _unescaped(line: str, column: int) -> bool:
    slashes = len(line[:column]) - len(line[:column].rstrip("\\"))
    return slashes % 2 == 0
