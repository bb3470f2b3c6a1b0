"""The two loops of 2026-04-01 and after: closures apart from gate and router, ended by the closure procedure (4, 8)."""

from stepflow_gui.messages import _
from stepflow_gui.run.javascript.values import value_at
from stepflow_gui.run.machine.closure_checks import validation_for
from stepflow_gui.run.machine.format_check import is_formed
from stepflow_gui.run.machine.handlers import is_finished
from stepflow_gui.run.machine.route import EndRun, Routed, along_chain
from stepflow_gui.run.machine.run_config import RunConfig
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import Answered, Checking, Event, Retry, State, TraceEntry
from stepflow_gui.run.machine.transitions import (
    Stepped,
    advance,
    begin_check,
    end_at_closure,
    handed,
    kind_of,
    next_check,
    repeating,
    stop,
)

_FIELD = "next_action.action"


def answered(config: RunConfig, state: State, entry: TraceEntry) -> Stepped:
    """After an answer of a work or verification step, or any of a closure."""
    event, at = entry.event, entry.step
    assert at is not None
    signalled = isinstance(entry.transition, EndRun)
    if not config.is_apart(config.flow.steps.get(at)) and config.gated and not signalled and _word(event) != "closing":
        assert isinstance(entry.transition, Routed)
        return advance(config, state, entry, entry.transition.step)
    validation = validation_for(config.flow, at, config.verdict.type, config.era)
    if validation is not None:
        if isinstance(event, Answered) and not is_formed(validation, event.texts, config.era):
            retry = Retry(at, validation, "", None, "", {}, 0)
            return advance(config, state._replace(retry=retry), entry, _to(at, entry.transition))
        answer = event if isinstance(event, Answered) else Answered(None)
        checking = next_check(config, Checking(validation, 0, answer, entry.transition))
        if isinstance(checking, RunError):
            return stop(state, event, checking, entry.interpretation, entry.transition)
        if checking is not None:
            return begin_check(config, state, checking, entry)
    return _decide(config, state, entry, event, entry.transition)


def passed(config: RunConfig, state: State, entry: TraceEntry) -> Stepped:
    """All validators let it through."""
    checking = state.checking
    assert checking is not None
    assert checking.closing is not None
    return _decide(config, state, entry, checking.closing, checking.transition)


def tried_again(config: RunConfig, state: State, entry: TraceEntry) -> Stepped:
    """A validator has failed: the step to which the router routed is asked with the retry prompt, or the same."""
    assert state.step is not None
    assert state.checking is not None
    return advance(config, state, entry, _to(state.step, state.checking.transition))


def _decide(config: RunConfig, state: State, entry: TraceEntry, event: Event, taken: Routed | EndRun | None) -> Stepped:
    at = state.step
    assert at is not None
    word, apart = _word(event), config.is_apart(config.flow.steps.get(at))
    to = _to(at, taken)
    if apart and word in ("closing", "repeat"):
        if word == "repeat":
            return _repeat(config, state, entry, at, to)
        return end_at_closure(config, state, entry._replace(transition=EndRun("closing", "signal")), "closing", "", at)
    if isinstance(taken, EndRun):
        return end_at_closure(config, state, entry, kind_of(taken), "", at)
    if word in ("closing", "repeat"):
        error = _closing_outside(at, word)
        return stop(state, entry.event, error, entry.interpretation, taken, state._replace(step=to))
    state = handed(state)
    memory = state.memory
    if is_finished(config.verdict, memory.reported, memory.prompted, config.era):
        reached = state._replace(step=to)
        return end_at_closure(config, reached, entry, "verdict", config.verdict.type or "", at)
    return advance(config, state, entry, to)


def _repeat(config: RunConfig, state: State, entry: TraceEntry, at: str, to: str) -> Stepped:
    if config.era.repeats_along_chain:
        step = config.flow.steps.get(at)
        routed, repeat = along_chain(step, at, "repeat", Routed(at, "stays"), state.memory.repeats)
        if isinstance(routed, RunError):
            return stop(state, entry.event, routed, entry.interpretation, None, state)
        state = repeating(state, repeat)
    return advance(config, state, entry, to)


def _word(event: Event) -> str | None:
    word = value_at(event.answer, _FIELD) if isinstance(event, Answered) else None
    return word if isinstance(word, str) else None


def _to(at: str, taken: Routed | EndRun | None) -> str:
    return taken.step if isinstance(taken, Routed) else at


def _closing_outside(at: str, word: str) -> RunError:
    message = _("{step} answered “{word}” in next_action.action, which only a closure step may. Choose another answer.")
    return RunError(
        kind="closing_outside", message=message.format(step=at, word=word), code="FAILED_STEP_ROUTING", step=at
    )
