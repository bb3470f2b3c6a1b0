"""Plays the paths found on the machine itself, limits included, and writes them as scripts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from stepflow_gui.run.exploring.answer_options import AnswerOption
from stepflow_gui.run.exploring.search import counted, limited
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.picks import RAN
from stepflow_gui.run.machine.state import (
    START,
    Answered,
    Event,
    NotAsked,
    ProgramEnded,
    Start,
    State,
    TraceEntry,
    Validated,
)
from stepflow_gui.text.json.tree import JsonValue

Line = Mapping[str, JsonValue]


class PlayablePath(NamedTuple):
    """A run that can be played: its script's lines, the steps in the order in which they are asked.

    `iterations` are those it takes; `max_iterations` the limit that it needs, where the agent's own is too small;
    `events` are what happens after the start. `plays` is False where even so it doesn't come out as explored (a count
    of checks that no script can raise).
    """

    lines: tuple[Line, ...]
    path: tuple[str, ...]
    iterations: int
    max_iterations: int | None = None
    plays: bool = True
    events: tuple[Event, ...] = ()


class Player:
    """A run that follows an explorer's options, recording what happens."""

    def __init__(self, machine: Machine, start: Start) -> None:
        self._machine = machine
        self.state, _effects = machine.step(START, start)
        self.trace: list[TraceEntry] = [self.state.last] if self.state.last else []
        self.path: list[str] = []
        self.lines: list[Line] = []
        self.options: list[AnswerOption] = []
        self.limit: int | None = None  # of iterations, where it isn't the agent's own
        self.visits: Mapping[str, int] = {}
        if self.state.waits != "start":
            self._arrive()

    @property
    def over(self) -> bool:
        """Whether the run has ended or stopped."""
        return self.state.outcome is not None or self.state.error is not None or self.state.waits == "start"

    def give(self, option: AnswerOption) -> None:
        """Let something happen."""
        before = self.state
        self.options.append(option)
        line = script_line(before, option)
        if line is not None:
            self.lines.append(line)
        after, _effects = self._machine.step(before, option.event)
        self.state = after
        if after.last is not None:
            self.trace.append(after.last)
        if after.iteration != before.iteration:
            self._arrive()

    def answer_all(self, options: Iterable[AnswerOption]) -> None:
        """Let one thing after the other happen, until the run is over."""
        for each in options:
            if self.over:
                return
            self.give(each)

    def playable(self, iterations: int, limit: int | None = None, *, plays: bool = True) -> PlayablePath:
        """All that has happened."""
        events = tuple(each.event for each in self.options)
        return PlayablePath(tuple(self.lines), tuple(self.path), iterations, limit, plays, events)

    def _arrive(self) -> None:
        self.visits = counted(self.visits, self.state)
        self.path.append(self.state.step or "")


def played(
    machine: Machine, start: Start, options: Sequence[AnswerOption], iterations: int, wanted: object
) -> PlayablePath:
    """A path of so many iterations, played on the machine. `wanted`: the outcome or error at its end."""
    limit = None if iterations <= machine.config.limit else iterations
    player = Player(machine if limit is None else limited(machine, iterations), start)
    player.answer_all(options)
    came = player.state.outcome or player.state.error
    return player.playable(iterations, limit, plays=came == wanted)


def script_line(state: State, option: AnswerOption) -> Line | None:
    """The line of a script that lets it happen; None where it happens by itself, as a run of a step with checks."""
    match option.event:
        case Validated(fault=str()) | NotAsked():
            return None
        case Validated(passed=passed, error=error):
            checking = state.checking
            name = checking.validation.validators[checking.position] if checking else None
            return {"validator": name, "passed": passed} | ({"error": error} if error else {})
        case ProgramEnded(exit_code=exit_code):
            return {"step": state.step, "exitCode": exit_code}
        case Answered(answer=answer, texts=texts, verdict_reached=condition_met):
            line: dict[str, JsonValue] = {"step": state.step}
            if option.pick == RAN:
                return None
            if state.waits == "check":
                given = answer.get("result") if isinstance(answer, dict) else answer
                return line | {"check": given} | ({} if texts is None else {"texts": list(texts)})
            pick = option.pick
            if pick is not None and option.bare:
                named = (("intent", pick.intent), ("case", pick.case), ("target", pick.target))
                line |= {key: value for key, value in named if value is not None}
            else:
                line["answer"] = answer
            if texts is not None:
                line["texts"] = list(texts)
            return line | ({"verdict": True} if condition_met else {})
    raise AssertionError(option)


def in_short(option: AnswerOption) -> str:
    """The answer, for a row of a table: the intent with its case or target, the alias, the flaw."""
    match option.event:
        case Validated(passed=passed, fault=fault):
            return "fault" if fault else "pass" if passed else "fail"
        case ProgramEnded(exit_code=exit_code):
            return f"exit {exit_code}"
        case NotAsked(why=why):
            return why
    if option.pick is None:
        return option.flaw or ""
    more: Iterable[str] = (each for each in (option.pick.case, option.pick.target) if each is not None)
    return " · ".join([option.word or option.pick.intent, *more])
