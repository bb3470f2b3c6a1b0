"""Everything that runs of a piece can do: a search over its places, for any answers of agents and judges.

A place is the movement that is due together with what monitors have seen; iterations aren't counted, so that loops come
to an end of the search. The person always answers.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import NamedTuple

from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Movement
from stepflow_gui.run.takt.machine.state import (
    Begin,
    Completed,
    EndKind,
    Entered,
    Extended,
    PieceEnd,
    PieceState,
    UserInput,
)
from stepflow_gui.run.takt.picking import MovementPick, play

_MOST_PLACES = 20_000
_MOST_WAYS = 1_000  # combinations of what sub-steps can come to, of one movement


class MovementPosition(NamedTuple):
    """The movement that is due, what monitors have seen, and who runs."""

    movement: str
    history: tuple[str, ...]
    judging: bool
    done: tuple[tuple[str, int | None], ...]  # sub-steps of a parallel one that are done, each with its rule
    deciding: bool  # they all are
    opened: str  # the sub-step whose workflow is open


Place = tuple[MovementPosition, frozenset[str], tuple[MovementPosition, ...]]
"""Where a run is, the reports that somebody needs, and where those are that called the workflow it is in."""


class RuleAt(NamedTuple):
    """A rule of a movement, of a sub-step or of a monitor's judge, by its 0-based place."""

    movement: str
    rule: int
    workflow: str | None = None  # the called one that it is of


class Ending(NamedTuple):
    """A kind of end. `path`: the shortest one there, as the movements with the rule each took from 1."""

    kind: EndKind
    movement: str
    detail: str
    path: tuple[str, ...]


class PieceExploreResult(NamedTuple):
    """What was found. `cut`: there is more than was looked at."""

    places: int
    taken: frozenset[RuleAt]
    reached: frozenset[str]
    endings: tuple[Ending, ...]
    endless: tuple[str, ...]  # movements from which no run comes to an end of its own
    cut: bool


class _Seen(NamedTuple):
    """A place that was reached, from which one, by what."""

    state: PieceState
    before: Place | None
    step: str


def explore(
    machine: PieceMachine, start: str | None = None, stopped: Callable[[], bool] = lambda: False
) -> PieceExploreResult:
    """Search from the piece's first movement, or another one, until it is `stopped`."""
    return _Search(machine, stopped).run(start)


