"""The state machine of the era `guide` (runtime-semantics 0a): a state and an event give the next state and effects.

Pure: what is to be done outside is returned as effects, and what came of it enters as events.
"""

from collections.abc import Mapping

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt import runner_texts
from stepflow_gui.formats.climpt.eras import guide_for
from stepflow_gui.messages import _
from stepflow_gui.run.closing import Validation, command_of, failure_of, validation_for
from stepflow_gui.run.gate import Interpretation, interpret
from stepflow_gui.run.outcome import outcome
from stepflow_gui.run.problem import RunError
from stepflow_gui.run.route import Finished, Routed, route
from stepflow_gui.run.state import (
    Answered,
    Checking,
    Effect,
    Ended,
    EndKind,
    Entry,
    Event,
    Ignored,
    Outcome,
    Query,
    Retry,
    RunValidator,
    Start,
    State,
    Stopped,
    Validated,
)
from stepflow_gui.run.verdict import NO_VERDICT, Verdict
from stepflow_gui.text.json_tree import JsonValue

Stepped = tuple[State, tuple[Effect, ...]]


class Machine:
    """Runs one flow. Holds no state, so one machine serves any number of runs."""

    __slots__ = ("_limit", "era", "flow", "routes", "verdict")

    def __init__(self, flow: Flow, verdict: Verdict = NO_VERDICT) -> None:
        self.flow = flow
        self.verdict = verdict
        self.era = guide_for(flow.format)
        self.routes = any(step.gate or step.transitions for step in flow.steps.values())
        self._limit = verdict.limit

    def step(self, state: State, event: Event) -> Stepped:
        """The state after an event. An event that the state doesn't wait for is ignored, with a message why."""
        if isinstance(event, Start):
            return self._start(event)
        if isinstance(event, Answered) and state.waits == "answer":
            return self._answer(state, event)
        if isinstance(event, Validated) and state.waits == "validator":
            return self._validate(state, event)
        return state, (Ignored(_waiting_for(state)),)

    def validator(self, state: State) -> RunValidator | None:
        """The validator that a state waits for."""
        checking = state.checking
        if checking is None:
            return None
        validation, index = checking.validation, checking.position
        name = validation.validators[index]
        return RunValidator(
            name,
            command_of(self.flow, name) or "",
            index + 1,
            len(validation.validators),
            validation,
            state.failures.get(validation.key, 0),
        )

    def _start(self, event: Start) -> Stepped:
        named = event.entry if event.entry is not None else self.flow.entry_target(self.verdict.type)
        if named in self.flow.steps:
            entry = Entry(event, None, 0, to=named)
            return State("answer", named, 1, last=entry), (Query(named, 1, None),)
        error = _no_entry(self.flow, self.verdict, named)
        if self.era.visits_complete and named is None:
            error = _quoting(error, runner_texts.no_entry(self.verdict.type or ""))
        return _stop(State(), event, error)

    def _answer(self, state: State, event: Answered) -> Stepped:
        at = state.step
        assert at is not None
        step = self.flow.steps.get(at)
        if step is None:  # the registry was changed meanwhile
            return _stop(state, event, _no_step(at))
        answer, wrong_id = self._own_id(at, event.answer)
        if wrong_id is not None and self.era.visits_complete:
            return _stop(state, event, _other_step(step, wrong_id))
        read: Interpretation | None = None
        way: Routed | Finished = Routed(at, "stays")
        if self.routes and answer is not None:
            found = interpret(step, answer, self.era)
            if isinstance(found, RunError):
                return _stop(state, event, found)
            read = found
            led = route(self.flow, at, found, self.era)
            if isinstance(led, RunError):
                return _stop(state, event, led, read)
            way = led
        elif self.routes and state.iteration > 1:
            return _stop(state, event, self._no_output(step, event, state.iteration))
        left = _left(event, answer, state.iteration) if read is None or read.handoff is None else read.handoff
        state = state._replace(context={**state.context, at: left}, retry=None, error=None)
        to = way.step if isinstance(way, Routed) else None
        entry = Entry(event, at, state.iteration, read, way, to, wrong_step_id=wrong_id)
        if isinstance(way, Routed):
            return self._advance(state, event, entry, way.step)
        if way.signal == "abort":
            return _end(state, entry, outcome("abort", at, state.iteration))
        if way.signal == "closing":
            return self._close(state, event, entry)
        kind: EndKind = "complete" if way.signal == "complete" else "null"
        return _end(state, entry, outcome(kind, at, state.iteration))

    def _no_output(self, step: Step, event: Answered, iteration: int) -> RunError:
        error = _no_output(step, event)
        return _quoting(error, runner_texts.no_intent(step.id, iteration)) if self.era.visits_complete else error

    def _own_id(self, at: str, answer: JsonValue) -> tuple[JsonValue, str | None]:
        """The answer under the running step's id, and the id that it gave itself if that was another."""
        given = answer.get("stepId") if isinstance(answer, dict) else None
        if not isinstance(given, str) or given == at:
            return answer, None
        return {**answer, "stepId": at}, given

    def _advance(self, state: State, closing: Answered, entry: Entry, to: str) -> Stepped:
        """End the iteration: the verdict is tested, then the limit; else the next step is asked."""
        at, iteration = state.step, state.iteration
        assert at is not None
        if self.verdict.reached(iteration, closing.answer, closing.texts, closing.told):
            return _end(state._replace(step=to), entry, outcome("verdict", at, iteration, self.verdict.type or ""))
        if iteration >= self._limit:
            return _end(state._replace(step=to), entry, outcome("limit", at, iteration))
        state = state._replace(
            waits="answer",
            step=to,
            iteration=iteration + 1,
            came_from=state.came_from if to == at else at,
            checking=None,
            last=entry if entry.to == to else entry._replace(to=to),
        )
        return state, (Query(to, iteration + 1, state.retry),)

    def _close(self, state: State, event: Answered, entry: Entry) -> Stepped:
        at = state.step
        assert at is not None
        validation = validation_for(self.flow, at, self.verdict.type)
        if validation is None or not validation.validators:
            return _end(state, entry, outcome("closing", at, state.iteration))
        return self._check(state, Checking(validation, 0, event), entry)

    def _check(self, state: State, checking: Checking, entry: Entry) -> Stepped:
        """Ask for the next validator."""
        name = checking.validation.validators[checking.position]
        if command_of(self.flow, name) is None:
            return _stop(state, entry.event, _no_validator(state, checking.validation, name), entry.interpretation)
        state = state._replace(waits="validator", checking=checking, error=None, last=entry)
        request = self.validator(state)
        assert request is not None
        return state, (request,)

    def _validate(self, state: State, event: Validated) -> Stepped:
        checking, at = state.checking, state.step
        assert checking is not None
        assert at is not None
        validation = checking.validation
        name = validation.validators[checking.position]
        entry = Entry(event, at, state.iteration, to=at, validator=name)
        if event.passed and checking.position + 1 < len(validation.validators):
            return self._check(state, checking._replace(position=checking.position + 1), entry)
        if event.passed or (validation.action == "skip" and event.recoverable):
            return _end(state, entry, outcome("closing", at, state.iteration))
        attempt = state.failures.get(validation.key, 0) + 1
        state = state._replace(failures={**state.failures, validation.key: attempt}, error=None)
        used_up = validation.max_attempts is not None and attempt > validation.max_attempts
        if used_up or validation.action == "abort" or not event.recoverable:
            return _end(state, entry, outcome("validation", at, state.iteration, name))
        failure = failure_of(self.flow, name)
        retry = Retry(at, validation, name, failure, event.error, event.params, attempt)
        to = state.came_from or at
        return self._advance(state._replace(retry=retry), checking.closing, entry, to)


