"""The name that somebody most likely meant."""

from collections.abc import Iterable

ENOUGH = 0.6  # of difflib's ratio: below it a suggestion puzzles more than it helps
FEW = 20


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like the word; None where none is alike. The first of equals wins."""
    pairs = _pairs(word)
    shared = [(len(pairs & _pairs(each)), -index, each) for index, each in enumerate(candidates) if each != word]
    shared.sort(reverse=True)
    likely = [each for count, _, each in shared[:FEW] if count]
    if not likely:
        return None
    from difflib import get_close_matches  # only a wrong name needs it, and it is slow to load

    close = get_close_matches(word.lower(), [each.lower() for each in likely], n=1, cutoff=ENOUGH)
    return next((each for each in likely if close and each.lower() == close[0]), None)


def _pairs(word: str) -> set[str]:
    padded = f"^{word.lower()}$"
    return {padded[at : at + 2] for at in range(len(padded) - 1)}
