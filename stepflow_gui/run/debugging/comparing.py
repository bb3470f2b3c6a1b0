"""Two runs beside each other: where they part, and what each did then."""

from collections.abc import Callable
from typing import NamedTuple

from stepflow_gui.run.machine.state import Answered, Event, NotAsked, ProgramEnded, Start, State, TraceEntry, Validated
from stepflow_gui.run.session import Run


class RunComparison(NamedTuple):
    """`common`: how many entries are alike from the start on. `same`: all of both."""

    common: int
    first: int  # how many entries there are
    second: int

    @property
    def same(self) -> bool:
        """Whether they don't part."""
        return self.common == self.first == self.second


def compare(first: Run, second: Run) -> RunComparison:
    """Where two runs part. Linear, and states that forks share are recognised at once."""
    return parting(first.length, second.length, lambda at: _alike(first.state_at(at), second.state_at(at)))


def parting(first: int, second: int, alike: Callable[[int], bool]) -> RunComparison:
    """Where two runs of these lengths diverge; `alike` compares an event, counted from 1."""
    common = 0
    while common < min(first, second) and alike(common + 1):
        common += 1
    return RunComparison(common, first, second)


def _alike(one: State, other: State) -> bool:
    if one is other:
        return True
    return one.last is not None and other.last is not None and _facts(one.last) == _facts(other.last)


def _facts(entry: TraceEntry) -> tuple[object, ...]:
    """The facts that make two entries equal to a reader: the answer, its step and its target."""
    read = entry.interpretation
    outcome = entry.outcome
    return (
        entry.step,
        entry.validator,
        _event_content(entry.event),
        read.intent if read is not None else None,
        read.handoff if read is not None else None,
        entry.transition.case if entry.transition is not None else None,
        entry.to,
        entry.error.kind if entry.error is not None else None,
        (outcome.kind, outcome.success) if outcome is not None else None,
    )


def _event_content(event: Event) -> tuple[object, ...]:
    match event:
        case Start(entry=entry):
            return ("start", entry)
        case Answered(answer=answer):
            return ("answer", answer)
        case Validated(passed=passed, error=error):
            return ("validated", passed, error)
        case NotAsked(why=why):
            return ("not_asked", why)
        case ProgramEnded(exit_code=exit_code):
            return ("program", exit_code)
    return ()
