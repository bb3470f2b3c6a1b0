"""Which line of a script has its turn, so a run that was stepped back finds the line that it had there before."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import NamedTuple

from stepflow_gui.run.machine.state import State
from stepflow_gui.run.responders.script import ENDLESS, ScriptLine

Moment = tuple[int, str, int]  # the iteration, what the run waits for, which validator
Fits = Callable[[ScriptLine], bool]


def moment_of(state: State) -> Moment:
    """The key of the moment of a run at which a script is asked."""
    checking = state.checking
    if checking is None:
        return state.iteration, state.waits, -1
    # in one iteration the same validators may run before the step is asked and after its answer
    return state.iteration, "before" if checking.closing is None else state.waits, checking.position


class _Taken(NamedTuple):
    """A turn that was had: `place` and `used` are the cursor before it; `line` None: no line was taken."""

    moment: Moment
    name: str
    line: int | None
    place: int
    used: int


class ScriptTurns:
    """A cursor over the lines of a script. `name` is that of the step or validator which asks."""

    def __init__(self, lines: Sequence[ScriptLine]) -> None:
        self._ordered = [index for index, line in enumerate(lines) if line.turn.visits is None]
        self._visits = [index for index, line in enumerate(lines) if line.turn.visits is not None]
        self._lines = lines
        self._place = 0  # in _ordered
        self._used = 0  # how often the line there was taken
        self._log: list[_Taken] = []
        self._counts: Counter[str] = Counter()
        self._uses: Counter[int] = Counter()

    @property
    def unused(self) -> list[ScriptLine]:
        """The lines that were never taken."""
        return [line for index, line in enumerate(self._lines) if not self._uses[index]]

    def rewind(self, moment: Moment) -> None:
        """Undo what came at this moment or after it, if the run was there before."""
        recent = takewhile(lambda taken: taken.moment[0] >= moment[0], reversed(self._log))
        here = any(taken.moment == moment for taken in recent)
        while self._log and (here or self._log[-1].moment[0] > moment[0]):
            taken = self._log.pop()
            self._place, self._used = taken.place, taken.used
            self._counts[taken.name] -= 1
            if taken.line is not None:
                self._uses[taken.line] -= 1
            here = here and taken.moment != moment

    def find(self, name: str, of_visit: Fits, in_order: Fits) -> int | None:
        """The line for this visit, else the one that is next in order, whether it fits or not; None: none is left.

        A line that may be taken any number of times is passed over where it doesn't fit.
        """
        visit = self._counts[name] + 1
        for index in self._visits:
            first, last = self._lines[index].turn.visits or (0, 0)
            if first <= visit <= last and of_visit(self._lines[index]):
                return index
        for place in range(self._place, len(self._ordered)):
            index = self._ordered[place]
            line = self._lines[index]
            if line.turn.times < ENDLESS or in_order(line):
                return index
        return None

    def take(self, moment: Moment, name: str, index: int | None) -> None:
        """Note that a line was taken, or none."""
        self._log.append(_Taken(moment, name, index, self._place, self._used))
        self._counts[name] += 1
        if index is None:
            return
        self._uses[index] += 1
        if self._lines[index].turn.visits is not None:
            return
        place = self._ordered.index(index, self._place)
        self._used = self._used + 1 if place == self._place else 1
        self._place = place
        if self._used >= self._lines[index].turn.times:
            self._place, self._used = place + 1, 0
