"""Runs of a piece that are led with pauses: at a movement or sub-step, at a result, after a choice."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.run.debugging.branches import Branches
from stepflow_gui.run.debugging.breakpoints import Breakpoint
from stepflow_gui.run.debugging.comparing import RunComparison, parting
from stepflow_gui.run.debugging.places import below
from stepflow_gui.run.debugging.run_moment import Halt
from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Piece, called_steps, everyone
from stepflow_gui.run.takt.machine.results import results_of
from stepflow_gui.run.takt.machine.state import Call, JudgeReply, Moment, PieceState, Replied
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.run.takt.words import end_words, in_its_words
from stepflow_gui.text.json.tree import JsonValue

_SINGLE = ("step", "intent", "visit", "iteration", "task", "previous")
_GROUPS = ("reports", "context", "structured", "effect")


class PieceMoment(NamedTuple):
    """A run just after one event; `before`: the state that the event met."""

    machine: PieceMachine
    before: PieceState
    moment: Moment

    def value(self, path: str) -> JsonValue:
        """The value at `visit`, `reports.notes.md`, `structured.plan.ready` …; ABSENT where there is none."""
        state = self.moment.state
        name = _next_name(self.machine, state)
        found: dict[str, JsonValue] = {
            "iteration": state.iteration,
            "visit": state.counts.get(name or "", 0),
            "task": state.task,
            "reports": dict(state.reports),
            **state.facts,
        }
        found |= {"step": self.machine.named(state, name)} if name is not None else {}
        found |= {"previous": state.previous} if state.previous is not None else {}
        for result in results_of(self.machine, self.before, self.moment):
            if result.rule is not None:
                found["intent"] = result.rule
        head, _dot, rest = path.strip().partition(".")
        holder = found.get(head, ABSENT)
        return holder if not rest else below(holder, rest)

    def is_asked(self, step: str | None) -> bool:
        """Whether a movement or sub-step, or any, is about to work."""
        asked = _asked(self.machine, self.moment.state) - _asked(self.machine, self.before)
        return bool(asked) if step is None else any(name == step for name, _count in asked)

    def has_answered(self, intent: str, step: str | None) -> bool:
        """Whether a movement or sub-step, or any, has just come to a rule of that condition."""
        results = results_of(self.machine, self.before, self.moment)
        return any(result.rule == intent and step in {None, result.name} for result in results)

    def is_checked(self, _validator: str | None, _step: str | None) -> bool:
        """Pieces have no validators."""
        return False

    @property
    def halt(self) -> Halt | None:
        """The end of the run."""
        end = self.moment.state.end
        return (
            Halt(ended=True, message=end_words(end, self.machine.piece_at(self.moment.state)))
            if end is not None
            else None
        )

    @property
    def is_between(self) -> bool:
        """Whether a movement or sub-step has its result, or something else was answered."""
        event, state = self.moment.event, self.moment.state
        if not isinstance(event, Replied | JudgeReply) or state.waits != "calls" or state.starts != self.before.starts:
            return True
        tasks = (state.parent,) if state.parent is not None else state.tasks
        task = next((each for each in tasks if each.name == event.task), None)
        return task is None or task.phase == "done"


class PieceRuns(Branches[PieceRun]):
    """The runs of one piece, with the breakpoints they all have."""

    def back(self) -> None:
        """Undo all events by which something came to its rule, or one other event."""
        self.paused = None
        if self.run is not None:
            self.run.back_a_choice()

    def take(self, moments: list[Moment]) -> None:
        """Let events happen that were computed elsewhere."""
        if moments:
            self.happens(lambda run: run.extend(moments))

    def _kept(self, run: PieceRun) -> Iterator[PieceMoment]:
        for position in range(run.position + 1, run.length + 1):
            yield PieceMoment(run.machine, run.moment_at(position - 1).state, run.moment_at(position))


def compare_pieces(first: PieceRun, second: PieceRun) -> RunComparison:
    """Where two runs diverge: by an answer, or by its result."""
    return parting(first.length, second.length, lambda at: _alike(first.moment_at(at), second.moment_at(at)))


def _alike(one: Moment, other: Moment) -> bool:
    return one is other or (one.event, one.happened, one.state.end) == (other.event, other.happened, other.state.end)


def names_in(piece: Piece) -> list[str]:
    """The movements, sub-steps and judges at which a run can pause, each once."""
    called = (name for name, _step in called_steps(piece))
    return list(dict.fromkeys((*(each.name for each in everyone(piece)), *called)))


def results_in(piece: Piece) -> list[str]:
    """The conditions of all rules, each once."""
    steps = (*everyone(piece), *(step for _name, step in called_steps(piece)))
    return list(dict.fromkeys(rule.text for each in steps for rule in each.rules))


def missing_in_piece(piece: Piece, point: Breakpoint) -> str | None:
    """What a breakpoint names that doesn't exist, so no run would ever pause at it; None where all is."""
    if point.step is not None and point.step not in names_in(piece):
        return in_its_words(piece, _("There is no movement “{name}”.")).format(name=point.step)
    if point.intent is not None and point.intent not in results_in(piece):
        return _("No rule has the condition “{condition}”.").format(condition=point.intent)
    for test in point.condition.tests:
        if test.path.partition(".")[0] not in (*_SINGLE, *_GROUPS):
            text = _("“{path}” can't be used in a condition. Use visit, iteration or reports.FILE.")
            return text.format(path=test.path)
    return None


def _asked(machine: PieceMachine, state: PieceState) -> set[tuple[str, int]]:
    """Who is next to work, with the number of the run of each: a sub-step, and with the first its whole movement."""
    call = _next_call(machine, state)
    running = machine.running(state)
    if call is None or call.kind != "agent" or running is None:
        return set()
    begins = all(task.phase == "execute" for task in state.tasks)
    names = {call.task, running.name} if begins else {call.task}
    return {(machine.named(state, name), machine.runs_of(state, name)) for name in names}


def _next_call(machine: PieceMachine, state: PieceState) -> Call | None:
    calls = machine.calls(state)
    return calls[0] if calls else None


def _next_name(machine: PieceMachine, state: PieceState) -> str | None:
    call = _next_call(machine, state)
    return call.task if call is not None else state.movement
