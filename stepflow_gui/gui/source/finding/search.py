"""Looking for a text or a pattern in the source, never for longer than the window can wait.

A plain text is looked for by Python's `re`, in time that grows with the text alone. A pattern is one of Qt's (PCRE2),
matched line by line. Both go on for a few milliseconds at a time. Of a pattern one attempt may make so many steps, a
very long line is matched stretch by stretch, and all together takes so many seconds: what exceeds that is reported as
hard, with what was found until then. So no pattern, however it doubles back, holds the window up.
"""

import re
import time
from collections.abc import Iterator
from typing import Literal, NamedTuple

from PySide6.QtCore import QRegularExpression

from stepflow_gui.text.source import Source, Span

MOST = 100_000  # hits
_STEPS = 10_000  # that one attempt of a pattern may make: for a stretch at most 20 ms (measured)
_STRETCH = 30_000  # characters of a line in which matches begin that are looked for at once
_BESIDE = 2_000  # characters on both sides that they can reach into
_LONGEST = 3.0  # seconds of the processor for a pattern
_SLICE = 0.012  # seconds of work at a time
_FIRST = 0.04  # seconds of work that is waited for at once
_LINES = 40  # between two looks at the clock, where nothing is found
_HITS = 256  # of a plain text between two looks at the clock
_LIMIT = f"(*LIMIT_MATCH={_STEPS})"
_OPTION = QRegularExpression.PatternOption
_FILLED = re.compile(r"\$(?:(?P<sign>\$)|(?P<group>\d)|\{(?P<braced>\d{1,2})\})|\\(?P<escape>[nt\\])")
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\"}


class SearchQuery(NamedTuple):
    """What is looked for: a text, or a pattern where `pattern` is set."""

    text: str
    case: bool = False
    word: bool = False
    pattern: bool = False


class Hit(NamedTuple):
    """Where something was found. `groups` are what the parts of a pattern in parentheses matched, where it has any."""

    start: int
    end: int
    groups: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        """Its place."""
        return Span(self.start, self.end)


class _Stretch(NamedTuple):
    """A line, or so much of it as a pattern sees at once: matches begin from `first` to `last`, the rest is around."""

    offset: int
    text: str
    first: int
    last: int
    ends_line: bool


class Search:
    """One search in one text: its hits in order so far. `more` looks on until `done`."""

    def __init__(self, source: Source, wanted: SearchQuery, within: Span | None = None) -> None:
        self.hits: list[Hit] = []
        self.trouble: Literal["", "pattern", "hard"] = ""
        self.reason = ""  # why a pattern is none, in Qt's words
        self.done = False
        self.is_pattern = wanted.pattern
        self._worked = 0.0
        self._found: Iterator[Hit | None] = iter(())
        within = within or Span(0, len(source.text))
        if wanted.text and wanted.pattern:
            pattern = _compiled(wanted)
            if pattern.isValid():
                self._found = self._matches(source, pattern, within)
            else:
                self.trouble, self.reason = "pattern", pattern.errorString()
        elif wanted.text:
            self._found = _plain_hits(source.text, wanted, within)
        self.more(_FIRST)

    @property
    def capped(self) -> bool:
        """Whether there may be more hits than the reported ones."""
        return len(self.hits) >= MOST

    def more(self, seconds: float = _SLICE) -> None:
        """Look on for about so long."""
        begun, spent = time.perf_counter(), time.thread_time()
        for number, hit in enumerate(self._found, 1):
            if hit is not None:
                self.hits.append(hit)
                if self.capped:
                    break
            if not self.is_pattern and number % _HITS:
                continue
            if time.perf_counter() - begun > seconds:
                self._worked += time.thread_time() - spent
                if self.is_pattern and self._worked > _LONGEST:
                    self.trouble = "hard"
                    break
                return
        self.done = True

    def finish(self) -> None:
        """Look to the end, which takes no longer than a pattern may take."""
        while not self.done:
            self.more(_LONGEST)

    def _matches(self, source: Source, pattern: QRegularExpression, within: Span) -> Iterator[Hit | None]:
        has_groups = pattern.captureCount() > 0
        for number, part in enumerate(_stretches(source, within), 1):
            points = _Points(part.text)
            at, last = points.units(part.first), points.units(part.last)
            matches = pattern.globalMatch(part.text, at)
            while matches.hasNext():
                match = matches.next()
                first, after = match.capturedStart(), match.capturedEnd()
                start, end = points.upto(first), points.upto(after)
                at = after if after > first else after + (2 if part.text[end : end + 1] > "\uffff" else 1)
                if first > last or (end == len(part.text) and not part.ends_line):
                    break  # of the next stretch; or what it would match if there were more to see isn't known
                yield Hit(part.offset + start, part.offset + end, tuple(match.capturedTexts()) if has_groups else ())
            else:
                # An attempt that was given up ends the matches as if there were no more.
                if at <= last and not pattern.match(part.text, at).isValid():
                    self.trouble = "hard"
                    return
            if number % _LINES == 0:
                yield None


