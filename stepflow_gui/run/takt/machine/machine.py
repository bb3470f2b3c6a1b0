"""The state machine of a piece: a state and an event give the next state and what happened (takt.md 3, 6-11).

Pure: `calls` defines what a state waits for, and the results enter as events.
"""

from collections.abc import Iterator, Mapping
from posixpath import normpath
from typing import Protocol

from stepflow_gui.formats.takt.runners import PIECES, TaktRunner
from stepflow_gui.run.takt.machine.assuming import merged
from stepflow_gui.run.takt.machine.calling import (
    ABORT,
    COMPLETE,
    begins,
    inside,
    joined,
    may_open,
    result_of_call,
    returned,
    returns_to_caller,
    rule_for,
)
from stepflow_gui.run.takt.machine.choosing import Chosen
from stepflow_gui.run.takt.machine.judging_by_status import ByStatus
from stepflow_gui.run.takt.machine.judging_by_tags import ByTags
from stepflow_gui.run.takt.machine.judging_in_order import InOrder
from stepflow_gui.run.takt.machine.monitors import fired, is_repeating, seen_by
from stepflow_gui.run.takt.machine.piece import Movement, Piece, Report, reports_read
from stepflow_gui.run.takt.machine.state import (
    Begin,
    Blocked,
    Call,
    Completed,
    CycleFound,
    EndKind,
    Entered,
    Event,
    Extended,
    Happening,
    InputGiven,
    JudgeReply,
    Judging,
    LimitReached,
    MovementTask,
    PieceEnd,
    PieceState,
    Replied,
    ReportWritten,
    RunsInARow,
    Started,
    UserInput,
    WorkflowEntered,
    WorkflowLeft,
)
from stepflow_gui.run.takt.machine.state_values import Facts
from stepflow_gui.run.takt.machine.tags import asked_when_blocked
from stepflow_gui.text.json.tree import JsonValue

_MOST_INPUTS, _LONGEST_INPUT = 100, 10_000  # what a run keeps of a person's answers, in answers and characters

Stepped = tuple[PieceState, tuple[Happening, ...]]


class Judgement(Protocol):
    """How a movement comes to its rule once its work is done."""

    def advance(self, state: PieceState, movement: Movement, task: MovementTask) -> MovementTask | EndKind:
        """The task as far as it gets by itself; or why it ends the run."""

    def replied(self, movement: Movement, task: MovementTask, text: str) -> MovementTask:
        """The task after the reply of whoever was asked for a tag."""

    def judged(self, movement: Movement, task: MovementTask, holds: int | None) -> MovementTask:
        """The task after the AI judge's answer."""

    def call(self, state: PieceState, movement: Movement, task: MovementTask) -> Call:
        """Who is asked for the result, of what."""