def _end(state: State, entry: Entry, ended: Outcome) -> Stepped:
    entry = entry._replace(to=None, outcome=ended)
    state = state._replace(waits="nothing", checking=None, retry=None, error=None, outcome=ended, last=entry)
    return state, (Ended(ended),)


def _stop(state: State, event: Event, error: RunError, read: Interpretation | None = None) -> Stepped:
    """The event led nowhere: all stays but the error, so that another answer can be given or a step taken back."""
    entry = Entry(event, state.step, state.iteration, read, to=state.step, error=error)
    return state._replace(error=error, last=entry), (Stopped(error),)


def _left(event: Answered, answer: JsonValue, iteration: int) -> Mapping[str, JsonValue]:
    """What a step without a handoff leaves in the context (runtime-semantics 12)."""
    output: dict[str, JsonValue] = {}
    if isinstance(answer, dict):
        output = answer
    elif isinstance(answer, list):
        output = {str(index): item for index, item in enumerate(answer)}
    if event.failed is not None:
        return {**output, "iteration": iteration, "hasErrors": True, "errorCount": 1}
    session = {"sessionId": event.session} if event.session is not None else {}
    return {**output, "iteration": iteration, **session}


def _waiting_for(state: State) -> str:
    match state.waits:
        case "start":
            return _("The run hasn't begun.")
        case "answer":
            return _("The run waits for the answer of {step}.").format(step=state.step)
        case "validator":
            return _("The run waits for a validator to pass or fail.")
    return _("The run is over. Step back, or start again.")