class _Search:
    def __init__(self, machine: PieceMachine, stopped: Callable[[], bool]) -> None:
        self._stopped = stopped
        piece = machine.piece._replace(limit=None)
        self._machine = PieceMachine(piece, machine.runner, interactive=machine.interactive)
        self._needed = machine.needed_reports
        monitors = [each for of in (piece, *piece.workflows.values()) for each in of.monitors]
        self._deepest = max((len(each.cycle) * each.threshold for each in monitors), default=0)
        self._seen: dict[Place, _Seen] = {}
        self._edges: dict[Place, set[Place]] = {}
        self._ends: dict[tuple[EndKind, str, str], tuple[Place, str]] = {}
        self._ending: set[Place] = set()
        self._taken: set[RuleAt] = set()
        self._reached: set[str] = set()
        self._cut = False

    def run(self, start: str | None) -> PieceExploreResult:
        state, _happened = self._machine.step(PieceState(), Begin("", start))
        waiting: deque[Place] = deque()
        if state.end is not None:
            return PieceExploreResult(
                0, frozenset(), frozenset(), (Ending(state.end.kind, start or "", state.end.detail, ()),), (), False
            )
        first = self._place(state)
        self._seen[first] = _Seen(state, None, "")
        waiting.append(first)
        while waiting and not self._stopped():
            place = waiting.popleft()
            self._edges[place] = set()
            for after, step in self._transitions(self._seen[place].state):
                self._meet(place, after, step, waiting)
        self._cut = self._cut or bool(waiting)  # stopped with places left
        endings = tuple(
            Ending(kind, movement, detail, (*self._path(place), step))
            for (kind, movement, detail), (place, step) in self._ends.items()
        )
        return PieceExploreResult(
            len(self._seen), frozenset(self._taken), frozenset(self._reached), endings, self._endless(), self._cut
        )

    def _meet(self, place: Place, after: PieceState, step: str, waiting: deque[Place]) -> None:
        if after.end is not None:
            self._ending.add(place)
            self._ends.setdefault(_kind_of(after.end), (place, step))
            return
        reached = self._place(after)
        self._edges[place].add(reached)
        if reached in self._seen:
            return
        if len(self._seen) >= _MOST_PLACES:
            self._cut = True
            return
        self._seen[reached] = _Seen(after, place, step)
        waiting.append(reached)

    def _place(self, state: PieceState) -> Place:
        running = self._machine.running(state)
        assert running is not None
        names = (running.name, *(sub.name for sub in running.subs))
        self._reached.update(self._machine.named(state, name) for name in names)
        callers: list[MovementPosition] = []
        inner = state
        while inner.caller is not None:
            callers.append(self._position(inner.caller)._replace(opened=inner.called_by))
            inner = inner.caller
        return self._position(state), self._needed & frozenset(state.reports), tuple(callers)

    def _position(self, state: PieceState) -> MovementPosition:
        running = self._machine.running(state)
        assert running is not None
        history = state.history[-self._deepest :] if self._deepest else ()
        name, done = self._machine.named(state, running.name), [task for task in state.tasks if task.phase == "done"]
        came = tuple((task.name, task.chosen.rule if task.chosen else None) for task in done if running.subs)
        return MovementPosition(name, history, state.judging is not None, came, state.parent is not None, "")

    def _transitions(self, state: PieceState) -> Iterator[tuple[PieceState, str]]:
        """The next states after a movement, each with the movement and the rule it took."""
        running = self._machine.running(state)
        assert running is not None
        if state.parent is not None:
            yield from self._decided(state, running, state)
            return
        at_work = [task.name for task in state.tasks if task.phase != "done"]
        calling = next((name for name in at_work if self._machine.callee(state, name) is not None), None)
        if calling is not None:
            after, happened = self._machine.step(state, Entered(calling))
            self._keep(happened)
            yield self._answered(after), self._machine.named(state, calling)
            return
        subs = [sub for sub in running.subs or (running,) if sub.name in at_work]
        combinations = product(*(self._open_rules(sub) for sub in subs))
        for tried, picks in enumerate(combinations):
            if tried >= _MOST_WAYS or self._stopped():
                self._cut = True
                return
            yield from self._combined(state, running, dict(zip([sub.name for sub in subs], picks, strict=True)))

    def _open_rules(self, movement: Movement) -> list[int]:
        """The rules that can be picked; a movement without any is run all the same."""
        rules = enumerate(movement.rules)
        return [place for place, rule in rules if self._machine.interactive or not rule.interactive_only] or [0]

    def _combined(
        self, state: PieceState, running: Movement, picks: Mapping[str, int]
    ) -> Iterator[tuple[PieceState, str]]:
        at, before = state.starts, state
        for name, rule in picks.items():
            for played in play(self._machine, state, name, MovementPick(rule)):
                state = played.state
                self._keep(played.happened)
                step = self._step_of(played.happened, before)
        here = state.waits == "calls" and state.starts == at and state.caller is before.caller
        if here and state.parent is not None:
            yield from self._decided(state, running, before)
            return
        yield self._answered(state), step

    def _decided(self, state: PieceState, running: Movement, before: PieceState) -> Iterator[tuple[PieceState, str]]:
        """The next states after a parallel movement over which the judge decides."""
        for place in range(len(running.rules)):
            for played in play(self._machine, state, running.name, MovementPick(place)):
                self._keep(played.happened)
                after = played.state
                if after.starts != state.starts or after.waits != "calls" or after.caller is not state.caller:
                    yield self._answered(after), self._step_of(played.happened, before)

    def _answered(self, state: PieceState) -> PieceState:
        while state.waits in ("input", "limit"):
            event = UserInput("…") if state.waits == "input" else Extended(1)
            state, _happened = self._machine.step(state, event)
        return state

    def _keep(self, happened: tuple[object, ...]) -> None:
        for each in happened:
            if isinstance(each, Completed):
                if each.chosen is not None:
                    self._taken.add(RuleAt(each.movement, each.chosen.rule, each.workflow))
                self._taken.update(
                    RuleAt(sub.name, sub.chosen.rule, each.workflow) for sub in each.subs if sub.chosen is not None
                )

    def _step_of(self, happened: tuple[object, ...], state: PieceState) -> str:
        """The movement of a state with the number of the rule that it took."""
        running = self._machine.running(state)
        assert running is not None
        name = self._machine.named(state, running.name)
        for each in happened:
            if isinstance(each, Completed) and each.movement == running.name and each.chosen is not None:
                return f"{name}:{each.chosen.rule + 1}"
        return name

    def _path(self, place: Place | None) -> tuple[str, ...]:
        steps: list[str] = []
        while place is not None:
            seen = self._seen[place]
            steps.append(seen.step)
            place = seen.before
        return tuple(reversed(steps[:-1]))

    def _endless(self) -> tuple[str, ...]:
        """The movements of all places from which no end is reached."""
        back: dict[Place, list[Place]] = {}
        for place, afters in self._edges.items():
            for after in afters:
                back.setdefault(after, []).append(place)
        ends, waiting = set(self._ending), list(self._ending)
        while waiting:
            for before in back.get(waiting.pop(), ()):
                if before not in ends:
                    ends.add(before)
                    waiting.append(before)
        if self._cut:
            return ()
        return tuple(dict.fromkeys(place[0].movement for place in self._seen if place not in ends))


def _kind_of(end: PieceEnd) -> tuple[EndKind, str, str]:
    return end.kind, end.movement, end.detail
