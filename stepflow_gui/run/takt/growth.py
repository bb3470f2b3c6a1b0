"""How many iterations a run may have used when it gets to a place of a search."""

from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

from stepflow_gui.flow.reach import knots

Place = TypeVar("Place", bound=Hashable)


class Growth(Generic[Place]):
    """The transitions between places, each with the iterations that it adds."""

    def __init__(self, limit: int | None) -> None:
        self._limit = limit
        self._first: tuple[Place, int] | None = None
        self._added: dict[Place, dict[Place, int]] = {}
        self._given: set[Place] = set()

    def begin(self, place: Place, iterations: int) -> None:
        """Where runs begin, with what they have used then."""
        self._first = place, iterations

    def add(self, before: Place, after: Place, iterations: int) -> None:
        """A transition; of several between the same places the one that adds most counts."""
        known = self._added.setdefault(before, {})
        known[after] = max(iterations, known.get(after, 0))

    def exhausted(self, own: Callable[[Place], int]) -> Iterator[Place]:
        """The places that weren't given before, to which a run may come with all iterations used up.

        `own`: how many of a place's iterations it adds itself.
        """
        if self._limit is None or self._first is None:
            return
        nodes = dict.fromkeys([self._first[0], *self._added, *(each for of in self._added.values() for each in of)])
        most = dict.fromkeys(nodes, 0) | {self._first[0]: self._first[1]}
        ordered = knots({place: list(self._added.get(place, ())) for place in nodes})
        for part in reversed(ordered):  # a part follows those that it goes to
            inside = set(part)
            grows = any(
                added and after in inside for place in part for after, added in self._added.get(place, {}).items()
            )
            used = self._limit + 1 if grows else max(most[place] for place in part)
            for place in part:
                most[place] = used
                for after, added in self._added.get(place, {}).items():
                    if after not in inside:
                        most[after] = max(most[after], used + added)
        for place, used in most.items():
            if place not in self._given and used - own(place) >= self._limit:
                self._given.add(place)
                yield place
