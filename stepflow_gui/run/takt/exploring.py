"""Everything that runs of a piece can do: a search over its places, for any answers of agents and judges.

A place is the movement that is due together with what monitors have seen; iterations aren't counted, so that loops come
to an end of the search. Ends that no rule goes to, such as that of a run whose agent is blocked, are kept apart.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import islice, product
from typing import NamedTuple

from stepflow_gui.run.takt.growth import Growth
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Movement
from stepflow_gui.run.takt.machine.state import (
    Begin,
    Completed,
    EndKind,
    Entered,
    Event,
    PieceEnd,
    PieceState,
    UserInput,
)
from stepflow_gui.run.takt.picking import PLAIN, MovementPick, play
from stepflow_gui.run.takt.stopping import NO_INPUTS, Cause, Stop, answered_by, at_limit, odd_picks

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
    """A kind of end. `path`: the shortest one there, as the movements with the rule each took from 1.

    `cause`: what stops the run where no rule does.
    """

    kind: EndKind
    movement: str
    detail: str
    path: tuple[str, ...]
    cause: Cause | None = None
    events: tuple[Event, ...] = ()  # of a run that ends so, without iterations granted before it


class PieceExploreResult(NamedTuple):
    """What was found. `endings` are those by rules, `stops` all others. `cut`: the search is incomplete."""

    places: int
    taken: frozenset[RuleAt]
    reached: frozenset[str]
    endings: tuple[Ending, ...]
    endless: tuple[str, ...]  # movements from which no run comes to an end of its own
    cut: bool
    stops: tuple[Ending, ...] = ()
    first_taken: Mapping[RuleAt, tuple[Event, ...]] = {}  # of a run that takes the rule at its last movement


class _Move(NamedTuple):
    """A transition: the state after it, the movement with the rule that it took, what happened; `cause`: no rule."""

    after: PieceState
    step: str
    events: tuple[Event, ...]
    cause: Cause | None = None


class _Seen(NamedTuple):
    """A place that was reached, from which one, by what."""

    state: PieceState
    before: Place | None
    move: _Move


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
        self._growth = Growth[Place](machine.piece.limit)
        self._ends: dict[tuple[EndKind, str, str], tuple[Place, _Move]] = {}
        self._ending: set[Place] = set()
        self._stops: dict[tuple[EndKind, str, str], Ending] = {}
        self._taken: dict[RuleAt, None] = {}
        self._first_taken: dict[RuleAt, tuple[Place, _Move]] = {}
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
        self._seen[first] = _Seen(state, None, _Move(state, "", (Begin("", start),)))
        self._growth.begin(first, state.iteration)
        waiting.append(first)
        while waiting and not self._stopped():
            place = waiting.popleft()
            self._edges[place] = set()
            for move in self._noting(place, self._transitions(self._seen[place].state)):
                for stopped in self._unanswered(move):
                    self._stop(place, stopped, waiting)
                self._meet(place, self._answered(move), waiting)
            for move in self._noting(place, self._odd_transitions(self._seen[place].state)):
                self._stop(place, move, waiting)
            if not waiting:
                self._use_up(waiting)
        self._cut = self._cut or bool(waiting)  # stopped with places left
        endings = tuple(self._ending_of(kind, place, move) for kind, (place, move) in self._ends.items())
        return PieceExploreResult(
            len(self._seen),
            frozenset(self._taken),
            frozenset(self._reached),
            endings,
            self._endless(),
            self._cut,
            tuple(each for kind, each in self._stops.items() if kind not in self._ends),
            {rule: self._events_of(place, move) for rule, (place, move) in self._first_taken.items()},
        )

    def _noting(self, place: Place, moves: Iterator[_Move]) -> Iterator[_Move]:
        """The moves from a place; rules that the first of them take are kept with it."""
        known = len(self._taken)
        for move in moves:
            for rule in islice(self._taken, known, None):
                self._first_taken[rule] = place, move
            known = len(self._taken)
            yield move

    def _events_of(self, place: Place, move: _Move) -> tuple[Event, ...]:
        return tuple(event for each in (*self._moves_to(place), move) for event in each.events)

    def _use_up(self, waiting: deque[Place]) -> None:
        """Stop where a movement begins, and as many iterations as the piece has may have been used before it."""
        for place in self._growth.exhausted(self._counted):
            state = self._seen[place].state
            if state.judging is None and state.parent is None and not place[0].done:
                name = self._machine.named(state, state.movement or "")
                self._stop(place, _Move(at_limit(self._machine, state), name, (), "limit"), waiting)

    def _counted(self, place: Place) -> int:
        """How many iterations the movement of a place counts as."""
        running = self._machine.running(self._seen[place].state)
        return int(running is None or running.unrun != "call" or self._machine.runner.calls_count)

    def _stop(self, place: Place, move: _Move, waiting: deque[Place]) -> None:
        """Keep an end that no rule goes to; what comes after one of a called workflow is searched, too."""
        if move.after.end is None:
            self._reach(place, move._replace(step=f"{move.step}:{move.cause}"), waiting)
        else:
            kind = _kind_of(move.after.end)
            if kind not in self._stops:
                self._stops[kind] = self._ending_of(kind, place, move)

    def _ending_of(self, kind: tuple[EndKind, str, str], place: Place, move: _Move) -> Ending:
        steps = tuple(each.step for each in (*self._moves_to(place)[1:], move))
        return Ending(*kind, steps, move.cause, self._events_of(place, move))

    def _meet(self, place: Place, move: _Move, waiting: deque[Place]) -> None:
        if move.after.end is not None:
            self._ending.add(place)
            self._ends.setdefault(_kind_of(move.after.end), (place, move))
            return
        self._edges[place].add(self._reach(place, move, waiting))

    def _reach(self, place: Place, move: _Move, waiting: deque[Place]) -> Place:
        reached = self._place(move.after)
        if reached not in self._seen:
            if len(self._seen) >= _MOST_PLACES:
                self._cut = True
                return reached
            self._seen[reached] = _Seen(move.after, place, move)
            waiting.append(reached)
        self._growth.add(place, reached, move.after.iteration - self._seen[place].state.iteration)
        return reached

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

    def _transitions(self, state: PieceState) -> Iterator[_Move]:
        """What can happen in a movement, by its rules."""
        running = self._machine.running(state)
        assert running is not None
        if state.parent is not None:
            yield from self._decided(state, running, ())
            return
        at_work = [task.name for task in state.tasks if task.phase != "done"]
        calling = next((name for name in at_work if self._machine.callee(state, name) is not None), None)
        if calling is not None:
            event = Entered(calling)
            after, happened = self._machine.step(state, event)
            self._keep(happened)
            yield _Move(after, self._machine.named(state, calling), (event,))
            return
        subs = [sub for sub in running.subs or (running,) if sub.name in at_work]
        combinations = product(*(self._open_rules(sub) for sub in subs))
        for tried, picks in enumerate(combinations):
            if tried >= _MOST_WAYS or self._stopped():
                self._cut = True
                return
            yield from self._combined(state, running, dict(zip([sub.name for sub in subs], picks, strict=True)))

    def _open_rules(self, movement: Movement) -> list[int]:
        """The rules that can be picked; a movement without any is run anyway."""
        rules = enumerate(movement.rules)
        return [place for place, rule in rules if self._machine.interactive or not rule.interactive_only] or [0]

    def _combined(self, state: PieceState, running: Movement, picks: Mapping[str, int]) -> Iterator[_Move]:
        before, events = state, []
        for name, rule in picks.items():
            for played in play(self._machine, state, name, MovementPick(rule)):
                state = played.state
                events.append(played.event)
                self._keep(played.happened)
                step = self._step_of(played.happened, before)
        if state.parent is not None and not _has_left(state, before):
            yield from self._decided(state, running, tuple(events))
            return
        yield _Move(state, step, tuple(events))

    def _odd_transitions(self, state: PieceState) -> Iterator[_Move]:
        """What can happen in a movement that no rule goes on from."""
        running = self._machine.running(state)
        assert running is not None
        if state.parent is not None:
            yield from self._played(state, running, Stop("undecided", {running.name: MovementPick(None)}), ())
            return
        at_work = [task.name for task in state.tasks if task.phase != "done"]
        if any(self._machine.callee(state, name) is not None for name in at_work):
            return
        subs = [sub for sub in running.subs or (running,) if sub.name in at_work]
        rules = {sub.name: self._open_rules(sub) for sub in subs}
        for stop in odd_picks(self._machine, subs, rules, _MOST_WAYS):
            yield from self._played(state, running, stop, ())

    def _played(self, state: PieceState, running: Movement, stop: Stop, events: tuple[Event, ...]) -> Iterator[_Move]:
        name, before = self._machine.named(state, running.name), state
        for task, pick in stop.picks.items():
            for played in play(self._machine, state, task, pick):
                state, events = played.state, (*events, played.event)
                if stop.cause != "blocked":  # whose rule isn't followed
                    self._keep(played.happened)
        move = _Move(state, name, events, stop.cause)
        yield from self._unanswered(move)
        if _has_left(state, before):
            yield self._answered(move)
        elif state.parent is not None:  # the judge decides over all of them
            for place in range(len(running.rules)):
                yield from self._played(state, running, Stop(stop.cause, {running.name: MovementPick(place)}), events)
            undecided = Stop("undecided", {running.name: MovementPick(None)})
            yield from self._played(state, running, undecided, events)

    def _decided(self, state: PieceState, running: Movement, events: tuple[Event, ...]) -> Iterator[_Move]:
        """What can happen after a parallel movement over which the judge decides."""
        for place in range(len(running.rules)):
            made = events
            for played in play(self._machine, state, running.name, MovementPick(place)):
                self._keep(played.happened)
                made = (*made, played.event)
                if _has_left(played.state, state):
                    yield _Move(played.state, self._step_of(played.happened, state), made)

    def _answered(self, move: _Move) -> _Move:
        while move.after.waits == "input":
            event = UserInput(PLAIN)
            move = move._replace(after=answered_by(self._machine, move.after, event), events=(*move.events, event))
        return move

    def _unanswered(self, move: _Move) -> Iterator[_Move]:
        """The same where the person who is asked doesn't answer."""
        for cause, event in NO_INPUTS if move.after.waits == "input" else ():
            after = answered_by(self._machine, move.after, event)
            yield _Move(after, move.step, (*move.events, event), cause)

    def _keep(self, happened: tuple[object, ...]) -> None:
        for each in happened:
            if isinstance(each, Completed):
                if each.chosen is not None:
                    self._taken[RuleAt(each.movement, each.chosen.rule, each.workflow)] = None
                for sub in each.subs:
                    if sub.chosen is not None:
                        self._taken[RuleAt(sub.name, sub.chosen.rule, each.workflow)] = None

    def _step_of(self, happened: tuple[object, ...], state: PieceState) -> str:
        """The movement of a state with the number of the rule that it took."""
        running = self._machine.running(state)
        assert running is not None
        name = self._machine.named(state, running.name)
        for each in happened:
            if isinstance(each, Completed) and each.movement == running.name and each.chosen is not None:
                return f"{name}:{each.chosen.rule + 1}"
        return name

    def _moves_to(self, place: Place | None) -> list[_Move]:
        """The shortest path to a place, the beginning of the run first."""
        moves: list[_Move] = []
        while place is not None:
            seen = self._seen[place]
            moves.append(seen.move)
            place = seen.before
        return moves[::-1]

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


def _has_left(state: PieceState, before: PieceState) -> bool:
    """Whether a run isn't in the same movement any more, or waits for something else than answers."""
    return state.waits != "calls" or state.starts != before.starts or state.caller is not before.caller


def _kind_of(end: PieceEnd) -> tuple[EndKind, str, str]:
    return end.kind, end.movement, end.detail
