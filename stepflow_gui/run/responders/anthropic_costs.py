"""What answers of a model cost: tokens used, and dollars where the model's price is known."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

_MILLION = 1_000_000


class Usage(NamedTuple):
    """Tokens as the Messages API counts them; `input` is what neither came from the cache nor went there."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def prompt(self) -> int:
        """All tokens that were sent."""
        return self.input + self.cache_read + self.cache_write

    def plus(self, other: "Usage") -> "Usage":
        """Both together."""
        return Usage(*(mine + its for mine, its in zip(self, other, strict=True)))


class Rates(NamedTuple):
    """US dollars for a million tokens of each sort. A rate of the cache that isn't given is that of input."""

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None

    def of(self, usage: Usage) -> float:
        """US dollars."""
        read = self.input if self.cache_read is None else self.cache_read
        write = self.input if self.cache_write is None else self.cache_write
        parts = zip(usage, (self.input, self.output, read, write), strict=True)
        return sum(tokens * rate for tokens, rate in parts) / _MILLION


class Price(NamedTuple):
    """A model's price; prompts of more than `limit` tokens are charged at the rates `beyond`."""

    rates: Rates
    limit: int | None = None
    beyond: Rates | None = None

    def of(self, usage: Usage) -> float:
        """US dollars for one answer."""
        if self.limit is not None and self.beyond is not None and usage.prompt > self.limit:
            return self.beyond.of(usage)
        return self.rates.of(usage)


class Spent(NamedTuple):
    """What several answers took. `cost` in US dollars; None as soon as the price of one of them is unknown."""

    answers: int = 0
    usage: Usage = Usage()
    cost: float | None = 0.0

    def plus(self, usage: Usage, cost: float | None) -> "Spent":
        """With one more answer."""
        total = None if self.cost is None or cost is None else self.cost + cost
        return Spent(self.answers + 1, self.usage.plus(usage), total)


def read_price(table: Mapping[str, object]) -> Price | None:
    """The price that a table of the models' file gives; None where input or output has none."""
    rates = _rates(table)
    beyond = table.get("beyond")
    if rates is None or not isinstance(beyond, Mapping):
        return None if rates is None else Price(rates)
    limit = beyond.get("tokens")
    return Price(rates, limit if isinstance(limit, int) else None, _rates(beyond))


def faults_of_price(table: Mapping[str, object]) -> Iterable[str]:
    """The keys of such a table whose values are not prices."""
    for key in Rates._fields:
        value = table.get(key)
        if value is not None and not _is_rate(value):
            yield key


def _rates(table: Mapping[str, object]) -> Rates | None:
    found = {key: value for key in Rates._fields if _is_rate(value := table.get(key))}
    if "input" not in found or "output" not in found:
        return None
    return Rates(**{key: float(str(value)) for key, value in found.items()})


def _is_rate(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")
