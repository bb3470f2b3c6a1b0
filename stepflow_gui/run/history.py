"""The history of a run, of any kind: all its moments, so it can return to any of them; without Qt."""

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, Self, TypeVar

Listener = Callable[[], None]
Key = TypeVar("Key")
Moment = TypeVar("Moment")
Transition = TypeVar("Transition")


class History(Generic[Moment, Transition]):
    """Moments with one that is current, the first being before the start. What lies after the current one is kept.

    A kind of run defines in `_transitions` what each moment has taken, and in `_same_run` how to make another like it.
    """

    def __init__(self, first: Moment) -> None:
        self._moments = [first]
        self._position = 0
        self._taken: dict[Transition, int] = {}
        self._listeners: list[Listener] = []

    @property
    def position(self) -> int:
        """How many events have happened at the current moment; 0 before the start."""
        return self._position

    @property
    def length(self) -> int:
        """How many events are kept, those after `position` too."""
        return len(self._moments) - 1

    @property
    def taken(self) -> Mapping[Transition, int]:
        """How often each transition was taken."""
        return self._taken

    @property
    def can_go_back(self) -> bool:
        """Whether there is something after the start to undo."""
        return self._position > 1

    @property
    def can_go_forward(self) -> bool:
        """Whether something that was undone is kept."""
        return self._position < self.length

    def moment_at(self, position: int) -> Moment:
        """The moment after so many events. Raises IndexError beyond `length`."""
        return self._moments[position]

    def on_change(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` after every change, until the returned function is called."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def back(self) -> bool:
        """Take the last event back; False where only the start is left."""
        if not self.can_go_back:
            return False
        self.go_to(self._position - 1)
        return True

    def go_to(self, position: int) -> None:
        """Return to where so many events had happened, as near as there is: everything after it stays kept."""
        position = min(max(position, min(1, self.length)), self.length)
        if position == self._position:
            return
        for at in range(self._position + 1, position + 1):
            self._count(at, 1)
        for at in range(self._position, position, -1):
            self._count(at, -1)
        self._position = position
        self._notify()

    def fork(self) -> Self:
        """Another run with the same moments up to the current one, and no listeners."""
        other = self._same_run()
        other.extend(self._moments[1 : self._position + 1])
        return other

    def extend(self, moments: Iterable[Moment]) -> None:
        """Add moments that were made elsewhere for the same run, in their order; the last becomes the current one."""
        for moment in moments:
            self._add(moment)
        self._notify()

    def _same_run(self) -> Self:
        """A run of the same kind, before its start."""
        raise NotImplementedError

    def _transitions(self, moment: Moment) -> Iterable[Transition]:
        """The transitions that led to a moment from the one before."""
        raise NotImplementedError

    def _count(self, position: int, by: int) -> None:
        """Change the counts by what led to the moment at a position."""
        for transition in self._transitions(self._moments[position]):
            add_count(self._taken, transition, by)

    def _clear(self) -> None:
        del self._moments[1:]
        self._position = 0
        self._taken.clear()

    def _add(self, moment: Moment) -> None:
        """Make a moment the current one; what was kept after the one before it is dropped."""
        del self._moments[self._position + 1 :]
        self._moments.append(moment)
        self._position += 1
        self._count(self._position, 1)

    def _notify(self) -> None:
        for listener in tuple(self._listeners):
            listener()


def add_count(counts: dict[Key, int], key: Key, by: int) -> None:
    """Change a count; one of 0 is left out."""
    counts[key] = counts.get(key, 0) + by
    if not counts[key]:
        del counts[key]
