"""Lines of a text for the terminal: English breaks at blanks, Japanese between letters where its rules allow it."""

import re
from collections.abc import Iterator

from stepflow_gui.lint.report.printable import width

_OPENING = "「『(（[［"  # no line ends with these
_CLOSING = "、。，．,.:;」』)）]］・ー…？！?!々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"  # and none begins with these

_WORD = re.compile("[ァ-ヴー]{2}")  # words in katakana stay whole


def wrapped(text: str, columns: int) -> Iterator[str]:
    """The lines of one paragraph; only what can't be broken is longer than the columns."""
    line = ""
    for piece in _pieces(text):
        if line and width((line + piece).rstrip()) > columns:
            yield line.rstrip()
            line = ""
        line += piece
    if line:
        yield line.rstrip()


def _pieces(text: str) -> Iterator[str]:
    start, marked = 0, False
    for place in range(1, len(text)):
        before, after = text[place - 1], text[place]
        marked ^= before == "`"
        if _may_break(before, after, marked=marked):
            yield text[start:place]
            start = place
    yield text[start:]


def _may_break(before: str, after: str, *, marked: bool) -> bool:
    if before == " " or marked:
        return before == " "
    if _WORD.fullmatch(before + after) or after == " " or before in _OPENING or after in _CLOSING:
        return False
    return 2 in {width(before), width(after)}
