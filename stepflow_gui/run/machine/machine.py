"""The state machine: a state and an event give the next state and effects, in the guide's era as in upstream's.

Pure: what is to be done outside is returned as effects, and what came of it enters as events. What all eras have in
common is here; how a run is closed is in `loop_guide`, `loop_single` and `loop_double`, and `loop_checks` goes through
flows that have checks in place of gates.
"""

from collections.abc import Mapping
from copy import copy
from typing import Protocol

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.eras import Era, guide_for
from stepflow_gui.run.machine import loop_checks, loop_double, loop_guide, loop_single
from stepflow_gui.run.machine.boundary import crossing
from stepflow_gui.run.machine.closure_checks import failure_of, gives_up
from stepflow_gui.run.machine.gate import Interpretation, interpret
from stepflow_gui.run.machine.handlers import has_text
from stepflow_gui.run.machine.route import EndRun, Repeat, Routed, along_chain, is_unrouted, no_gate, route
from stepflow_gui.run.machine.run_config import NO_SETTINGS, AgentSettings, RunConfig
from stepflow_gui.run.machine.run_errors import (
    intent_not_answered,
    no_entry,
    no_extractors,
    no_issue,
    no_output,
    no_pair,
    no_retry_path,
    no_schema,
    no_step,
    other_step,
    validator_fault,
    waiting_for,
)
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import (
    Answered,
    Checking,
    Event,
    Ignored,
    Memory,
    NotAsked,
    ProgramEnded,
    Query,
    Retry,
    RunValidator,
    Start,
    State,
    TraceEntry,
    Validated,
)
from stepflow_gui.run.machine.subprocess_closure import answer_of_program
from stepflow_gui.run.machine.transitions import (
    Stepped,
    advance,
    ask,
    begin_check,
    end,
    end_at_closure,
    next_check,
    repeating,
    request_of,
    stop,
)
from stepflow_gui.run.machine.verdict import NO_VERDICT, Verdict, entry_of
from stepflow_gui.text.json.tree import JsonValue


class RunLoop(Protocol):
    """How a run goes on after an answer, and after the validators that it started."""

    def answered(self, config: RunConfig, state: State, entry: TraceEntry) -> Stepped:
        """After an answer, or after a step that could not be asked."""

    def passed(self, config: RunConfig, state: State, entry: TraceEntry) -> Stepped:
        """All validators let it through."""

    def tried_again(self, config: RunConfig, state: State, entry: TraceEntry) -> Stepped:
        """A validator has failed, and another try is allowed."""


_LOOPS: Mapping[str, RunLoop] = {"trigger": loop_guide, "word": loop_single, "procedure": loop_double}


