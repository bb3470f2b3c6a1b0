"""When two states of a run count as the same place, so that exploring comes to an end.

What a machine does next depends on the step, what it waits for, how often its validation has failed, and which handoff
keys are there that an input of some step can't do without. Visits of the step are kept apart up to a cap: the first and
those after it. Iterations don't count but for the first (an answer without output is forgiven there only): limits are
checked afterwards. Where a failing validator goes back to the step before, that step counts as well, and
where checks decide, how often the step has run. A step whose schema couldn't be resolved is asked once more only.
"""

from collections.abc import Hashable, Iterator, Mapping
from typing import NamedTuple

from stepflow_gui.formats.checks.runners import ENDLESS
from stepflow_gui.formats.climpt.vocabulary import DEFAULT_ATTEMPTS
from stepflow_gui.run.exploring.answer_options import needed_keys
from stepflow_gui.run.machine.closure_checks import ClosureValidation, validation_for
from stepflow_gui.run.machine.loop_checks import runs_that_count
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.route import Routed
from stepflow_gui.run.machine.state import State

MOST_RETRIES = 10


class ExploreCaps(NamedTuple):
    """How finely places are distinguished, and how many are explored.

    `visits`: of the step, from 1. `retries`: failures of a validation; None: as many as the registry allows and one
    more, 10 at most, or 1 where it sets no number. `places` and `arcs`: where the search is cut.
    """

    visits: int = 2
    retries: int | None = None
    places: int = 100_000
    arcs: int = 1_000_000


DEFAULT_CAPS = ExploreCaps()
Place = Hashable


class Places:
    """Distinguishes the places of one machine."""

    def __init__(self, machine: Machine, caps: ExploreCaps = DEFAULT_CAPS) -> None:
        self._machine = machine
        self._caps = caps
        self._needed = needed_keys(machine)
        self._returns: dict[str, bool] = {}

    def nearby(self, state: State, visits: Mapping[str, int]) -> Iterator[Place]:
        """The place of a state, then those of fewer visits: what happens next is the same there."""
        for count in range(min(visits.get(state.step or "", 0), self._caps.visits), 0, -1):
            yield self.of(state, {state.step or "": count})

    def of(self, state: State, visits: Mapping[str, int]) -> Place:
        """The place of a state that waits for something. `visits` counts those of each step so far."""
        at = state.step or ""
        checking, failures = state.checking, state.failures
        return (
            state.waits,
            at,
            min(visits.get(at, 0), self._caps.visits),
            state.iteration == 1,
            state.came_from if self._goes_back(at) else None,
            tuple(sorted((key, self._capped(key, count)) for key, count in failures.items())) if failures else (),
            self._handed(state) if self._needed else (),
            None
            if checking is None
            else (
                checking.validation.key,
                checking.position,
                checking.closing is None,
                _next_step(checking.transition),
            ),
            tuple(sorted(state.memory.repeats.items())),
            self._machine.era.needs_clean_run and state.memory.errors > 0,
            self._runs(state),
            at in state.memory.strikes,
        )

    def _runs(self, state: State) -> int:
        """How often a step with checks has run, as far as that makes a difference."""
        rules, step = self._machine.era.checks, self._machine.flow.steps.get(state.step or "")
        return 0 if rules is None or step is None else min(state.counts.runs, runs_that_count(step, rules), ENDLESS)

    def _goes_back(self, at: str) -> bool:
        found = self._returns.get(at)
        if found is None:
            machine = self._machine
            triggered = machine.era.closing == "trigger"
            found = triggered and validation_for(machine.flow, at, machine.verdict.type, machine.era) is not None
            self._returns[at] = found
        return found

    def _handed(self, state: State) -> tuple[tuple[str, str], ...]:
        context = state.context
        return tuple(sorted(each for each in self._needed if each[1] in context.get(each[0], {})))

    def _capped(self, key: str, count: int) -> int:
        if self._caps.retries is not None:
            return min(count, self._caps.retries)
        return min(count, self._allowed(key))

    def _allowed(self, key: str) -> int:
        era, validation = self._machine.era, self._validation(key)
        most = validation.max_attempts if validation else None
        if most is None and era.attempts == "tries":
            most = DEFAULT_ATTEMPTS
        return 1 if most is None or era.attempts == "unread" else min(max(most, 0) + 1, MOST_RETRIES)

    def _validation(self, key: str) -> ClosureValidation | None:
        machine = self._machine
        found = validation_for(machine.flow, key, machine.verdict.type, machine.era)
        return found if found is not None and found.key == key else None


def _next_step(taken: object) -> str | None:
    if taken is None:
        return None
    return taken.step if isinstance(taken, Routed) else "end"