def _no_entry(flow: Flow, verdict: Verdict, named: str | None) -> RunError:
    entry = next((entry for entry in flow.entries if entry.target and entry.target.value == named), None)
    if named is not None:
        message = _("The run can't start at “{step}”, which is no step.").format(step=named)
        code = "SR-ENTRY-002" if entry is None or entry.key is None else "SR-ENTRY-003"
    elif not flow.entries:
        message = _("The registry names no step to start at. Add “entryStep”.")
        code = "SR-ENTRY-001"
    else:
        message = _("entryStepMapping has no entry for the verdict type {verdict}. Pick a step to start at.")
        message = message.format(verdict=verdict.type or "–")
        code = "SR-ENTRY-004"
    return RunError(kind="no_entry", message=message, code=code, pointer=entry.pointer if entry else None)


def _quoting(error: RunError, text: str) -> RunError:
    """The error with climpt's own words."""
    return error._replace(message=_("{message} climpt says: {error}").format(message=error.message, error=text))


def _no_step(at: str) -> RunError:
    message = _("{step} is no step of the registry any more. Step back, or start again.").format(step=at)
    return RunError(kind="no_step", message=message, code="PR-RESOLVE-001", step=at)


def _other_step(step: Step, given: str) -> RunError:
    message = _("The answer says it is of “{given}”, but {step} was asked. Correct its stepId.")
    message = message.format(given=given, step=step.id)
    code = "AGENT_STEP_ID_MISMATCH"
    return RunError(kind="step_id_mismatch", message=message, code=code, step=step.id, pointer=step.pointer)


def _no_output(step: Step, event: Answered) -> RunError:
    if event.failed:
        message = _("The query of {step} failed ({reason}), so nothing says where to go. Ask again, or step back.")
        message = message.format(step=step.id, reason=event.failed)
    else:
        message = _("{step} gave no structured answer, so nothing says where to go. Answer again, or step back.")
        message = message.format(step=step.id)
    code = "FAILED_STEP_ROUTING"
    return RunError(kind="no_intent", message=message, code=code, step=step.id, pointer=step.pointer)


def _no_validator(state: State, validation: Validation, name: str) -> RunError:
    message = _("{validation} names the validator “{name}”, which the registry doesn't have. Add it, or step back.")
    message = message.format(validation=validation.key, name=name)
    code, pointer = "AGENT_QUERY_ERROR", validation.pointer
    return RunError(kind="validator_not_found", message=message, code=code, step=state.step, pointer=pointer)