class PieceMachine:
    """Runs one piece as one runner does. Holds no state, so it serves any number of runs."""

    __slots__ = ("_judgement", "interactive", "piece", "runner")

    def __init__(self, piece: Piece, runner: TaktRunner = PIECES, *, interactive: bool = False) -> None:
        """`interactive`: a person is there, so that rules for them alone can be taken."""
        self.piece = piece
        self.runner = runner
        self.interactive = interactive
        self._judgement = _judgement_of(runner, interactive=interactive)

    def step(self, state: PieceState, event: Event) -> Stepped:
        """The state after an event, and what happened. An event that the state doesn't wait for changes nothing."""
        after, happened = self._step(state, event)
        while returns_to_caller(after):
            after, further = self._return(after)
            happened = (*happened, *further)
        return after, happened

    def _step(self, state: PieceState, event: Event) -> Stepped:
        match event:
            case Begin() if state.waits == "start":
                return self._begin(event)
            case Replied() | JudgeReply() if state.waits == "calls":
                return self._answered(state, event)
            case UserInput() if state.waits == "input":
                return self._input(state, event)
            case Extended() if state.waits == "limit":
                return self._extended(state, event)
            case Entered() if state.waits == "calls" and (called := self.callee(state, event.task)) is not None:
                after, happened = self._enter(inside(state, event.task, called, self.piece.workflows[called]))
                return after, (WorkflowEntered(event.task, called), *happened)
        return state, ()

    def piece_at(self, state: PieceState) -> Piece:
        """The piece that a state is in: this one, or a workflow that it called."""
        return self.piece.workflows[state.workflow] if state.workflow else self.piece

    def callee(self, state: PieceState, task: str) -> str | None:
        """The workflow that `Entered` opens for a task; None where it calls none, or it can't be opened here."""
        if not begins(state, task):
            return None
        movement = self.movement_of(state, task)
        return movement.opens if may_open(state, movement, self.piece.workflows) else None

    def named(self, state: PieceState, name: str) -> str:
        """A movement or sub-step as scripts and breakpoints name it: those of called workflows as `WORKFLOW/NAME`."""
        if state.caller is None:
            return name
        return f"{self.movement_of(state.caller, state.called_by).called}/{name}"

    def runs_of(self, state: PieceState, name: str) -> int:
        """How often a movement or sub-step of the running workflow ran in the whole run, this time counted."""
        return (state.runs.get(self.named(state, name), 1)) if state.caller else state.counts.get(name, 1)

    def come_to(self, state: PieceState, rule: int) -> Stepped:
        """The state after the running movement came to a rule, by its place from 0, whatever it was asked."""
        task = MovementTask(self._parent(state).name, "done", chosen=Chosen(rule, "called"))
        after, happened = self._finish(state, task)
        while returns_to_caller(after):
            after, further = self._return(after)
            happened = (*happened, *further)
        return after, happened

    def calls(self, state: PieceState) -> tuple[Call, ...]:
        """What a state waits for, in the order of the sub-steps; all of them may be asked at once."""
        if state.waits != "calls":
            return ()
        tasks = (state.parent,) if state.parent else state.tasks
        return tuple(self._call(state, task) for task in tasks if task.phase != "done")

    def running(self, state: PieceState) -> Movement | None:
        """The movement that is running; while a monitor's judge runs, that one."""
        if state.judging is not None:
            return self.piece_at(state).monitors[state.judging.monitor].judge
        return self.piece_at(state).movements.get(state.movement or "")

    def asked_of(self, state: PieceState, call: Call) -> Movement:
        """The movement or sub-step that a call is about."""
        running = self.running(state)
        assert running is not None
        return running if state.parent is not None else self.movement_of(state, call.task)

    def movement_of(self, state: PieceState, task: str) -> Movement:
        """The movement or sub-step of a task."""
        running = self.running(state)
        assert running is not None
        return next((sub for sub in running.subs if sub.name == task), running)

    def _call(self, state: PieceState, task: MovementTask) -> Call:
        movement = self.movement_of(state, task.name) if state.parent is None else self._parent(state)
        match task.phase:
            case "execute":
                return Call(task.name, "agent")
            case "report":
                return Call(task.name, "report", movement.reports[task.reported].name)
            case _:
                return self._judgement.call(state, movement, task)

    def _parent(self, state: PieceState) -> Movement:
        running = self.running(state)
        assert running is not None
        return running

    def _begin(self, event: Begin) -> Stepped:
        first = event.movement or self.piece.initial
        return self._enter(
            PieceState(limit=self.piece.limit, task=event.task, movement=first, facts=event.facts, given=event.facts)
        )

    def _enter(self, state: PieceState) -> Stepped:
        """Begin the current movement, unless the iterations are used up."""
        name = state.movement or ""
        if state.limit is not None and state.iteration >= state.limit:
            return state._replace(waits="limit", tasks=(), parent=None), (LimitReached(state.iteration, state.limit),)
        movement = self.piece_at(state).movements.get(name)
        if movement is None:
            return self._end(state, "movement_unknown", name)
        if missing := self._missing_report(movement, state):
            return self._end(state, "report_missing", missing)
        times = state.row[1] + 1 if state.row[0] == name else 1
        happened: tuple[Happening, ...] = (RunsInARow(name, times),) if is_repeating(times) else ()
        state, started = self._start(state._replace(row=(name, times)), movement)
        return state, (*happened, *started)

    @property
    def needed_reports(self) -> frozenset[str]:
        """The reports without which a movement ends the run; a called workflow may write any, so none where one is."""
        if not self.runner.report_must_exist or self.piece.calls:
            return frozenset()
        return frozenset(name for movement in self.piece.movements.values() for name in _read_by(movement))

    def _missing_report(self, movement: Movement, state: PieceState) -> str | None:
        """A report that an instruction needs the text of, and that isn't written."""
        if not self.runner.report_must_exist or self.piece.calls or state.workflow:
            return None
        return next((name for name in _read_by(movement) if name not in state.reports), None)

    def _start(self, state: PieceState, movement: Movement) -> Stepped:
        names = [movement.name, *(sub.name for sub in movement.subs)]
        counts = dict(state.counts)
        for name in names:
            counts[name] = counts.get(name, 0) + 1
        sessions = dict(state.sessions)
        for at in movement.subs or (movement,):
            before = sessions.get(at.session_key)
            sessions[at.session_key] = 1 if before is None else before + (at.session == "refresh")
        runs = dict(state.runs)
        if state.caller is not None:
            for name in (self.named(state, each) for each in names):
                runs[name] = runs.get(name, 0) + 1
        counted = movement.unrun != "call" or self.runner.calls_count
        iteration = state.iteration + (1 if counted else 0)
        tasks = tuple(MovementTask(at.name) for at in movement.subs or (movement,))
        state = state._replace(
            waits="calls",
            iteration=iteration,
            counts=counts,
            sessions=sessions,
            tasks=tasks,
            parent=None,
            asked="",
            starts=state.starts + 1,
            runs=runs,
        )
        return state, (Started(movement.name, iteration, state.workflow or None),)

    def _return(self, state: PieceState) -> Stepped:
        """Back where a workflow was called, which has ended: its result takes a rule of the caller."""
        assert state.end is not None
        result = result_of_call(state.end)
        happened = (WorkflowLeft(state.workflow, state.end, result),)
        assert state.caller is not None
        movement = self.movement_of(state.caller, state.called_by)
        caller = returned(state, beside_others=movement is not self.running(state.caller))
        rule = rule_for(movement, result, interactive=self.interactive)
        if movement.rules and rule is None:
            after, further = self._end(caller, "no_rule_matched")
        else:
            chosen = None if rule is None else Chosen(rule, "called")
            task = MovementTask(movement.name, "done", state.previous or "", chosen=chosen)
            after, further = self._placed(caller, task)
        return after, (*happened, *further)

    def _answered(self, state: PieceState, event: Replied | JudgeReply) -> Stepped:
        task = next((each for each in self._open(state) if each.name == event.task), None)
        if task is None or isinstance(event, JudgeReply) is not (self._call(state, task).kind == "judge"):
            return state, ()
        movement = self._parent(state) if state.parent else self.movement_of(state, task.name)
        happened: tuple[Happening, ...] = ()
        if isinstance(event, JudgeReply):
            task = self._judgement.judged(movement, task, event.holds)
        elif task.phase == "execute":
            fails_alone = self.runner.notation == "workflow" and movement is not self._parent(state)
            if event.status == "error" and not fails_alone:
                return self._end(state, "movement_failed", task.name)
            task = task._replace(text=event.text, status=event.status, phase="report")
            if event.facts:
                state = state._replace(facts=merged(state.facts, event.facts))
            if event.structured is not None:
                state = state._replace(facts=_learned(state.facts, task.name, event.structured))
            if event.status == "error":
                task = task._replace(phase="done")
        elif task.phase == "report":
            report = movement.reports[task.reported]
            if refused := _refused(report, event.text):
                return self._end(state, refused, report.name)
            state = state._replace(reports=_appended(state.reports, report, event.text))
            happened = (ReportWritten(task.name, report.name),)
            task = task._replace(reported=task.reported + 1)
        else:
            task = self._judgement.replied(movement, task, event.text)
        advanced = self._judgement.advance(state, movement, task)
        if isinstance(advanced, str):
            return self._end(state, advanced)
        after, further = self._placed(state, advanced)
        return after, (*happened, *further)

    def _open(self, state: PieceState) -> tuple[MovementTask, ...]:
        return (state.parent,) if state.parent else tuple(task for task in state.tasks if task.phase != "done")

    def _placed(self, state: PieceState, task: MovementTask) -> Stepped:
        """The state with a task that has moved on; where that was the last of the movement, what follows from it."""
        if state.parent is not None:
            state = state._replace(parent=task)
        else:
            state = state._replace(tasks=tuple(task if each.name == task.name else each for each in state.tasks))
            if any(each.phase != "done" for each in state.tasks):
                return state, ()
            movement = self._parent(state)
            if movement.subs:
                state = joined(state)
                parent = MovementTask(movement.name, "choose", _joined(state.tasks))
                advanced = self._judgement.advance(state, movement, parent)
                if isinstance(advanced, str):
                    return self._end(state, advanced)
                task = advanced
                state = state._replace(parent=task)
        return self._finish(state, task) if task.phase == "done" else (state, ())

    def _finish(self, state: PieceState, task: MovementTask) -> Stepped:
        """After a movement has its result."""
        movement = self._parent(state)
        subs = state.tasks if movement.subs else ()
        happened = (Completed(movement.name, task.status, task.chosen, subs, state.workflow or None),)
        state = state._replace(previous=task.text)
        after, further = self._resolved(state, movement, task)
        return after, (*happened, *further)

    def _resolved(self, state: PieceState, movement: Movement, task: MovementTask) -> Stepped:
        if state.judging is not None:
            state = state._replace(judging=None, history=())
            return self._go(state, movement, task)
        rule = movement.rules[task.chosen.rule] if task.chosen else None
        if task.status == "blocked":
            question = asked_when_blocked(task.text)
            return state._replace(waits="input", asked=question), (Blocked(movement.name, question),)
        if movement.asks_always or (rule is not None and rule.requires_user_input):
            return state._replace(waits="input", asked=task.text), ()
        if rule is None or rule.target is None:
            return self._end(state, "no_next", movement.name)
        monitors = self.piece_at(state).monitors
        state = state._replace(history=seen_by(monitors, (*state.history, movement.name)))
        found = fired(monitors, state.history, rule.next, waits_for_return=self.runner.monitors_wait_for_return)
        if found is None:
            return self._go(state, movement, task)
        monitor = monitors[found.monitor]
        state, started = self._start(state._replace(judging=Judging(found.monitor, found.rounds)), monitor.judge)
        return state, (CycleFound(monitor.cycle, found.rounds), *started)

    def _go(self, state: PieceState, movement: Movement, task: MovementTask) -> Stepped:
        """Follow the rule that was taken."""
        rule = movement.rules[task.chosen.rule] if task.chosen else None
        if rule is None or rule.target is None:
            return self._end(state, "no_next", movement.name)
        target = rule.next
        if target is None:
            return self._end(state, "returned", rule.returns or "")
        if target == COMPLETE:
            return self._end(state, "complete")
        if target == ABORT:
            return self._end(state, "abort_transition", "" if movement.name == state.movement else movement.name)
        return self._enter(state._replace(movement=target))

    def _input(self, state: PieceState, event: UserInput) -> Stepped:
        if not event.possible:
            task = state.parent or next(iter(state.tasks), None)
            blocked = task is not None and task.status == "blocked"
            return self._end(state, "blocked" if blocked else "no_input_handler")
        if event.text is None:
            return self._end(state, "input_cancelled")
        inputs = (*state.inputs, event.text[:_LONGEST_INPUT])[-_MOST_INPUTS:]
        after, happened = self._enter(state._replace(inputs=inputs))
        return after, (InputGiven(state.movement or ""), *happened)

    def _extended(self, state: PieceState, event: Extended) -> Stepped:
        if event.iterations <= 0 or state.limit is None:
            return self._end(state, "max_iterations")
        return self._enter(state._replace(limit=state.limit + event.iterations))

    def _end(self, state: PieceState, kind: EndKind, detail: str = "") -> Stepped:
        end = PieceEnd(kind, state.movement or "", state.iteration, detail)
        return state._replace(waits="nothing", end=end), ()


