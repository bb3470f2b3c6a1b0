"""Choices that a seed decides: the same on every machine and with every Python."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A row of choices."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._drawn = 0

    def below(self, limit: int) -> int:
        """A number from 0 to less than `limit`."""
        self._drawn += 1
        drawn = blake2b(b"%d %d" % (self._seed, self._drawn), digest_size=8)
        return int.from_bytes(drawn.digest(), "big") % limit

    def choice(self, choices: Sequence[T]) -> T:
        """One of them."""
        return choices[self.below(len(choices))]

    def sample(self, choices: Sequence[T], count: int) -> list[T]:
        """That many of them, each at most once."""
        left = list(choices)
        return [left.pop(self.below(len(left))) for _ in range(count)]
