"""From one state to the next: a step is asked, validators begin, the run ends or stops. Pure, as the machine is."""

from stepflow_gui.messages import _
from stepflow_gui.run.machine.boundary import crossing
from stepflow_gui.run.machine.closure_checks import ClosureValidation, validation_for, validators_of
from stepflow_gui.run.machine.gate import Interpretation
from stepflow_gui.run.machine.handlers import kept_verdict
from stepflow_gui.run.machine.outcome import outcome
from stepflow_gui.run.machine.route import EndRun, Repeat, Routed
from stepflow_gui.run.machine.run_config import RunConfig
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import (
    Checking,
    Effect,
    Ended,
    EndKind,
    Event,
    Query,
    RunProgram,
    RunValidator,
    State,
    Stopped,
    TraceEntry,
)
from stepflow_gui.run.machine.step_inputs import InputError, variables_of_inputs
from stepflow_gui.run.machine.subprocess_closure import Program, Unresolved, filled_arguments, program_of
from stepflow_gui.run.validators.judging import Passed, wanted

Stepped = tuple[State, tuple[Effect, ...]]


def end(
    config: RunConfig, state: State, entry: TraceEntry, kind: EndKind, detail: str = "", at: str | None = None
) -> Stepped:
    """The run is over. `at`: the step that brought it there, where the state is on another one already."""
    at = at or state.step or ""
    if kind == "null" and isinstance(entry.transition, EndRun) and entry.transition.how == "no_case":
        detail = entry.transition.how
    ended = outcome(
        kind,
        at,
        state.iteration,
        detail,
        era=config.era,
        memory=state.memory,
        verdict=kept_verdict(config.verdict, state.memory.reported, config.era) if kind != "validation" else None,
    )
    entry = entry._replace(to=None, outcome=ended)
    state = state._replace(waits="nothing", checking=None, retry=None, error=None, outcome=ended, last=entry)
    return state, (Ended(ended),)


def kind_of(taken: EndRun) -> EndKind:
    """How a run ends that the router finishes."""
    match taken.signal:
        case "abort":
            return "abort"
        case "closing":
            return "closing"
        case "complete":
            return "complete"
    return "null"


def end_at_closure(config: RunConfig, state: State, entry: TraceEntry, kind: EndKind, detail: str, at: str) -> Stepped:
    """The same at a closure step, whose boundary with the outside is reported first."""
    step = config.flow.steps.get(at)
    if step is None or step.kind != "closure":
        return end(config, state, entry, kind, detail, at)
    state, boundary = crossing(config, state, at, state.memory.reported.answer)
    ended, effects = end(config, state, entry, kind, detail, at)
    return ended, (boundary, *effects)


def stop(
    state: State,
    event: Event,
    error: RunError,
    read: Interpretation | None = None,
    taken: Routed | EndRun | None = None,
    reached: State | None = None,
) -> Stepped:
    """The event had no effect: all stays but the error, so that another answer can be given or a step undone.

    `reached`: how far a runner that gives up here has come.
    """
    entry = TraceEntry(event, state.step, state.iteration, read, taken, to=state.step, error=error)
    reached = reached or state
    return state._replace(error=error, last=entry), (Stopped(error, reached.step, reached.context),)


def advance(config: RunConfig, state: State, entry: TraceEntry, to: str) -> Stepped:
    """End the iteration: at the limit the run ends, else the next step is asked."""
    if state.iteration >= config.limit:
        return end(config, state._replace(step=to), entry, "limit", at=state.step)
    return ask(config, state, entry, to)


def ask(config: RunConfig, state: State, entry: TraceEntry, to: str) -> Stepped:
    """Begin an iteration: the step is asked, or what comes before that."""
    # Taken apart and put together again: `_replace` takes three times as long, and each answer passes here.
    (_waits, at, iteration, came_from, context, retry, failures, _checking, _error, outcome, _last, memory, counts) = (
        state
    )
    iteration += 1
    came_from = came_from if to == at or at is None else at
    last = entry if entry.to == to else entry._replace(to=to)
    state = State(
        "answer", to, iteration, came_from, context, retry, failures, None, None, outcome, last, memory, counts
    )
    if to in config.inputs:
        found = variables_of_inputs(config.inputs[to], state.context, config.era)
        if isinstance(found, InputError):
            error = _no_input(to, found)
            return state._replace(error=error), (Stopped(error, to, state.context),)
    if config.programs or config.era.preflight:
        before = _before_asking(config, state, entry, to)
        if before is not None:
            return before
    return state, (Query(to, iteration, retry),)


