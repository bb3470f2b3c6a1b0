"""A run of a piece as a person controls it, with its history; without Qt."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from stepflow_gui.run.history import History
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import (
    Begin,
    Call,
    Completed,
    Event,
    Happening,
    JudgeReply,
    Moment,
    PieceState,
    Replied,
    UserInput,
)
from stepflow_gui.run.takt.picking import MovementPick, play

MOST_EVENTS = 20_000  # after which a run without a cap that goes on by itself is given up


class TakenRule(NamedTuple):
    """A transition that a run took: the movement and its 0-based rule."""

    movement: str
    rule: int


class PieceRun(History[Moment, TakenRule]):
    """One run of a piece. Call `begin` first; `state` is its current one."""

    def __init__(self, machine: PieceMachine) -> None:
        super().__init__(Moment(None, PieceState()))
        self.machine = machine

    @property
    def state(self) -> PieceState:
        """The current state."""
        return self._moments[self._position].state

    @property
    def moments(self) -> tuple[Moment, ...]:
        """What happened up to the current moment, the beginning first."""
        return tuple(self._moments[1 : self._position + 1])

    @property
    def calls(self) -> tuple[Call, ...]:
        """What the run waits for; several at once where sub-steps run beside each other."""
        return self.machine.calls(self.state)

    @property
    def visits(self) -> Mapping[str, int]:
        """How often each movement and sub-step ran."""
        return self.state.counts

    def begin(self, task: str = "", movement: str | None = None) -> tuple[Happening, ...]:
        """Start, or start over."""
        return self._begin(Begin(task, movement))

    def restart(self) -> tuple[Happening, ...]:
        """Start over as this run began."""
        first = self._moments[1].event if self.length else None
        return self._begin(first if isinstance(first, Begin) else Begin())

    def _begin(self, event: Begin) -> tuple[Happening, ...]:
        self._clear()
        return self.send(event)

    def send(self, event: Event) -> tuple[Happening, ...]:
        """Let an event happen; what was kept from here on is dropped. What isn't waited for changes nothing."""
        before = self.state
        after, happened = self.machine.step(before, event)
        if after is not before:
            self.extend([Moment(event, after, happened)])
        return happened

    def pick(self, task: str, pick: int | MovementPick, text: str = "") -> tuple[Happening, ...]:
        """Answer all that a task asks so that it comes to a rule, by its 0-based place.

        A task's calls are answered one after another, so the sub-steps of a parallel movement go in any order.
        """
        wanted = pick if isinstance(pick, MovementPick) else MovementPick(pick, text)
        happened: list[Happening] = []
        for played in play(self.machine, self.state, task, wanted):
            happened += self.send(played.event)
        return tuple(happened)

    def input(self, text: str | None) -> tuple[Happening, ...]:
        """What the person answers; None: nothing, which ends the run."""
        return self.send(UserInput(text))

    def back_a_choice(self) -> bool:
        """Undo all events by which something came to its rule, or one other event."""
        if not self.can_go_back:
            return False
        at = self._position
        while at > 1:
            at -= 1
            if self._begins_choice(at + 1):
                break
        self.go_to(at)
        return True

    def asked_at(self, task: str) -> int | None:
        """The position at which a sub-step that has come to a rule since was asked last; None where it wasn't."""
        for number in range(self._position, 0, -1):
            event = self._moments[number].event
            if isinstance(event, Replied) and event.task == task and self._begins_choice(number):
                return number - 1
        return None

    def _begins_choice(self, position: int) -> bool:
        """Whether the event of this moment isn't a later one of the same choice."""
        event, before = self._moments[position].event, self._moments[position - 1].state
        if not isinstance(event, Replied | JudgeReply):
            return True
        if before.parent is not None:  # the whole of a parallel movement is judged
            return not before.parent.answers
        return any(task.name == event.task and task.phase == "execute" for task in before.tasks)

    def _same_run(self) -> "PieceRun":
        return PieceRun(self.machine)

    def _transitions(self, moment: Moment) -> Iterator[TakenRule]:
        """The rules of movements that were taken, without those of monitors' judges and of called workflows."""
        for each in moment.happened:
            if (
                isinstance(each, Completed)
                and each.chosen is not None
                and each.workflow is None
                and each.movement in self.machine.piece.movements
            ):
                yield TakenRule(each.movement, each.chosen.rule)