class Machine:
    """Runs one flow in one era, by default the guide's. Holds no state, so it serves any number of runs."""

    __slots__ = ("_loop", "config")

    def __init__(
        self,
        flow: Flow,
        verdict: Verdict = NO_VERDICT,
        era: Era | None = None,
        settings: AgentSettings = NO_SETTINGS,
        *,
        refused: RunError | None = None,
        routes: bool = True,
        programs: bool = False,
    ) -> None:
        era = era or guide_for(flow.format)
        self.config = RunConfig(flow, era, verdict, settings, refused=refused, routes=routes, programs=programs)
        self._loop = _LOOPS[era.closing]

    @property
    def flow(self) -> Flow:
        """The flow that is run."""
        return self.config.flow

    @property
    def verdict(self) -> Verdict:
        """When the run is over by the agent's own measure."""
        return self.config.verdict

    @property
    def era(self) -> Era:
        """The era that is imitated."""
        return self.config.era

    def with_verdict(self, verdict: Verdict, limit: int) -> "Machine":
        """The same machine with another verdict and limit of iterations."""
        other = copy(self)
        other.config = copy(self.config)
        other.config.verdict = verdict
        other.config.limit = limit
        return other

    def step(self, state: State, event: Event) -> Stepped:
        """The state after an event. An event that the state doesn't wait for is ignored, with a message why."""
        if isinstance(event, Answered) and state.waits in {"answer", "check"}:
            return self._answer(state, event)
        if isinstance(event, Start):
            return self._start(event)
        if isinstance(event, Validated) and state.waits == "validator":
            return self._validate(state, event)
        if isinstance(event, NotAsked) and state.waits in {"answer", "check"}:
            return self._not_asked(state, event)
        if isinstance(event, ProgramEnded) and state.waits == "program":
            return self._program_ended(state, event)
        return state, (Ignored(waiting_for(state)),)

    def validator(self, state: State) -> RunValidator | None:
        """The validator that a state waits for."""
        return request_of(self.config, state)

    def _start(self, event: Start) -> Stepped:
        config = self.config
        error = config.refused or no_issue(config, event)
        if error is not None:
            return stop(State(), event, error)
        if event.entry is None and config.era.entry_pairs:
            error = no_pair(config)
            if error is not None:
                return stop(State(), event, error)
        named = event.entry if event.entry is not None else entry_of(config.flow, config.verdict)
        if named in config.flow.steps:
            memory = Memory(event.args, event.payload, event.input_text)
            entry = TraceEntry(event, None, 0, to=named)
            if config.era.checks is not None:
                return loop_checks.begin(config, State(memory=memory), entry, named)
            return ask(config, State(memory=memory), entry, named)
        return stop(State(), event, no_entry(config, named), reached=State(step=named))

    def _answer(self, state: State, event: Answered) -> Stepped:
        config, at = self.config, state.step
        era = config.era
        assert at is not None
        step = config.flow.steps.get(at)
        if step is None:  # the registry was changed meanwhile
            return stop(state, event, no_step(at))
        if era.checks is not None:
            return loop_checks.answered(config, state, event, step, era.checks)
        answer, wrong_id = _own_id(at, event.answer)
        if wrong_id is not None and era.refuses_other_ids:
            return stop(state, event, other_step(step, wrong_id))
        repeat: Repeat | None = None
        read: Interpretation | None = None
        taken: Routed | EndRun | None = None
        if config.routes and not config.is_apart(step):
            unrouted = is_unrouted(config.flow, step, era)
            if answer is not None and not unrouted:
                found = interpret(step, answer, era)
                if isinstance(found, RunError):
                    return stop(state, event, found, reached=_reached(state, at, event, answer, era))
                unsaid = intent_not_answered(step, found, state.iteration, era)
                if unsaid is not None:
                    return stop(state, event, unsaid, reached=_reached(state, at, event, answer, era))
                read = found
                routed, repeat = _routed_by(config.flow, step, read, era, state.memory.repeats)
                if isinstance(routed, RunError):
                    return stop(
                        state, event, routed, read, reached=_reached(state, at, event, answer, era, read.handoff)
                    )
                taken = routed
            elif state.iteration > 1:
                error = no_gate(step, era) if unrouted else no_output(step, event, state.iteration, era)
                return stop(state, event, error, reached=_reached(state, at, event, answer, era))
        if taken is None:
            taken = Routed(at, "stays")
        reached = _reached(state, at, event, answer, era, read.handoff if read is not None else None)
        reached = repeating(reached, repeat)
        to = taken.step if isinstance(taken, Routed) else None
        entry = TraceEntry(event, at, state.iteration, read, taken, to, None, wrong_id)
        return _kept(state, self._loop.answered(config, reached, entry))

    def _not_asked(self, state: State, event: NotAsked) -> Stepped:
        """A prompt that can't be made ends the run; a schema is forgiven once (runtime-semantics 7)."""
        config, at = self.config, state.step
        assert at is not None
        if event.why != "schema":
            code = event.code or "AGENT_QUERY_ERROR"
            return stop(state, event, RunError(kind="prompt", message=event.message, code=code, step=at))
        memory = state.memory
        strike = memory.strikes.get(at, 0) + 1
        memory = memory._replace(
            strikes={**memory.strikes, at: strike}, errors=memory.errors + 1, reported=memory.reported.summary(None, ())
        )
        left = {"iteration": state.iteration, "hasErrors": True, "errorCount": 1}
        reached = state._replace(context={**state.context, at: left}, retry=None, error=None, memory=memory)
        apart = config.is_apart(config.flow.steps.get(at))
        if strike > 1 and not apart and (config.routes or config.era.closing == "trigger"):
            return stop(state, event, no_schema(at, event, config.era), reached=reached)
        entry = TraceEntry(event, at, state.iteration, transition=Routed(at, "stays"), to=at)
        return _kept(state, self._loop.answered(config, reached, entry))

    def _program_ended(self, state: State, event: ProgramEnded) -> Stepped:
        """Exit code 0 finishes the run; whatever else happened, the program is started again until the limit."""
        config, at, memory = self.config, state.step, state.memory
        assert at is not None
        entry = TraceEntry(event, at, state.iteration, to=at)
        if event.failed is not None:
            return advance(config, state._replace(memory=memory._replace(errors=memory.errors + 1)), entry, at)
        answer = answer_of_program(event.stdout)
        memory = memory._replace(
            reported=memory.reported.summary(answer, ()), errors=memory.errors + (1 if event.exit_code else 0)
        )
        state = state._replace(memory=memory, retry=None)
        if event.exit_code == 0:
            entry = entry._replace(transition=EndRun("closing", "signal"))
            return end_at_closure(config, state, entry, "closing", "", at)
        state, boundary = crossing(config, state, at, answer)
        after, effects = advance(config, state, entry, at)
        return after, (boundary, *effects)

    def _validate(self, state: State, event: Validated) -> Stepped:
        config, checking, at = self.config, state.checking, state.step
        assert checking is not None
        assert at is not None
        validation = checking.validation
        name = validation.validators[checking.position]
        entry = TraceEntry(event, at, state.iteration, to=at, validator=name)
        fault = event.fault if event.passed else event.fault or no_extractors(config, name)
        if fault is not None:
            error = validator_fault(at, validation, fault)
            stopped, effects = stop(state, event, error)
            return stopped._replace(last=entry._replace(error=error)), effects
        if not event.passed:
            return self._failed(state, checking, event, entry)
        further = next_check(config, checking._replace(position=checking.position + 1))
        if isinstance(further, RunError):
            return stop(state, event, further._replace(step=at))
        if further is not None:
            return begin_check(config, state, further, entry)
        return self._passed(state, checking, entry)

    def _passed(self, state: State, checking: Checking, entry: TraceEntry) -> Stepped:
        assert state.step is not None
        if checking.validation.key in state.failures and self.era.closing != "trigger":
            kept = {key: count for key, count in state.failures.items() if key != checking.validation.key}
            state = state._replace(failures=kept)
        if checking.closing is None:  # they ran before the step is asked
            state = state._replace(waits="answer", checking=None, error=None, last=entry)
            return state, (Query(state.step or "", state.iteration, state.retry),)
        return _kept(state, self._loop.passed(self.config, state, entry))

    def _failed(self, state: State, checking: Checking, event: Validated, entry: TraceEntry) -> Stepped:
        config, at, validation = self.config, state.step, checking.validation
        assert at is not None
        assert entry.validator is not None
        before = checking.closing is None
        failure = failure_of(config.flow, entry.validator, event.error, config.era)
        recoverable = event.recoverable and not (failure and failure.recoverable is False)
        skips = validation.action == "skip" and recoverable and config.era.attempts != "unread"
        if skips and not before:
            return self._passed(state, checking, entry)
        attempt = state.failures.get(validation.key, 0) + 1
        state = state._replace(failures={**state.failures, validation.key: attempt}, error=None)
        ends = config.era.checks_by_phase if before else gives_up(validation, attempt, recoverable, config.era)
        if ends:
            moved = checking.transition.step if isinstance(checking.transition, Routed) else at
            return end(config, state._replace(step=moved), entry, "validation", entry.validator, at=at)
        state = state._replace(
            retry=Retry(at, validation, entry.validator, failure, event.error, event.params, attempt)
        )
        if before:
            return advance(config, state, entry, at)
        if config.era.whole_check and failure is not None and not (validation.c2 and validation.c3):
            error = no_retry_path(at, validation)
            stopped, effects = stop(state._replace(retry=None), event, error)
            return stopped._replace(last=entry._replace(error=error)), effects
        return self._loop.tried_again(config, state, entry)


