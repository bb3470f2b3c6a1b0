"""Runs a piece to its end by itself: by a script, or at random."""

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import islice

from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Entered, Event, Extended, PieceState, Started, UserInput
from stepflow_gui.run.takt.picking import PLAIN, MovementPick, answer_to
from stepflow_gui.run.takt.scripts.script import PieceScript
from stepflow_gui.run.takt.session import MOST_EVENTS, PieceRun


class Scripted:
    """Answers from a script."""

    def __init__(self, script: PieceScript, before: Iterable[Event | None] = ()) -> None:
        """`before`: what has happened in the run already, so that answers that were given aren't given again."""
        happened = list(before)
        self._script = script
        self._inputs = islice(script.inputs, sum(isinstance(event, UserInput) for event in happened), None)
        self._limits = islice(script.limits, sum(isinstance(event, Extended) for event in happened), None)

    def next_event(self, machine: PieceMachine, state: PieceState) -> Event:
        """What comes next in a state that isn't the end."""
        if state.waits == "input":
            text = next(self._inputs, None)
            return UserInput(text, possible=bool(self._script.inputs))
        if state.waits == "limit":
            return Extended(next(self._limits, 0))
        call = machine.calls(state)[0]
        name = machine.named(state, call.task)
        if name not in self._script.answers and machine.callee(state, call.task) is not None:
            return Entered(call.task)
        listed = self._script.answers.get(name, _FIRST)
        run = machine.runs_of(state, call.task)
        return answer_to(machine, state, call, listed[min(run, len(listed)) - 1])


class Chance:
    """Answers at random, the same for the same seed; the person always answers, and grants no iterations."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def next_event(self, machine: PieceMachine, state: PieceState) -> Event:
        """What comes next in a state that isn't the end."""
        if state.waits == "input":
            return UserInput(PLAIN)
        if state.waits == "limit":
            return Extended(0)
        call = machine.calls(state)[0]
        if machine.callee(state, call.task) is not None:
            return Entered(call.task)
        rules = machine.asked_of(state, call).rules
        open_to_all = [at for at, rule in enumerate(rules) if machine.interactive or not rule.interactive_only]
        text = f"{self._seed}/{state.iteration}/{call.task}"
        number = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
        return answer_to(
            machine, state, call, MovementPick(open_to_all[number % len(open_to_all)] if open_to_all else None)
        )


def drive(run: PieceRun, next_event: Callable[[PieceMachine, PieceState], Event]) -> Iterator[int]:
    """Let a run that has begun come to its end; gives its position after each event."""
    while run.state.waits != "nothing" and run.position < MOST_EVENTS:
        run.send(next_event(run.machine, run.state))
        yield run.position


def path_of(run: PieceRun) -> tuple[str, ...]:
    """The movements, and judges of monitors, in the order in which they started."""
    return tuple(
        run.machine.named(moment.state, each.movement) if each.workflow else each.movement
        for moment in run.moments
        for each in moment.happened
        if isinstance(each, Started)
    )


_FIRST = (MovementPick(0),)
