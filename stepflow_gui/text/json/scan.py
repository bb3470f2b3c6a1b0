"""The scanner below `recovery`: cuts JSON text, however broken, into tokens and names what is wrong in each."""

import json
import re
from typing import Literal

from stepflow_gui.text.json.tree import JsonValue, SyntaxProblem

TokenKind = Literal["{", "}", "[", "]", ":", ",", "string", "number", "literal", "word", "junk", "end"]

# Every pattern is bounded by a line, or starts where the last ended, so any text is scanned in linear time.
_BLANK = re.compile(r"[ \t\n\r]*")
_ODD_BLANK = re.compile(r"[\f\v\x85\xa0\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]+")
_SOUND_STRING = re.compile(
    r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"(?=[\s,:;}\]：，、｝］]|/[/*]|\Z)'
)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?(?![\w.+-])")
_NUMBERISH = re.compile(r"[+-]?(?:\.?[0-9]|NaN\b|Infinity\b)[\w.+-]*", re.ASCII)
_WORD = re.compile(
    r"(?:[^\s\"'{}\[\],:;#/\x00-\x1f“”„‟‘’：，、｛｝［］]|/(?![/*]))(?:[^\s\"{}\[\],:;/\x00-\x1f“”：，、｛｝［］]|/(?![/*]))*"
)
_LINE_COMMENT = re.compile(r"(?://|#|/\*)[^\n\r]*")
_MORE_COMMENTS = re.compile(r"(?:[ \t]*\r?\n[ \t]*(?://|#)[^\n\r]*)+")
_MARKER = re.compile(r"(?:<{7}|={7}|>{7}|\|{7})(?=[ \r\n]|\Z)[^\n\r]*")
_NEXT_MARKER = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?=[ \r\n]|\Z)[^\n\r]*", re.MULTILINE)
_STRUCTURE = re.compile(r"[ \t]*(?:[,:;}\]\n\r：，、｝］]|/[/*]|\Z)")
_NEXT_LINE_IS_JSON = re.compile(r'\s*(?:\Z|[{}\[\]]|"[^"\n\r]*"[ \t]*(?:[:,\]\n\r]|\Z)|(?:<{7}|={7}|>{7}) )')
_KEY_FOLLOWS = re.compile(r'[^"\n\r]*"[ \t]*[:,}\]]')
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_TO_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|(.?))|"', re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f]")
_LINE_END = re.compile(r"[\n\r]")
_BRACKETS = re.compile(r"[{}\[\]]")

_CLOSING_QUOTE = {'"': '"', "'": "'", "“": "”", "„": "“”", "‟": "”", "”": "”", "‘": "’", "’": "’"}
_TO_CLOSE = {
    quote: re.compile(rf"(?:[^\\\n\r{closing}]|\\[^\n\r])*[{closing}]") for quote, closing in _CLOSING_QUOTE.items()
}
_TO_CLOSE_FAR = re.compile(r'(?:[^\\"]|\\.)*"', re.DOTALL)
_FULL_WIDTH: dict[str, TokenKind] = {"：": ":", "，": ",", "、": ",", "｛": "{", "｝": "}", "［": "[", "］": "]"}
_LITERALS: dict[str, JsonValue] = {"true": True, "false": False, "null": None}
_decode_string = json.JSONDecoder(strict=False).raw_decode


