"""Regular expressions as JavaScript reads them: no inline flags, `$` only at the very end, ASCII digits and words."""

import re
from collections.abc import Iterator

_BLANK = "\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
_LINE_END = "\\n\\r\\u2028\\u2029"
_CLASSES = {"d": "0-9", "w": "A-Za-z0-9_", "s": _BLANK}
_KEPT = frozenset("bBfnrtv\\")  # escapes that mean the same in Python
_GROUPS = ("(?:", "(?=", "(?!", "(?<=", "(?<!")
_MODIFIERS = re.compile(r"\(\?[ims]*(?:-[ims]+)?:")
_NAMED = re.compile(r"\(\?<([A-Za-z_$][\w$]*)>")
_COUNT = re.compile(r"\{\d+(,\d*)?\}")


class _RefusedError(Exception):
    """JavaScript would not take the pattern."""


def compiled(source: str, *, ignore_case: bool = False) -> re.Pattern[str] | None:
    """The pattern for Python; None where JavaScript refuses it, or it needs what Python cannot do."""
    try:
        pattern = "".join(_Translation(source).pieces())
        return re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    except (_RefusedError, re.error, RecursionError, OverflowError):
        return None


class _Translation:
    """One pattern on its way from JavaScript to Python."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0

    def pieces(self) -> Iterator[str]:
        """The parts of the translated pattern, in order."""
        while self._at < len(self._source):
            yield self._next()

    def _next(self) -> str:
        char = self._source[self._at]
        if char == "\\":
            return self._escape(inside=False)
        if char == "[":
            return self._set()
        if char == "(":
            return self._group()
        if char in "*+?":
            return self._repetition(1)
        if char == "{":
            return self._braces()
        self._at += 1
        return {"$": r"\Z", ".": f"[^{_LINE_END}]", "}": r"\}", "]": r"\]"}.get(char, char)

    def _group(self) -> str:
        rest = self._source[self._at :]
        if not rest.startswith("(?"):
            self._at += 1
            return "("
        named = _NAMED.match(rest)
        if named:
            self._at += named.end()
            return f"(?P<{named[1].replace('$', '_')}>"
        modifiers = _MODIFIERS.match(rest)
        opening = next((group for group in _GROUPS if rest.startswith(group)), modifiers[0] if modifiers else None)
        if opening is None:
            raise _RefusedError
        self._at += len(opening)
        return opening

    def _braces(self) -> str:
        count = _COUNT.match(self._source, self._at)
        if count:
            return self._repetition(count.end() - self._at)
        self._at += 1
        return r"\{"

    def _repetition(self, length: int) -> str:
        text = self._source[self._at : self._at + length]
        self._at += length
        if self._source.startswith("?", self._at):
            self._at += 1
            text += "?"
        if self._source[self._at : self._at + 1] in ("*", "+", "?") or _COUNT.match(self._source, self._at):
            raise _RefusedError  # Python takes some of these as possessive
        return text

    def _set(self) -> str:
        self._at += 1
        negated = self._source.startswith("^", self._at)
        self._at += negated
        members = []
        while True:
            if self._at >= len(self._source):
                raise _RefusedError
            char = self._source[self._at]
            if char == "]":
                self._at += 1
                break
            if char == "\\":
                members.append(self._escape(inside=True))
            else:
                self._at += 1
                members.append(char if char.isalnum() or char == "-" else f"\\{char}")
        if not members:
            return r"[\s\S]" if negated else "(?!)"
        return f"[{'^' if negated else ''}{''.join(members)}]"

    def _escape(self, *, inside: bool) -> str:
        if self._at + 1 >= len(self._source):
            raise _RefusedError
        char = self._source[self._at + 1]
        self._at += 2
        if char.lower() in _CLASSES:
            return self._class(char, inside=inside)
        if char in "xu":
            return self._code(char)
        if char == "k" and self._source.startswith("<", self._at):
            end = self._source.find(">", self._at)
            if end > 0:
                name, self._at = self._source[self._at + 1 : end], end + 1
                return f"(?P={name})"
        if char == "c" and self._source[self._at : self._at + 1].isalpha():
            self._at += 1
            return f"\\x{ord(self._source[self._at - 1]) % 32:02x}"
        if char.isdigit() and char != "0":
            return f"\\{char}"
        if char == "0":
            return r"\x00"
        if char == "b" and not inside:
            return r"(?a:\b)"
        if char == "B" and not inside:
            return r"(?a:\B)"
        return f"\\{char}" if char in _KEPT or not char.isalnum() else char

    def _class(self, char: str, *, inside: bool) -> str:
        members = _CLASSES[char.lower()]
        if char.islower():
            return members if inside else f"[{members}]"
        if inside:  # a negated class cannot stand inside another; Python's own is close
            return f"\\{char}"
        return f"[^{members}]"

    def _code(self, char: str) -> str:
        length = 2 if char == "x" else 4
        digits = self._source[self._at : self._at + length]
        if len(digits) < length or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
            return char
        self._at += length
        return f"\\{char}{digits}"
