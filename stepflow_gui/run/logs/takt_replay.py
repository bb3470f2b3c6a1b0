"""Gives the replies of a logged run of TAKT to the machine of a piece, one turn of the log after the other."""

from typing import NamedTuple

from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.logs.logged_run import ComparedRun, LoggedPhase, LoggedRun, LoggedTurn, LogProblem
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Movement, Piece
from stepflow_gui.run.takt.machine.state import Begin, Call, Completed, Event, PieceState, Replied, Status, UserInput
from stepflow_gui.run.takt.opening import piece_in, runner_of
from stepflow_gui.run.takt.picking import PLAIN, MovementPick, answer_to
from stepflow_gui.run.takt.session import PieceRun

JUDGE = "_loop_judge_"  # the name of a monitor's judge begins so
_MOST = 1_000  # events of one turn
_PHASES = {"agent": 1, "report": 2, "conductor": 3, "consult": 3}


class ReplayedTurn(NamedTuple):
    """What the machine made of a turn. `rule`: the one that it chose, by its place from 0; None where it chose none.

    `known`: all that it was given is in the log; else the rule of the log took the place of what is missing.
    `asks_judge`: the AI judge is asked, which wasn't asked in the logged run.
    """

    events: tuple[Event, ...]
    state: PieceState
    rule: int | None
    known: bool
    asks_judge: bool = False


class PieceReplay:
    """Stands where the log stands: where the piece goes elsewhere it is put back to the log's next movement."""

    def __init__(self, piece: Piece, machine: PieceMachine, run: LoggedRun) -> None:
        self._piece = piece
        self._machine = machine
        self._task = run.task or ""
        self.state = PieceState()

    def turn(self, turn: LoggedTurn) -> ReplayedTurn:
        """Give the machine the replies of a turn of one of the piece's own movements or judges."""
        events: list[Event] = []
        if self.state.waits == "input":  # what the person wrote is in no record
            events.append(UserInput(PLAIN))
            self.state = self._machine.step(self.state, events[0])[0]
        if not self._stands_at(turn.step):
            self._put_to(turn)
        replies = _Replies(turn)
        state, at, rule = self.state, self.state.starts, None
        while state.waits == "calls" and state.starts == at and len(events) < _MOST:
            event = replies.event(self._machine, state, self._machine.calls(state)[0])
            events.append(event)
            state, happened = self._machine.step(state, event)
            done = next((each for each in happened if isinstance(each, Completed) and each.workflow is None), None)
            if done is not None:
                rule = done.chosen.rule if done.chosen is not None else None
                break
        logged = replies.rule_of(self._machine.running(self.state))
        if not replies.known and logged is not None and rule != logged:
            state, rule = self._machine.come_to(self.state, logged)[0], logged
        self.state = state
        return ReplayedTurn(tuple(events), state, rule, replies.known, replies.asks_judge)

    def _stands_at(self, step: str | None) -> bool:
        running = self._machine.running(self.state) if self.state.waits == "calls" else None
        return running is not None and running.name == step

    def _put_to(self, turn: LoggedTurn) -> None:
        """The state as if the run had come to the movement of a turn; it keeps what was written and counted so far."""
        before = self.state
        if before.waits == "start":
            self.state = self._machine.step(before, Begin(self._task, turn.step))[0]
            return
        fresh = self._machine.step(PieceState(), Begin(self._task, turn.step))[0]
        counts = {**before.counts, **{name: before.counts.get(name, 0) + 1 for name in fresh.counts}}
        self.state = fresh._replace(
            iteration=turn.iteration,
            limit=before.limit if before.limit is None else max(before.limit, turn.iteration),
            counts=counts,
            reports=before.reports,
            facts=before.facts,
            history=before.history,
            starts=before.starts + 1,
        )


