"""Which entries a few typed letters mean, the best first. Knows no Qt."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

Kind = Literal["action", "setting", "step", "movement", "transition", "rule", "file", "place"]
_ORDERED: tuple[Kind, ...] = ("action", "step", "movement", "transition", "file", "setting", "rule", "place")
_ORDER = {kind: at for at, kind in enumerate(_ORDERED)}
_WORD_START = 3.0
_IN_A_ROW = 2.0
_LETTER = 1.0
_SKIPPED = 0.02
_OFF = 0.5  # what can't be done just now comes behind


class PaletteEntry(NamedTuple):
    """Something that can be done or gone to. `title` and `detail` are searched; `act` does it.

    `chord`: its keys where they are two presses, such as “Ctrl+K, Ctrl+O”, or one.
    """

    kind: Kind
    title: str
    detail: str
    act: Callable[[], object]
    keys: str = ""
    enabled: bool = True
    chord: str = ""

    @property
    def is_chord(self) -> bool:
        """Whether its keys are two presses."""
        return ", " in self.chord


def best(entries: Iterable[PaletteEntry], query: str, limit: int = 50) -> list[PaletteEntry]:
    """The entries whose letters hold those of the query in their order, best first; all of them for an empty query."""
    letters = query.casefold().split()
    found: list[tuple[float, int, int, PaletteEntry]] = []
    for number, entry in enumerate(entries):
        score = _score(entry, letters)
        if score is not None:
            found.append((-score, _ORDER[entry.kind], number, entry))
    found.sort(key=lambda each: each[:3])
    return [entry for *_rank, entry in found[:limit]]


def _score(entry: PaletteEntry, words: Sequence[str]) -> float | None:
    title, detail = entry.title.casefold(), entry.detail.casefold()
    total = 0.0
    for word in words:
        in_title, in_detail = _fit(title, word), _held(detail, word)  # a sentence holds any letters in their order
        scores = [score for score in (in_title, None if in_detail is None else in_detail / 2) if score is not None]
        if not scores:
            return None
        total += max(scores)
    return total if entry.enabled else total / 4 - _OFF


def _fit(text: str, word: str) -> float | None:
    """How well a word's letters match a text, in their order; None where they don't."""
    held = _held(text, word)
    if held is not None:
        return held
    score, at, before = 0.0, 0, -2
    for letter in word:
        found = text.find(letter, at)
        if found < 0:
            return None
        score += _LETTER
        if found == before + 1:
            score += _IN_A_ROW
        elif found == 0 or not text[found - 1].isalnum():
            score += _WORD_START
        score -= (found - at) * _SKIPPED
        before, at = found, found + 1
    return score / 2


def _held(text: str, word: str) -> float | None:
    """How well a word matches a text, as it is written; None where it doesn't."""
    whole = text.find(word)
    if whole < 0:
        return None
    start = whole == 0 or not text[whole - 1].isalnum()
    return len(word) * (_LETTER + _IN_A_ROW) + (_WORD_START * 2 if start else 0) - whole * _SKIPPED
