"""Plays the paths found on the machine itself, limits included, and writes them as scripts."""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain

from stepflow_gui.run.exploring.answer_options import AnswerOption, read_steps
from stepflow_gui.run.exploring.search import NO_VISITS, counted, without_context
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

SHOWN = 6  # steps at each end of a path that a line shows
Line = Mapping[str, JsonValue]


class StepRun:
    """A step that a path comes to `times` times in a row, and what comes before. Paths share what they have in common.

    `number` counts from 1 at the start of the path; `first` is the last of its first `SHOWN`.
    """

    __slots__ = ("before", "first", "number", "step", "times")

    def __init__(self, step: str, times: int = 1, before: "StepRun | None" = None) -> None:
        self.step = step
        self.times = times
        self.before = before
        self.number: int = 1 if before is None else before.number + 1
        self.first: StepRun = self if before is None or self.number <= SHOWN else before.first

    def last(self, count: int) -> "list[StepRun]":
        """The last of the path up to here, at most so many, in their order."""
        found: list[StepRun] = []
        run: StepRun | None = self
        while run is not None and len(found) < count:
            found.append(run)
            run = run.before
        return found[::-1]


def arrived(runs: StepRun | None, step: str) -> StepRun:
    """The path after it comes to a step."""
    if runs is not None and runs.step == step:
        return StepRun(step, runs.times + 1, runs.before)
    return StepRun(step, 1, runs)


class PlayablePath:
    """A run that can be played: its script's lines, the steps in the order in which they are asked.

    `iterations` are those it takes; `max_iterations` the limit that it needs, where the agent's own is too small;
    `events` are what happens after the start. `plays` is False where even so it doesn't come out as explored (a count
    of checks that no script can raise). Lines and events are worked out each time they are asked for.
    """

    __slots__ = ("_play", "iterations", "max_iterations", "plays", "runs")

    def __init__(
        self,
        iterations: int,
        runs: StepRun | None,
        play: "Callable[[], Player | None]",
        max_iterations: int | None = None,
        *,
        plays: bool = True,
    ) -> None:
        self.iterations = iterations
        self.max_iterations = max_iterations
        self.plays = plays
        self.runs = runs
        self._play = play

    @property
    def path(self) -> tuple[str, ...]:
        """The steps."""
        runs = self.runs.last(self.runs.number) if self.runs else ()
        return tuple(chain.from_iterable([run.step] * run.times for run in runs))

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of the script."""
        player = self._play()
        return tuple(player.lines) if player else ()

    @property
    def events(self) -> tuple[Event, ...]:
        """What happens after the start."""
        player = self._play()
        return tuple(option.event for option in player.options) if player else ()


NOTHING_PLAYED = PlayablePath(0, None, lambda: None)


def is_over(state: State) -> bool:
    """Whether a run has ended or stopped."""
    return state.outcome is not None or state.error is not None or state.waits == "start"


class Player:
    """A run that follows an explorer's options, recording what happens."""

    def __init__(self, machine: Machine, start: Start) -> None:
        self._machine = machine
        self._kept = read_steps(machine)
        self.state, _effects = machine.step(START, start)
        self.trace: list[TraceEntry] = [self.state.last] if self.state.last else []
        self.runs: StepRun | None = None
        self.lines: list[Line] = []
        self.options: list[AnswerOption] = []
        self.limit: int | None = None  # of iterations, where it isn't the agent's own
        self.visits = NO_VISITS
        if self.state.waits != "start":
            self._arrive()

    @property
    def over(self) -> bool:
        """Whether the run has ended or stopped."""
        return is_over(self.state)

    def give(self, option: AnswerOption) -> None:
        """Let something happen."""
        before = self.state
        self.options.append(option)
        line = script_line(before, option)
        if line is not None:
            self.lines.append(line)
        after, _effects = self._machine.step(before, option.event)
        self.state = without_context(before, after, self._kept)
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

    def _arrive(self) -> None:
        self.visits = counted(self.visits, self.state)
        self.runs = arrived(self.runs, self.state.step or "")


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