def _before_asking(config: RunConfig, state: State, entry: TraceEntry, to: str) -> Stepped | None:
    step = config.flow.steps.get(to)
    program = program_of(step, config.era) if config.programs and step else None
    if program is not None:
        return state._replace(waits="program"), (_started(state, to, program),)
    if config.era.preflight and step is not None and step.kind == "closure":
        validation = validation_for(config.flow, to, config.verdict.type, config.era, "preflight")
        if validation is not None:
            checking = next_check(config, Checking(validation, 0, None))
            if isinstance(checking, RunError):
                return state._replace(error=checking), (Stopped(checking, to, state.context),)
            if checking is not None:
                return begin_check(config, state, checking, entry)
    return None


def _started(state: State, at: str, program: Program) -> RunProgram:
    values = {**state.memory.payload, **state.memory.args}
    args = filled_arguments(program.args, values)
    if isinstance(args, Unresolved):
        return RunProgram(at, state.iteration, program, (), args.key)
    return RunProgram(at, state.iteration, program, tuple(args))


def next_check(config: RunConfig, checking: Checking) -> Checking | RunError | None:
    """The same at the next validator that has to be run; None where all that are left pass by themselves."""
    validation = checking.validation
    for position in range(checking.position, len(validation.validators)):
        name = validation.validators[position]
        params = validation.params[position] if position < len(validation.params) else None
        want = wanted(validators_of(config.flow), name, params, config.era)
        if not isinstance(want, Passed):
            known = isinstance(validators_of(config.flow).get(name), dict)
            return checking._replace(position=position) if known else _no_validator(validation, name)
    return None


def begin_check(config: RunConfig, state: State, checking: Checking, entry: TraceEntry) -> Stepped:
    """Ask for a validator."""
    state = state._replace(waits="validator", checking=checking, error=None, last=entry)
    request = request_of(config, state)
    assert request is not None
    return state, (request,)


def request_of(config: RunConfig, state: State) -> RunValidator | None:
    """The validator that a state waits for."""
    checking = state.checking
    if checking is None:
        return None
    validation, index = checking.validation, checking.position
    name = validation.validators[index]
    found = validators_of(config.flow).get(name)
    command = found.get("command") if isinstance(found, dict) else None
    return RunValidator(
        name,
        command if isinstance(command, str) else "",
        index + 1,
        len(validation.validators),
        validation,
        state.failures.get(validation.key, 0),
        checking.closing is None,
        validation.params[index] if index < len(validation.params) else None,
    )


def handed(state: State) -> State:
    """The state after the latest summary was given to the verdict handler."""
    return state._replace(memory=state.memory._replace(reported=state.memory.reported.handed()))


def pending(config: RunConfig, state: State) -> Query | RunValidator | RunProgram | None:
    """What a state waits for, as the effect that asked for it; None where it waits for nothing or only a correction."""
    at = state.step
    if at is None or at not in config.flow.steps:
        return None
    if state.waits in {"answer", "check"}:
        return Query(at, state.iteration, state.retry, state.waits == "check")
    if state.waits == "validator":
        return request_of(config, state)
    if state.waits == "program":
        program = program_of(config.flow.steps[at], config.era)
        return _started(state, at, program) if program is not None else None
    return None


def _no_input(step: str, found: InputError) -> RunError:
    if found.kind == "bad_from":
        message = _("The input “{name}” of {step} comes from “{source}”, which isn't a step id, a dot and a key.")
    else:
        message = _("The input “{name}” of {step} is required, but “{source}” has left nothing. Step back.")
    message = message.format(name=found.name, step=step, source=found.source)
    return RunError(kind=found.kind, message=message, code="AGENT_QUERY_ERROR", step=step)


def _no_validator(validation: ClosureValidation, name: str) -> RunError:
    message = _("{validation} names the validator “{name}”, which the registry doesn't have. Add it, or step back.")
    message = message.format(validation=validation.key, name=name)
    return RunError(kind="validator_not_found", message=message, code="AGENT_QUERY_ERROR", pointer=validation.pointer)


def repeating(state: State, repeat: Repeat | None) -> State:
    """The state that remembers the counters and the adaptation; None: nothing is counted."""
    if repeat is None:
        return state
    return state._replace(memory=state.memory._replace(repeats=repeat.counts, adaptation=repeat.adaptation))
