"""The lines that two texts have in common, found in time that grows with their length."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import Match, SequenceMatcher

from stepflow_gui.text.edit import common_ends

_CLOSELY = 400  # lines that difflib compares: its time grows by the square of their number, or worse
_DEPTH = 20  # how often a stretch is cut into shorter ones


class LineMatcher(SequenceMatcher[str]):
    """difflib's matcher for texts of any length, with its blocks and opcodes.

    A long stretch is cut at the lines that both sides have once; one without such lines counts as replaced.
    """

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        super().__init__()
        end = Match(len(before), len(after), 0)
        self._blocks = [*_joined(_matches(before, after, (0, 0), _DEPTH)), end]

    def get_matching_blocks(self) -> list[Match]:
        """Stretches of lines that both have, in order; the last is empty, at the ends of both."""
        return self._blocks


def _matches(before: Sequence[str], after: Sequence[str], at: tuple[int, int], depth: int) -> Iterator[Match]:
    """The blocks of two stretches, the first lines of which have the numbers `at` in their texts."""
    head, tail = common_ends(before, after)
    yield Match(*at, head)
    left, right = at[0] + head, at[1] + head
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if old and new:
        if max(len(old), len(new)) <= _CLOSELY:
            for block in SequenceMatcher(None, old, new).get_matching_blocks():
                yield Match(left + block.a, right + block.b, block.size)
        elif depth:
            yield from _cut(old, new, (left, right), depth)
    yield Match(left + len(old), right + len(new), tail)


def _cut(old: Sequence[str], new: Sequence[str], at: tuple[int, int], depth: int) -> Iterator[Match]:
    """The blocks of two stretches, cut at lines that both have once."""
    left = right = 0
    pairs = _pairs(old, new)
    for line, partner in [*pairs, (len(old), len(new))] if pairs else ():
        if left < line and right < partner:
            yield from _matches(old[left:line], new[right:partner], (at[0] + left, at[1] + right), depth - 1)
        yield Match(at[0] + line, at[1] + partner, int(line < len(old)))
        left, right = line + 1, partner + 1


def _pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """As many lines as possible that both have once and in the same order, as pairs of their numbers."""
    counts, other_counts = Counter(old), Counter(new)
    numbers = {line: number for number, line in enumerate(new)}
    tips: list[int] = []  # of the best chains of each length: the partner at their end
    chains: list[tuple[int, int, int]] = []  # line, partner, index of the pair before it
    ends: list[int] = []  # the index of the pair at each tip
    for number, line in enumerate(old):
        if counts[line] == 1 == other_counts[line]:
            partner = numbers[line]
            length = bisect_left(tips, partner)
            tips[length : length + 1] = [partner]
            ends[length : length + 1] = [len(chains)]
            chains.append((number, partner, ends[length - 1] if length else -1))
    found: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        start, partner, index = chains[index]
        found.append((start, partner))
    return found[::-1]


def _joined(blocks: Iterable[Match]) -> Iterator[Match]:
    """Blocks that follow each other on both sides as one, without empty ones."""
    whole = Match(0, 0, 0)
    for block in blocks:
        if not block.size:
            continue
        if (block.a, block.b) == (whole.a + whole.size, whole.b + whole.size):
            whole = whole._replace(size=whole.size + block.size)
            continue
        if whole.size:
            yield whole
        whole = block
    if whole.size:
        yield whole