def _routed_by(
    flow: Flow, step: Step, read: Interpretation, era: Era, repeats: Mapping[str, int]
) -> tuple[Routed | EndRun | RunError, Repeat | None]:
    routed = route(flow, step.id, read, era)
    if not era.repeats_along_chain:
        return routed, None
    return along_chain(step, step.id, read.intent, routed, repeats)


def _own_id(at: str, answer: JsonValue) -> tuple[JsonValue, str | None]:
    """The answer under the running step's id, and the id that it gave itself if that was another."""
    given = answer.get("stepId") if isinstance(answer, dict) else None
    if not isinstance(given, str) or given == at:
        return answer, None
    return {**answer, "stepId": at}, given


def _reached(
    state: State,
    at: str,
    event: Answered,
    answer: JsonValue,
    era: Era,
    handoff: Mapping[str, JsonValue] | None = None,
) -> State:
    """The state with what the answer leaves behind: its handoff, or where it has none the answer itself."""
    # Taken apart and put together again: `_replace` takes three times as long, and each answer passes here.
    waits, _step, iteration, came_from, context, _retry, failures, checking, _error, outcome, last, memory, counts = (
        state
    )
    left = _left(event, answer, iteration) if handoff is None else handoff
    learned = _learned(memory, at, iteration, event, answer, era)  # without the adaptation: it was for one prompt
    context = {**context, at: left}
    return State(
        waits, at, iteration, came_from, context, None, failures, checking, None, outcome, last, learned, counts
    )


def _learned(memory: Memory, at: str, iteration: int, event: Answered, answer: JsonValue, era: Era) -> Memory:
    """What the run knows after an answer."""
    args, payload, input_text, reported, prompted, strikes, errors, spoke, session, repeats, _adaptation = memory
    if event.by_handler and iteration > 1:
        prompted = reported._replace(iteration=iteration - 1, summaries=prompted.summaries + 1)
    reported = reported.summary(
        answer, event.texts, event.verdict_reached, iteration if era.reports_iteration else None
    )
    if at in strikes:
        strikes = {step: count for step, count in strikes.items() if step != at}
    errors += event.failed is not None
    spoke = spoke or has_text(event.texts, event.failed)
    session = event.session or session
    return Memory(args, payload, input_text, reported, prompted, strikes, errors, spoke, session, repeats)


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


def _kept(state: State, stepped: Stepped) -> Stepped:
    """The step; where it led nowhere after all, from the state as it was."""
    after, effects = stepped
    if after.last is None or after.last.error is None:
        return stepped
    return state._replace(error=after.error, last=after.last), effects