class _Points:
    """Counts UTF-16 units of a text, as Qt does, in code points: places are asked for from left to right."""

    def __init__(self, text: str) -> None:
        plain = text.isascii() or max(text) < "\U00010000"
        self._encoded = b"" if plain else text.encode("utf-16-le", "surrogatepass")
        self._text = text
        self._units = self._points = 0  # of the place asked for last

    def units(self, points: int) -> int:
        """The units before a code point."""
        return len(self._text[:points].encode("utf-16-le", "surrogatepass")) // 2 if self._encoded else points

    def upto(self, units: int) -> int:
        """The code points before a unit."""
        if not self._encoded:
            return units
        between = self._encoded[2 * self._units : 2 * units]
        self._points += len(between.decode("utf-16-le", "surrogatepass"))
        self._units = units
        return self._points


def filled(by: str, groups: tuple[str, ...], whole: str) -> str:
    r"""What replaces a match: `$0` is the match, `$1` or `${1}` a group, `$$` a dollar; \n, \t and \\ as usual."""

    def fill(found: re.Match[str]) -> str:
        if found["sign"]:
            return "$"
        if found["escape"]:
            return _ESCAPES[found["escape"]]
        index = int(found["group"] or found["braced"])
        if index == 0:
            return whole
        return groups[index] if index < len(groups) else ""

    return _FILLED.sub(fill, by)


def _compiled(wanted: SearchQuery) -> QRegularExpression:
    text = rf"\b(?:{wanted.text})\b" if wanted.word else wanted.text
    options = _OPTION.UseUnicodePropertiesOption
    if not wanted.case:
        options |= _OPTION.CaseInsensitiveOption
    alone = QRegularExpression(wanted.text, options)
    return QRegularExpression(_LIMIT + text, options) if alone.isValid() else alone


def _plain_hits(text: str, wanted: SearchQuery, within: Span) -> Iterator[Hit]:
    pattern = re.escape(wanted.text)
    if wanted.word and re.match(r"\w", wanted.text):
        pattern = rf"(?<!\w){pattern}"
    if wanted.word and re.search(r"\w\Z", wanted.text):
        pattern = rf"{pattern}(?!\w)"
    for match in re.compile(pattern, 0 if wanted.case else re.IGNORECASE).finditer(text, *within):
        yield Hit(*match.span())


def _stretches(source: Source, within: Span) -> Iterator[_Stretch]:
    first, last = (source.position(at).line for at in within)
    for number in range(first, last + 1):
        begin = source.offset(number, 1)
        line = source.line_text(number)
        start, end = max(0, within.start - begin), min(len(line), within.end - begin)
        for at in range(start, max(end, start + 1), _STRETCH):
            left, right = max(start, at - _BESIDE), min(end, at + _STRETCH + _BESIDE)
            upto = end if at + _STRETCH >= end else at + _STRETCH - 1
            yield _Stretch(begin + left, line[left:right], at - left, upto - left, right == end)
