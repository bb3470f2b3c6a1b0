"""What a flow as it is now does with the answers of a logged climpt run, and where that differs from the log."""

from collections.abc import Mapping, Sequence

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.agent_run import AgentRun, RunOptions
from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.logs.logged_run import ComparedRun, ComparedTurn, LoggedCheck, LoggedRun, LoggedTurn, Mark
from stepflow_gui.run.machine.closure_checks import validators_of
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.picks import Pick, PickRefusal, answer_for
from stepflow_gui.run.machine.state import (
    START,
    Answered,
    Effect,
    Event,
    NotAsked,
    ProgramEnded,
    State,
    Stopped,
    TraceEntry,
    Validated,
)
from stepflow_gui.run.session import Run
from stepflow_gui.text.json.tree import JsonValue


def compare_with_agent(
    agent: AgentFolder, run: LoggedRun, era: str | None = None, args: Mapping[str, JsonValue] | None = None
) -> ComparedRun:
    """Give the logged answers to the agent's flow. `era` None is the one that the log points to, else the default.

    Where the flow goes elsewhere than the log it is put back to the log's next step, so that each turn is judged.
    """
    known = era or run.era.name
    started = AgentRun(agent, RunOptions(_first_step(run), args or {}, era=known))
    machine = started.machine
    state, _effects = machine.step(START, started.start)
    compared: list[ComparedTurn] = []
    following = [*(turn.step for turn in run.turns[1:]), None][: len(run.turns)]  # a log may have none
    for turn, next_step in zip(run.turns, following, strict=True):
        checkpoint()
        found, state = _turn(machine, state, turn, next_step, run)
        compared.append(found)
    return ComparedRun(run, machine.era.name, tuple(compared))


def _first_step(run: LoggedRun) -> str | None:
    return run.turns[0].step if run.turns else None


def _stopped(effects: tuple[Effect, ...]) -> Stopped | None:
    return next((each for each in effects if isinstance(each, Stopped)), None)


def _at(state: State, turn: LoggedTurn) -> State:
    """The state as if the run had come to the step of a turn."""
    return state._replace(
        waits="answer", step=turn.step, iteration=turn.iteration, checking=None, error=None, outcome=None
    )


def _turn(
    machine: Machine, state: State, turn: LoggedTurn, following: str | None, run: LoggedRun
) -> tuple[ComparedTurn, State]:
    if turn.step is None:
        return ComparedTurn(turn), state
    if turn.step not in machine.flow.steps:
        message = _("This flow has no step “{step}”.").format(step=turn.step)
        return ComparedTurn(turn, difference=message), state
    if state.step != turn.step or state.outcome is not None or state.error is not None:
        state = _at(state, turn)
    state, effects, before = _checked(machine, state, turn.checks[:1], before=True)
    if effects and state.waits not in {"answer", "program"}:  # they failed, so the step isn't asked
        found = _compared(turn, "seen", None, state, effects)._replace(events=before)
        return found._replace(difference=_difference(found, following, run)), state
    if state.waits not in {"answer", "program"}:
        state = _at(state, turn)
    event, mark = _event(machine, turn, state)
    if event is None:
        return ComparedTurn(turn), state
    found, after = _answered(machine, state, turn, mark, event)
    over = following is None and run.end.kind in {"finished", "failed"} and not _failed_later(found, run)
    if over and not found.ends and machine.verdict.is_external and isinstance(event, Answered):
        # What ended the run outside is in no line.
        found, after = _answered(machine, state, turn, "guessed", event._replace(verdict_reached=True))
    events = (*before, *found.events)
    return found._replace(difference=_difference(found, following, run), events=events), after


def _answered(
    machine: Machine, state: State, turn: LoggedTurn, mark: Mark | None, event: Event
) -> tuple[ComparedTurn, State]:
    state, effects = machine.step(state, event)
    entry = state.last
    checks: tuple[Event, ...] = ()
    if _stopped(effects) is None:
        state, further, checks = _checked(machine, state, turn.checks[-1:], before=False)
        effects = further or effects
    return _compared(turn, mark, entry, state, effects)._replace(events=(event, *checks)), state


def _event(machine: Machine, turn: LoggedTurn, state: State) -> tuple[Event | None, Mark | None]:
    if state.waits == "program":
        return (None, None) if turn.program is None else (ProgramEnded(turn.program), "seen")
    if turn.answer is not ABSENT:
        return Answered(turn.answer, turn.texts), "seen"
    failed = next((each for each in turn.notes if each.kind == "query"), None)
    if failed is not None:
        return Answered(None, failed=failed.text), "seen"
    if any(each.kind == "schema" for each in turn.notes):
        return NotAsked("schema", ""), "seen"
    step = machine.flow.steps[turn.step or ""]
    if turn.intent is not None:
        answer = answer_for(step, Pick(turn.intent), machine.era)
        if not isinstance(answer, PickRefusal):
            return Answered(answer, turn.texts), "guessed"
    if any(each.kind in {"no answer", "no intent"} for each in turn.notes):
        return Answered(None, turn.texts), turn.texts_mark
    return None, None


