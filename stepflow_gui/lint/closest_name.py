"""The name that somebody most likely meant, and how many slips lie between two words."""

from collections.abc import Iterable

ENOUGH = 0.6  # of difflib's ratio: below it a suggestion puzzles more than it helps
FEW = 20
LONG = 6  # letters of a word in which two slips are likelier than another word
SHORT = 3  # letters of a word that needn't share any pair of letters with what was meant


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like the word; None where none is alike. The first of equals wins."""
    known = list(candidates)
    pairs = _pairs(word)
    shared = [(len(pairs & _pairs(each)), -index, each) for index, each in enumerate(known) if each != word]
    shared.sort(reverse=True)
    likely = [each for count, _, each in shared[:FEW] if count]
    if not likely:
        return _one_slip_away(word, known)
    from difflib import get_close_matches  # only a wrong name needs it, and it is slow to load

    close = get_close_matches(word.lower(), [each.lower() for each in likely], n=1, cutoff=ENOUGH)
    return next((each for each in likely if close and each.lower() == close[0]), None) or _one_slip_away(word, known)


def _one_slip_away(word: str, candidates: Iterable[str]) -> str | None:
    """For short words, the only candidate that is a single slip away."""
    if len(word) > SHORT or len(word) < 2:
        return None
    near = [each for each in candidates if each != word and len(each) > 1 and slips(word, each, 1) is not None]
    return near[0] if len(near) == 1 else None


def _pairs(word: str) -> set[str]:
    padded = f"^{word.lower()}$"
    return {padded[at : at + 2] for at in range(len(padded) - 1)}


def is_slip(word: str, meant: str) -> bool:
    """Whether only a slip of the keyboard lies between them: two in a long word."""
    most = 2 if len(meant) >= LONG else 1
    return word != meant and slips(word, meant, most) is not None


def slip_of(word: str, candidates: Iterable[str]) -> str | None:
    """The only candidate that a slip parts from the word; None where there are several, or none."""
    near = {each for each in candidates if is_slip(word, each)}
    return near.pop() if len(near) == 1 else None


def is_likely(word: str, meant: str) -> bool:
    """Whether a name is most likely meant: a slip away, or the same words joined or written in another case."""
    return is_slip(word, meant) or plain(word) == plain(meant)


def plain(name: str) -> str:
    """The letters and digits of a name: how its words are joined, and their case, may differ."""
    return "".join(filter(str.isalnum, name)).lower()


def slips(word: str, other: str, most: int) -> int | None:
    """How many letters have to be put in, left out, changed or swapped with the next; None for more than `most`."""
    if abs(len(word) - len(other)) > most:
        return None
    word, other = _parting(word, other)
    # A slip changes the counts of at most two letters by one each; that rules out most words.
    if len(set(word) ^ set(other)) > 2 * most:
        return None
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(word, 1):
        above, before, row = before, row, [at]
        for to, wanted in enumerate(other, 1):
            best = min(row[to - 1] + 1, before[to] + 1, before[to - 1] + (letter != wanted))
            if at > 1 and to > 1 and letter == other[to - 2] and word[at - 2] == wanted:
                best = min(best, above[to - 2] + 1)
            row.append(best)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None


def _parting(word: str, other: str) -> tuple[str, str]:
    """Two words without what both begin with, and what both end with: no slip is there."""
    head = _alike(word, other)
    word, other = word[head:], other[head:]
    tail = _alike(word[::-1], other[::-1])
    return (word[:-tail], other[:-tail]) if tail else (word, other)


def _alike(word: str, other: str) -> int:
    """How many letters both begin with."""
    for at, (one, two) in enumerate(zip(word, other, strict=False)):
        if one != two:
            return at
    return min(len(word), len(other))