class _Replies:
    """What a turn of the log has to answer calls with, each once."""

    def __init__(self, turn: LoggedTurn) -> None:
        self._turn = turn
        self._phases: dict[tuple[str, int], list[LoggedPhase]] = {}
        for phase in turn.phases:
            self._phases.setdefault((phase.step, phase.phase), []).append(phase)
        rule = int(turn.intent) if turn.intent is not None else None
        kinds = {note.kind for note in turn.notes}
        self._status: Status = "blocked" if "blocked" in kinds else "error" if "query" in kinds else "done"
        self._pick = MovementPick(rule, turn.texts[-1] if turn.texts else "", self._status)
        self.known = True
        self.asks_judge = False

    def rule_of(self, movement: Movement | None) -> int | None:
        """The rule that the log has, where the movement has so many."""
        rule = self._pick.rule
        return rule if movement is not None and rule is not None and rule < len(movement.rules) else None

    def event(self, machine: PieceMachine, state: PieceState, call: Call) -> Event:
        """What a call is answered."""
        phase = _PHASES.get(call.kind)
        found = self._phases.get((call.task, phase)) if phase is not None else None
        if found:
            logged = found.pop(0) if len(found) > 1 else found[0]
            status: Status = "done"
            if phase == 1 and logged.status in {"blocked", "error"}:
                status = "blocked" if logged.status == "blocked" else "error"
            return Replied(call.task, logged.content or PLAIN, status)
        is_own = call.task == self._turn.step
        if call.kind == "judge" and self._turn.rule_method == "aggregate":
            self.known, self.asks_judge = False, True
        if not (is_own and (call.kind == "judge" or (call.kind == "agent" and self._turn.texts))):
            self.known = False
        pick = self._pick if is_own or state.parent is not None else MovementPick(None)
        if pick.rule is not None and pick.rule >= len(machine.asked_of(state, call).rules):
            pick = pick._replace(rule=None)
        return answer_to(machine, state, call, pick)


def continued_with(agent: AgentFolder, compared: ComparedRun, turns: int) -> tuple[PieceRun, int] | LogProblem:
    """The same of a piece as it is, or why it can't be run."""
    runner = runner_of(agent, compared.era)
    piece = piece_in(agent, runner)
    if isinstance(piece, PieceRefusal):
        return LogProblem(piece.message)
    return continued_piece(PieceMachine(piece, runner), compared, turns)


def _is_due(run: PieceRun, step: str | None) -> bool:
    """Whether a movement is asked next, after what the person writes."""
    state = run.state
    running = run.machine.running(state) if state.waits == "calls" else None
    return state.waits == "input" or (running is not None and running.name == step)


def machine_for(piece: Piece, machine: PieceMachine, run: LoggedRun) -> PieceMachine:
    """A machine with a person where the log took a rule that only a person's run can take."""
    for turn in run.turns:
        movement = piece.movements.get(turn.step or "")
        rules = movement.rules if movement is not None else ()
        if turn.intent is not None and int(turn.intent) < len(rules) and rules[int(turn.intent)].interactive_only:
            return PieceMachine(piece, machine.runner, interactive=True)
    return machine


def continued_piece(machine: PieceMachine, compared: ComparedRun, turns: int) -> tuple[PieceRun, int]:
    """A simulated run that has come through the first turns of a log, to be gone on with, and how many these were.

    It ends before the first turn for which the log has no answer, and after one at which the piece goes elsewhere.
    """
    run = PieceRun(machine_for(machine.piece, machine, compared.run))
    first = next((each.turn.step for each in compared.turns if each.turn.step in machine.piece.movements), None)
    run.begin(compared.run.task or "", first)
    done = 0
    for each in compared.turns[:turns]:
        of_called = each.turn.step is not None and "/" in each.turn.step
        if not of_called and (not each.piece_events or not _is_due(run, each.turn.step)):
            break
        for event in each.piece_events:
            run.send(event)
        done += 1
        if each.difference is not None:
            break
    return run, done
