"""How runs of a piece stop where no rule ends them: by an agent, the person who is asked, or the limit.

`undecided`, `failed` and `blocked` are what an agent or judge comes to, `empty` an empty report, `limit` that the
iterations are used up, and the others what the person who is asked does.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Literal, NamedTuple

from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Movement
from stepflow_gui.run.takt.machine.state import Event, Extended, PieceState, UserInput
from stepflow_gui.run.takt.picking import MovementPick

Cause = Literal["undecided", "failed", "blocked", "empty", "cancelled", "nobody", "limit"]
Picks = Mapping[str, MovementPick]

_EMPTY = " "
_PICKS: tuple[tuple[Cause, MovementPick], ...] = (
    ("undecided", MovementPick(None)),
    ("failed", MovementPick(0, status="error")),
    ("blocked", MovementPick(0, status="blocked")),
)
NO_INPUTS: tuple[tuple[Cause, UserInput], ...] = (
    ("cancelled", UserInput(None)),
    ("nobody", UserInput(None, possible=False)),
)
"""What the person who is asked does instead of answering."""


class Stop(NamedTuple):
    """A target that no rule gives: why, and the answer."""

    cause: Cause
    picks: Picks


def odd_picks(machine: PieceMachine, subs: list[Movement], rules: Mapping[str, list[int]], most: int) -> Iterator[Stop]:
    """What those that are asked at once can come to where one of them fails, is blocked, undecided or reports nothing.

    Where a runner goes on with sub-steps that failed, several may fail. `rules`: what each can be picked for else.
    """
    several = machine.runner.notation == "workflow" and len(subs) > 1
    for odd in subs:
        others = [sub for sub in subs if sub is not odd]
        picks = [[MovementPick(rule) for rule in rules[sub.name]] for sub in others]
        if several:
            picks = [[*each, _PICKS[1][1]] for each in picks]
        for cause, pick in (*_PICKS, *_empty_reports(odd)):
            for tried, rest in enumerate(product(*picks)):
                if tried >= most:
                    break
                yield Stop(cause, {**dict(zip([sub.name for sub in others], rest, strict=True)), odd.name: pick})


def _empty_reports(movement: Movement) -> Iterator[tuple[Cause, MovementPick]]:
    return (("empty", MovementPick(0, reports={report.name: _EMPTY})) for report in movement.reports)


def at_limit(machine: PieceMachine, state: PieceState) -> PieceState:
    """The state in which a movement would have begun, with the iterations used up and none granted."""
    waiting = state._replace(waits="limit", tasks=(), parent=None, limit=state.iteration)
    return answered_by(machine, waiting, Extended(0))


def answered_by(machine: PieceMachine, state: PieceState, event: Event) -> PieceState:
    """The state after an event."""
    return machine.step(state, event)[0]
