"""What is marked on the graph: which transition is meant, and how far a run has come."""

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

Key = TypeVar("Key")


class TransitionRef(NamedTuple):
    """A transition of a step: its intent and, for a conditional transition, the condition's value."""

    step: str
    intent: str
    case: str | None = None


class SeverityCounts(NamedTuple):
    """How many diagnostics a step has of each severity."""

    errors: int = 0
    warnings: int = 0
    infos: int = 0

    @property
    def worst(self) -> tuple[str, int] | None:
        """The worst severity (also its colour token) with its number; None where there is nothing."""
        for token, number in (("error", self.errors), ("warning", self.warnings), ("info", self.infos)):
            if number:
                return token, number
        return None


class SubMark(NamedTuple):
    """A sub-step of a step in a run. `state`: runs, done or failed; `result`: what it came to."""

    name: str
    state: str
    result: str


HEAT_LEVELS = 4


class Heat(NamedTuple):
    """How much of something a step has: `level` from 1 to `HEAT_LEVELS`, and the amount in words."""

    level: int
    text: str


class RunMarks(NamedTuple):
    """Where a run is. Steps that run side by side are all in `active`.

    `heat` are measures of steps over many runs, which tint them.
    """

    active: frozenset[str] = frozenset()
    taken: TransitionRef | None = None  # the move just made
    step_visits: Mapping[str, int] = {}
    move_visits: Mapping[TransitionRef, int] = {}
    ended: bool = False  # the run has reached the end node
    heat: Mapping[str, Heat] = {}

    @property
    def moves(self) -> int:
        """How many moves were made."""
        return sum(self.move_visits.values())


NO_RUN = RunMarks()


def changed_keys(before: Mapping[Key, object], after: Mapping[Key, object]) -> list[Key]:
    """The keys whose count differs; a key that doesn't exist counts as 0."""
    found = [key for key, count in after.items() if before.get(key, 0) != count]
    return found + [key for key in before if key not in after]