class Scanner:
    """The token at hand, and `advance` to the next. `before` is where the last one ended.

    `problems` collects what is wrong inside tokens and between them (comments, conflict markers, odd blanks).
    """

    __slots__ = ("_no_comment_end", "_skips", "before", "end", "kind", "problems", "start", "text", "value")

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.start = self.end = self.before = at
        self.kind: TokenKind = "end"
        self.value: JsonValue = None
        self.problems: list[SyntaxProblem] = []
        self._no_comment_end = False
        self._skips: list[tuple[int, int]] = []  # the sides of conflicts that are passed over, from last to first

    def advance(self, expects_key: bool = False) -> None:
        """Go on to the next token."""
        text = self.text
        self.before = self.end
        at = self._past_blanks(self.end)
        self.start = at
        char = text[at : at + 1]
        if char == '"' and (sound := _SOUND_STRING.match(text, at)):
            self.kind, self.end = "string", sound.end()
            inside = text[at + 1 : self.end - 1]
            self.value = _decode_string(text, at)[0] if "\\" in inside else inside
        elif char in ("{", "}", "[", "]", ":", ","):
            self.kind, self.end, self.value = char, at + 1, char  # type: ignore[assignment]
        elif char in _FULL_WIDTH:
            self.kind, self.end, self.value = _FULL_WIDTH[char], at + 1, char
            self.report("full-width", at, at + 1, char)
        elif char in _CLOSING_QUOTE:
            self._broken_string(at, expects_key)
        elif not char:
            self.kind, self.end, self.value = "end", at, None
        elif found := _NUMBER.match(text, at):
            self.kind, self.end = "number", found.end()
            self.value = number(found[0], is_whole=found[1] is None and found[2] is None)
        else:
            self._word(at)

    def peek(self) -> str:
        """The character after this token that is not a blank; empty at the end of the text."""
        at = _BLANK.match(self.text, self.end)
        char = self.text[at.end() : at.end() + 1] if at else ""
        return _FULL_WIDTH.get(char, char)

    def new_line(self) -> bool:
        """Whether a line ended between the last token and this one."""
        return "\n" in self.text[self.before : self.start] or "\r" in self.text[self.before : self.start]

    def report(self, kind: str, start: int, end: int, detail: str = "") -> None:
        """Note a problem."""
        self.problems.append(SyntaxProblem(kind, start, end, detail))

    def jump(self, end: int) -> None:
        """Take a value, already read, as the token at hand, up to `end`."""
        self.end = end

    def _past_blanks(self, at: int) -> int:
        text = self.text
        while True:
            blank = _BLANK.match(text, at)
            at = blank.end() if blank else at
            if self._skips and at >= self._skips[-1][0]:
                at = max(at, self._skips.pop()[1])
                continue
            char = text[at : at + 1]
            if char in ("/", "#") and (comment := self._comment(at)):
                end = comment
            elif char in ("<", "=", ">", "|") and (marker := self._conflict(at)):
                end = marker
            elif char > "~" or char in ("\f", "\v"):
                odd = _ODD_BLANK.match(text, at)
                if not odd:
                    return at
                end = odd.end()
                self.report("odd-blank", at, end, f"U+{ord(char):04X}")
            else:
                return at
            at = end

    def _comment(self, at: int) -> int | None:
        """The end of the comment that begins here; line comments that follow each other are one."""
        text = self.text
        if text.startswith("/*", at) and not self._no_comment_end:
            end = text.find("*/", at + 2) + 2
            if end > at:
                self.report("comment", at, end)
                return end
            self._no_comment_end = True
        comment = _LINE_COMMENT.match(text, at)
        if not comment:
            return None
        more = _MORE_COMMENTS.match(text, comment.end())
        end = more.end() if more else comment.end()
        self.report("comment", at, end, excerpt(comment[0]))
        return end

    def _conflict(self, at: int) -> int | None:
        """The end of a conflict's first marker, having arranged that its other side is passed over."""
        text = self.text
        marker = _MARKER.match(text, at)
        if not marker or text[at - 1 : at] not in ("", "\n", "\r"):
            return None
        end, other, first = marker.end(), None, marker[0][0]
        if first == "<":
            for following in _NEXT_MARKER.finditer(text, marker.end()):
                sign = following[0][0]
                if sign in "|=" and other is None:
                    other = following.start()
                elif sign == ">" and other is not None:
                    end = following.end()
                    self._skips.append((other, end))
                    break
                elif sign in "<>":
                    break
        self.report("merge-conflict", at, end, marker[0])
        return marker.end()

    def _word(self, at: int) -> None:
        text = self.text
        if found := _NUMBERISH.match(text, at):
            value = _loose_number(found[0])
            if value is not None:
                self.kind, self.end, self.value = "number", found.end(), value
                self.report("bad-number", at, found.end(), excerpt(found[0]))
                return
        found = _WORD.match(text, at)
        self.end = found.end() if found else at + 1
        self.value = text[at : self.end]
        self.kind = "word" if found else "junk"
        if self.value in _LITERALS:
            self.kind, self.value = "literal", _LITERALS[self.value]

    def _broken_string(self, at: int, expects_key: bool) -> None:
        """A string that the standard refuses, or one whose end is doubtful."""
        text, quote = self.text, self.text[at]
        self.kind = "string"
        closed = _TO_CLOSE[quote].match(text, at + 1)
        if not closed:
            self._open_string(at, expects_key)
        elif _STRUCTURE.match(text, closed.end()) or not self._doubtful(at, closed.end(), expects_key):
            self._wrong_inside(at, closed.end())

    def _wrong_inside(self, at: int, end: int) -> None:
        """A string with a clear end: name what is wrong in it."""
        quote, raw = self.text[at], self.text[at + 1 : end - 1]
        if quote != '"':
            self._take(at, end, raw, "single-quotes" if quote == "'" else "curly-quotes")
        elif bad := _BAD_ESCAPE.search(raw):
            start = at + 1 + bad.start()
            self._take(at, end, raw, "bad-escape", (start, min(start + 2, end - 1)))
        elif control := _CONTROL.search(raw):
            start = at + 1 + control.start()
            self._take(at, end, raw, "control-character", (start, start + 1))
        else:
            self._take(at, end, raw)

    def _open_string(self, at: int, expects_key: bool) -> None:
        """A string that doesn't end in its line: it goes on in the next ones, or its last quotation mark is missing."""
        text = self.text
        line_end = self._line_end(at)
        if text[at] == '"' and not _NEXT_LINE_IS_JSON.match(text, line_end):
            closed = _TO_CLOSE_FAR.match(text, at + 1)
            if closed and _STRUCTURE.match(text, closed.end()):
                raw = text[at + 1 : closed.end() - 1]
                return self._take(at, closed.end(), raw, "control-character", (line_end, line_end + 1))
        return self._unclosed(at, text[at + 1 : line_end], expects_key)

    def _doubtful(self, at: int, end: int, expects_key: bool) -> bool:
        """A quotation mark that nothing of JSON follows: it opens the next string, or belongs into this one.

        Takes the string and returns True where one of the two explains it.
        """
        text, quote = self.text, self.text[at]
        raw = text[at + 1 : end - 1]
        opens_next = raw.rstrip()[-1:] in (",", "{", "[") and _KEY_FOLLOWS.match(text, end)
        if (expects_key and ":" in raw) or opens_next:
            self._unclosed(at, raw, expects_key)
            return True
        if text[end] == quote:
            if _STRUCTURE.match(text, end + 1):  # the mark is there twice
                self._take(at, end + 1, raw, "unescaped-quote", (end, end + 1))
                return True
            return False
        closed = _TO_CLOSE[quote].match(text, end, end + 1000)
        while closed and not _STRUCTURE.match(text, closed.end()):
            closed = _TO_CLOSE[quote].match(text, closed.end(), end + 1000)
        if closed is None:
            return False
        self._take(at, closed.end(), text[at + 1 : closed.end() - 1], "unescaped-quote", (end - 1, end))
        return True

    def _unclosed(self, at: int, raw: str, expects_key: bool) -> None:
        """A string that lacks its end: what looks like JSON at the end of the line is not taken as part of it."""
        if expects_key and ":" in raw:
            raw = raw.partition(":")[0]
        loose = _loose_closers(raw)
        seen_structure = False
        end = kept = len(raw)
        while end:
            last = raw[end - 1]
            if last in " \t":
                end -= 1
                continue
            if loose.get(last, 0):
                loose[last] -= 1
            elif last != "," or seen_structure:
                break
            seen_structure = True
            end -= 1
        if seen_structure or expects_key:
            kept = end
        self._take(at, at + 1 + kept, raw[:kept], "unclosed-string")

    def _take(
        self, at: int, end: int, raw: str, problem: str | None = None, where: tuple[int, int] | None = None
    ) -> None:
        self.end = end
        self.value = _loose_string(raw)
        if problem:
            start, stop = where or (at, end)
            detail = self.text[start:stop]
            self.report(problem, start, stop, excerpt(detail) if detail >= " " else f"U+{ord(detail[0]):04X}")

    def _line_end(self, at: int) -> int:
        found = _LINE_END.search(self.text, at)
        return found.start() if found else len(self.text)