def _judgement_of(runner: TaktRunner, *, interactive: bool) -> Judgement:
    if runner.notation == "workflow":
        return InOrder(interactive=interactive)
    return ByStatus() if runner.judge_phase == "none" else ByTags(runner, interactive=interactive)


def _read_by(movement: Movement) -> Iterator[str]:
    return (name for at in movement.subs or (movement,) for name in reports_read(at.instruction))


def _joined(tasks: tuple[MovementTask, ...]) -> str:
    return "\n\n---\n\n".join(f"## {task.name}\n{task.text}" for task in tasks)


def _refused(report: Report, text: str) -> EndKind | None:
    """Why a report can't be written: its name is outside the directory, or the text is empty."""
    path = normpath(report.name.replace("\\", "/"))
    if path.startswith(("/", "../")) or path in (".", ".."):
        return "report_path_escape"
    return None if text.strip() else "report_empty"


def _appended(reports: Mapping[str, str], report: Report, text: str) -> dict[str, str]:
    before = reports.get(report.name)
    return {**reports, report.name: text if before is None else f"{before}\n{text}"}


def _learned(facts: Facts, name: str, structured: JsonValue) -> Facts:
    """The state with a step's structured output, which `structured.NAME` refers to."""
    before = facts.get("structured")
    return {**facts, "structured": {**(before if isinstance(before, dict) else {}), name: structured}}
