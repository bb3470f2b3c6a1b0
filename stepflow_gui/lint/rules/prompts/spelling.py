"""How far apart two words are spelled."""


def slips(word: str, other: str, most: int) -> int | None:
    """How many letters have to be put in, left out, changed or swapped with the next; None for more than `most`."""
    if abs(len(word) - len(other)) > most:
        return None
    word, other = _parting(word, other)
    # A slip changes the counts of at most two letters by one each; most words are told apart by that.
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