def number(text: str, is_whole: bool) -> int | float:
    """A JSON number's value: inf where a float can't hold it, a float where Python won't read so long an int."""
    if is_whole:
        try:
            return int(text)
        except ValueError:  # more digits than sys.get_int_max_str_digits()
            pass
    return float(text)


def excerpt(text: str) -> str:
    """The beginning of a text, to name it by."""
    first = text.split("\n", 1)[0].strip()
    return first if len(first) <= 60 else first[:59] + "…"


def _loose_number(text: str) -> int | float | None:
    for read in (lambda: int(text, 0), lambda: int(text), lambda: float(text)):
        try:
            return read()
        except ValueError:
            pass
    return None


def _loose_string(raw: str) -> str:
    """The value of a string's inside, wrong escapes taken as they stand."""
    repaired = _TO_ESCAPE.sub(_repair, raw)
    decoded = _decode_string(f'"{repaired}"')[0]
    return decoded if isinstance(decoded, str) else raw


def _repair(found: re.Match[str]) -> str:
    if found[1]:
        return found[0]
    if found[0] == '"':
        return '\\"'
    return "'" if found[2] == "'" else "\\\\" + found[2]


def _loose_closers(raw: str) -> dict[str, int]:
    """How many closing brackets in a text have no opening one before them."""
    depth = {"}": 0, "]": 0}
    loose = {"}": 0, "]": 0}
    for bracket in _BRACKETS.findall(raw):
        if bracket in "{[":
            depth["}" if bracket == "{" else "]"] += 1
        elif depth[bracket]:
            depth[bracket] -= 1
        else:
            loose[bracket] += 1
    return loose
