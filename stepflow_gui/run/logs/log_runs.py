"""Logged runs as histories to step through, like simulated ones: what is asked of them, and where two of them part."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from stepflow_gui.run.debugging.branches import Branches
from stepflow_gui.run.debugging.comparing import RunComparison, parting
from stepflow_gui.run.debugging.places import below
from stepflow_gui.run.debugging.run_moment import Halt
from stepflow_gui.run.history import History, add_count
from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.logs.logged_run import ComparedRun, ComparedTurn, LogEnd
from stepflow_gui.text.json.tree import JsonValue


class LogMove(NamedTuple):
    """A move that a log shows. `answer`: the intent, of TAKT the number of the rule from 0; `to` None: the end."""

    step: str
    answer: str
    to: str | None


class LogMoment(NamedTuple):
    """What one row is about: the beginning, a turn, or the end of the run.

    `step` is where the run stands after it; `asked` tells that the log shows this step being asked.
    """

    line: int = 1
    turn: ComparedTurn | None = None
    end: LogEnd | None = None
    step: str | None = None
    asked: bool = False
    move: LogMove | None = None  # that the turn made; None where it made none, or the log doesn't show by what


class LogHistory(History[LogMoment, LogMove]):
    """A logged run that stands at one of its moments. It never changes but by what is read of it."""

    def __init__(self, compared: ComparedRun) -> None:
        super().__init__(LogMoment())
        self.compared = compared
        self._visits: dict[str, int] = {}
        self.show(compared)

    @property
    def moment(self) -> LogMoment:
        """Where it stands."""
        return self._moments[self._position]

    @property
    def visits(self) -> Mapping[str, int]:
        """How often each step was asked so far."""
        return self._visits

    def show(self, compared: ComparedRun) -> None:
        """Replace what was read or compared. A run at its end goes to the new end, others stay where they are."""
        position = self._position if self._position < self.length else -1
        self.compared = compared
        self._clear()
        self._visits.clear()
        for moment in moments_of(compared):
            self._add(moment)
        if position >= 0:
            self.go_to(position)
        self._notify()

    def restart(self) -> None:
        """Back to the beginning."""
        self.go_to(1)

    def _same_run(self) -> "LogHistory":
        return LogHistory(self.compared)

    def _transitions(self, moment: LogMoment) -> Iterator[LogMove]:
        if moment.move is not None:
            yield moment.move

    def _count(self, position: int, by: int) -> None:
        super()._count(position, by)
        moment = self._moments[position]
        if moment.asked and moment.step is not None:
            add_count(self._visits, moment.step, by)


def moments_of(compared: ComparedRun) -> Sequence[LogMoment]:
    """The beginning, each turn, and the end if the log has one."""
    turns, end = compared.turns, compared.run.end
    steps = [each.turn.step for each in turns]
    found = [LogMoment(1, step=steps[0] if steps else None, asked=bool(steps))]
    for at, each in enumerate(turns):
        following = steps[at + 1] if at + 1 < len(turns) else None
        goes_on = each.turn.to is not None and not each.turn.closes
        step = following if at + 1 < len(turns) else each.turn.to if goes_on else each.turn.step
        move = _move(each, following)
        found.append(LogMoment(each.turn.line, each, step=step, asked=at + 1 < len(turns), move=move))
    if end.kind != "unfinished":
        found.append(LogMoment(end.line or compared.run.lines, end=end))
    return found


def _move(found: ComparedTurn, following: str | None) -> LogMove | None:
    turn = found.turn
    answer = turn.intent if turn.intent is not None else found.intent
    if turn.step is None or answer is None:
        return None
    return LogMove(turn.step, answer, None if turn.closes else following if following is not None else turn.to)


class LogPlace(NamedTuple):
    """A logged run at one moment, as breakpoints see it. `visits`: how often its step was asked so far."""

    moment: LogMoment
    visits: int

    def value(self, path: str) -> JsonValue:
        """The value at `step`, `intent`, `visit`, `iteration` or `answer.<path>`; ABSENT where there is none."""
        head, _dot, rest = path.strip().partition(".")
        found = self._values().get(head, ABSENT)
        return found if not rest else below(found, rest)

    def _values(self) -> dict[str, JsonValue]:
        values: dict[str, JsonValue] = {"visit": self.visits}
        if self.moment.step is not None:
            values["step"] = self.moment.step
        if self.moment.turn is not None:
            turn = self.moment.turn.turn
            values |= {"iteration": turn.iteration, "answer": turn.answer}
            values |= {"intent": turn.intent} if turn.intent is not None else {}
        return values

    def is_asked(self, step: str | None) -> bool:
        """Whether a step, or any, is asked next."""
        return self.moment.asked and step in {None, self.moment.step}

    def has_answered(self, intent: str, step: str | None) -> bool:
        """Whether a step, or any, has just come to an intent."""
        move = self.moment.move
        return move is not None and intent in {move.answer, self._rule()} and step in {None, move.step}

    def _rule(self) -> str | None:
        return self.moment.turn.intent if self.moment.turn is not None else None

    def is_checked(self, _validator: str | None, _step: str | None) -> bool:
        """A log doesn't name validators."""
        return False

    @property
    def halt(self) -> Halt | None:
        """The end of the run."""
        end = self.moment.end
        return Halt(ended=end.kind == "finished", message=end.text) if end is not None else None

    @property
    def is_between(self) -> bool:
        """Each row is a step."""
        return True


class LogRuns(Branches[LogHistory]):
    """The logs that are open beside each other."""

    def _kept(self, run: LogHistory) -> Iterator[LogPlace]:
        visits = dict(run.visits)
        for position in range(run.position + 1, run.length + 1):
            moment = run.moment_at(position)
            if moment.asked and moment.step is not None:
                add_count(visits, moment.step, 1)
            yield LogPlace(moment, visits.get(moment.step or "", 0))


def compare_logs(first: LogHistory, second: LogHistory) -> RunComparison:
    """Where two logged runs part: by a step, its answer, its target or the end."""
    return parting(first.length, second.length, lambda at: _facts(first.moment_at(at)) == _facts(second.moment_at(at)))


def _facts(moment: LogMoment) -> tuple[object, ...]:
    end = (moment.end.kind, moment.end.code) if moment.end is not None else None
    return moment.move, moment.step, end