def _checked(
    machine: Machine, state: State, checks: Sequence[LoggedCheck], *, before: bool
) -> tuple[State, tuple[Effect, ...], tuple[Event, ...]]:
    """Give the logged results to the validators that run; those of which the log says nothing pass."""
    effects: tuple[Effect, ...] = ()
    events: list[Event] = []
    check = checks[0] if checks else LoggedCheck(passed=True, line=0)
    while state.waits == "validator" and state.checking is not None:
        if (state.checking.closing is None) != before:
            break
        name = state.checking.validation.validators[state.checking.position]
        fails = not check.passed and _fits(machine, state, name, check.pattern)
        events.append(Validated(not fails))
        place = state.checking.position
        state, effects = machine.step(state, events[-1])
        if fails or (state.checking is not None and state.checking.position <= place):  # it isn't gone on with
            break
    return state, effects, tuple(events)


def _fits(machine: Machine, state: State, name: str, pattern: str | None) -> bool:
    """Whether a validator is the one that failed: the first with the logged pattern, else the last one."""
    assert state.checking is not None
    known = validators_of(machine.flow)
    left = state.checking.validation.validators[state.checking.position :]
    named = [
        each for each in left if isinstance(known.get(each), dict) and known[each].get("failurePattern") == pattern
    ]
    return name == (named[0] if named and pattern is not None else left[-1])


def _compared(
    turn: LoggedTurn, mark: Mark | None, entry: TraceEntry | None, state: State, effects: tuple[Effect, ...]
) -> ComparedTurn:
    intent = entry.interpretation.intent if entry is not None and entry.interpretation is not None else None
    stopped = _stopped(effects)
    if stopped is not None:
        end = f"{stopped.error.message} [{stopped.error.code}]" if stopped.error.code else stopped.error.message
        return ComparedTurn(turn, mark, intent, None, ends=True, end=end)
    if state.outcome is not None:
        return ComparedTurn(turn, mark, intent, None, ends=True, end=state.outcome.message)
    return ComparedTurn(turn, mark, intent, state.step)


def _difference(found: ComparedTurn, following: str | None, run: LoggedRun) -> str | None:
    turn = found.turn
    if found.mark == "seen" and None not in (turn.intent, found.intent) and turn.intent != found.intent:
        text = _("climpt read the answer as “{then}”; the gate of {step} reads it as “{now}”.")
        return text.format(then=turn.intent, step=turn.step, now=found.intent)
    then = following if following is not None else (None if turn.closes else turn.to)
    over = following is None and run.end.kind != "unfinished"
    if over and (found.ends or _failed_later(found, run)):
        return None
    if over:
        text = _("The logged run ended after {step}; this flow goes on with {to}.")
        return text.format(step=turn.step, to=found.to)
    return _went_elsewhere(found, then) if then is not None and then != found.to else None


def _failed_later(found: ComparedTurn, run: LoggedRun) -> bool:
    """Whether the run failed or met its limit after its last turn had gone on to a step, as it does in the flow."""
    turn = found.turn
    return run.end.kind in {"failed", "limit"} and turn.to is not None and not turn.closes and turn.to == found.to


def _went_elsewhere(found: ComparedTurn, then: str) -> str:
    turn = found.turn
    if found.ends:
        text = _("climpt went on with {then}; this flow ends after {step}: {reason}")
        return text.format(then=then, step=turn.step, reason=found.end)
    if turn.substituted:
        text = _(
            "climpt went to {then} by prefix substitution, as no rule matched; “{intent}” goes to {now} in this flow."
        )
        return text.format(then=then, intent=found.intent or "–", now=found.to)
    text = _("climpt went to {then}; “{intent}” of {step} goes to {now} in this flow.")
    return text.format(then=then, intent=found.intent or turn.intent or "–", step=turn.step, now=found.to)


def continued(
    agent: AgentFolder, compared: ComparedRun, turns: int, args: Mapping[str, JsonValue] | None = None
) -> tuple[AgentRun, Run]:
    """A simulated run that has come through the first turns of a log, to be gone on with.

    It ends before the first turn for which the log has no answer, and after one at which the flow goes elsewhere.
    """
    started = AgentRun(agent, RunOptions(_first_step(compared.run), args or {}, era=compared.era))
    run = Run(agent.flow, machine=started.machine)
    run.send(started.start)
    for each in compared.turns[:turns]:
        if not each.events or each.turn.step != run.state.step:
            break
        for event in each.events:
            run.send(event)
        if each.difference is not None:
            break
    return started, run
