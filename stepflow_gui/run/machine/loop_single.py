"""The one loop of 2026-03-14 and before: validators run at a literal word, the verdict's handler is asked (4 and 8)."""

from stepflow_gui.run.javascript.values import value_at
from stepflow_gui.run.machine.closure_checks import validation_for
from stepflow_gui.run.machine.handlers import is_finished
from stepflow_gui.run.machine.route import EndRun, Routed
from stepflow_gui.run.machine.run_config import RunConfig
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import Answered, Checking, State, TraceEntry
from stepflow_gui.run.machine.transitions import (
    Stepped,
    advance,
    begin_check,
    end,
    end_at_closure,
    handed,
    kind_of,
    next_check,
    stop,
)

_WORDS = ("closing", "complete")


def answered(config: RunConfig, state: State, entry: TraceEntry) -> Stepped:
    """After an answer: validators, if it holds the word."""
    event = entry.event
    if isinstance(event, Answered) and value_at(event.answer, "next_action.action") in _WORDS:
        validation = validation_for(config.flow, "", config.verdict.type, config.era)
        if validation is not None:
            checking = next_check(config, Checking(validation, 0, event, entry.transition))
            if isinstance(checking, RunError):
                return stop(state, event, checking, entry.interpretation, entry.transition)
            if checking is not None:
                return begin_check(config, state, checking, entry)
    return _decide(config, state, entry, entry.transition)


def passed(config: RunConfig, state: State, entry: TraceEntry) -> Stepped:
    """All validators let it through."""
    assert state.checking is not None
    return _decide(config, state, entry, state.checking.transition)


def tried_again(config: RunConfig, state: State, entry: TraceEntry) -> Stepped:
    """A validator has failed: the step to which the router led is asked with the retry prompt, or the same."""
    assert state.step is not None
    assert state.checking is not None
    taken = state.checking.transition
    to = taken.step if isinstance(taken, Routed) else state.step
    return advance(config, state, entry, to)


def _decide(config: RunConfig, state: State, entry: TraceEntry, taken: Routed | EndRun | None) -> Stepped:
    at = state.step
    assert at is not None
    if isinstance(taken, EndRun):
        return end_at_closure(config, state, entry, kind_of(taken), "", at)
    to = taken.step if taken else at
    state = handed(state)
    memory = state.memory
    if is_finished(config.verdict, memory.reported, memory.prompted, config.era):
        return end(config, state._replace(step=to), entry, "verdict", config.verdict.type or "", at=at)
    return advance(config, state, entry, to)
