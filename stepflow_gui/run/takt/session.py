"""A run of a piece as a person leads it: all its states, so that it can stand at any of them again; without Qt."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import (
    Begin,
    Call,
    Completed,
    Event,
    Happening,
    JudgeReply,
    PieceState,
    Replied,
    UserInput,
)
from stepflow_gui.run.takt.picking import MovementPick, play

Listener = Callable[[], None]
MOST_EVENTS = 20_000  # after which a run without a cap that goes on by itself is given up


class Moment(NamedTuple):
    """One event of a run with what came of it."""

    event: Event | None
    state: PieceState
    happened: tuple[Happening, ...] = ()


class TakenRule(NamedTuple):
    """A way that a run went: the movement, the 0-based rule that was taken, and where it led."""

    movement: str
    rule: int


class PieceRun:
    """One run of a piece. Call `begin` first; `state` is where it stands."""

    def __init__(self, machine: PieceMachine) -> None:
        self.machine = machine
        self._moments = [Moment(None, PieceState())]
        self._position = 0
        self._taken: dict[TakenRule, int] = {}
        self._listeners: list[Listener] = []

    @property
    def state(self) -> PieceState:
        """Where the run stands."""
        return self._moments[self._position].state

    @property
    def moments(self) -> tuple[Moment, ...]:
        """What happened until where the run stands, the beginning first."""
        return tuple(self._moments[1 : self._position + 1])

    @property
    def position(self) -> int:
        """How many events have happened where the run stands."""
        return self._position

    @property
    def length(self) -> int:
        """How many events are kept, those after `position` too."""
        return len(self._moments) - 1

    @property
    def calls(self) -> tuple[Call, ...]:
        """What the run waits for; several at once where sub-steps run beside each other."""
        return self.machine.calls(self.state)

    @property
    def can_go_back(self) -> bool:
        """Whether there is something after the beginning to take back."""
        return self._position > 1

    @property
    def can_go_forward(self) -> bool:
        """Whether something that was taken back is kept."""
        return self._position < self.length

    def moment_at(self, position: int) -> Moment:
        """The moment after so many events. Raises IndexError beyond `length`."""
        return self._moments[position]

    def on_change(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` after every change, until the returned function is called."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def begin(self, task: str = "", movement: str | None = None) -> tuple[Happening, ...]:
        """Begin, or begin anew."""
        return self._begin(Begin(task, movement))

    def restart(self) -> tuple[Happening, ...]:
        """Begin anew as this run began."""
        first = self._moments[1].event if self.length else None
        return self._begin(first if isinstance(first, Begin) else Begin())

    def _begin(self, event: Begin) -> tuple[Happening, ...]:
        self._moments = [Moment(None, PieceState())]
        self._position = 0
        self._taken.clear()
        return self.send(event)

    def send(self, event: Event) -> tuple[Happening, ...]:
        """Let an event happen; what was kept from here on is dropped. What isn't waited for changes nothing."""
        before = self.state
        after, happened = self.machine.step(before, event)
        if after is not before:
            self.take([Moment(event, after, happened)])
        return happened

    def take(self, moments: Iterable[Moment]) -> None:
        """Let events happen whose states somebody else's machine for the same piece has made, in their order."""
        del self._moments[self._position + 1 :]
        for moment in moments:
            self._moments.append(moment)
            self._count(moment, 1)
        self._position = self.length
        self._tell()

    def fork(self) -> "PieceRun":
        """Another run that has come to where this one stands, with the same moments until there and no listeners."""
        other = PieceRun(self.machine)
        other._moments = self._moments[: self._position + 1]
        other._position, other._taken = self._position, dict(self._taken)
        return other

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

    def back(self) -> bool:
        """Take the last event back; False where only the beginning is left."""
        if not self.can_go_back:
            return False
        self.go_to(self._position - 1)
        return True

    def back_a_choice(self) -> bool:
        """Take back all events by which something came to its rule, or one other event."""
        if not self.can_go_back:
            return False
        at = self._position
        while at > 1:
            at -= 1
            if self._begins_choice(at + 1):
                break
        self.go_to(at)
        return True

    def on_a_choice(self) -> bool:
        """Go on by as much as `back_a_choice` takes back."""
        if not self.can_go_forward:
            return False
        at = self._position + 1
        while at < self.length and not self._begins_choice(at + 1):
            at += 1
        self.go_to(at)
        return True

    def _begins_choice(self, position: int) -> bool:
        """Whether the event after which the run stands there isn't a later one of the same choice."""
        event, before = self._moments[position].event, self._moments[position - 1].state
        if not isinstance(event, Replied | JudgeReply):
            return True
        if before.parent is not None:  # the whole of a parallel movement is judged
            return not before.parent.answers
        return any(task.name == event.task and task.phase == "execute" for task in before.tasks)

    def go_to(self, position: int) -> None:
        """Stand where so many events had happened, as near as there is: everything after it stays kept."""
        position = min(max(position, min(1, self.length)), self.length)
        if position == self._position:
            return
        for at in range(self._position + 1, position + 1):
            self._count(self._moments[at], 1)
        for at in range(self._position, position, -1):
            self._count(self._moments[at], -1)
        self._position = position
        self._tell()

    def visits(self) -> Mapping[str, int]:
        """How often each movement and sub-step ran."""
        return self.state.counts

    def taken(self) -> Mapping[TakenRule, int]:
        """How often each rule of each movement was taken, judges of monitors left out."""
        return self._taken

    def _count(self, moment: Moment, by: int) -> None:
        for each in moment.happened:
            if (
                isinstance(each, Completed)
                and each.chosen is not None
                and each.movement in self.machine.piece.movements
            ):
                way = TakenRule(each.movement, each.chosen.rule)
                count = self._taken.pop(way, 0) + by
                if count:
                    self._taken[way] = count

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()
