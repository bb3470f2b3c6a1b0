"""The guide's one loop: closing is a trigger for validators, the verdict is tested after each iteration (0a)."""

from stepflow_gui.run.machine.closure_checks import validation_for
from stepflow_gui.run.machine.format_check import is_formed
from stepflow_gui.run.machine.route import Routed
from stepflow_gui.run.machine.run_config import RunConfig
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import Answered, Checking, NotAsked, Retry, State, TraceEntry
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


def answered(config: RunConfig, state: State, entry: TraceEntry) -> Stepped:
    """After an answer that the router, where there is one, led somewhere."""
    taken, at = entry.transition, entry.step
    assert at is not None
    if isinstance(taken, Routed):
        return _go_on(config, state, entry, taken.step)
    assert taken is not None
    if taken.signal == "closing":
        return _close(config, state, entry)
    return end(config, state, entry, kind_of(taken))


def passed(config: RunConfig, state: State, entry: TraceEntry) -> Stepped:
    """All validators of a closing let it through."""
    assert state.step is not None
    return end_at_closure(config, state, entry, "closing", "", state.step)


def tried_again(config: RunConfig, state: State, entry: TraceEntry) -> Stepped:
    """A validator has failed: the step that handed off to the closure tries again, or the closure itself."""
    assert state.step is not None
    return _go_on(config, state, entry, state.came_from or state.step)


def _go_on(config: RunConfig, state: State, entry: TraceEntry, to: str) -> Stepped:
    """End the iteration: the verdict is tested, then the limit."""
    state = handed(state)
    answer = state.checking.closing if state.checking else entry.event
    if isinstance(answer, Answered) and config.verdict.reached(
        state.iteration, answer.answer, answer.texts, answer.verdict_reached
    ):
        return end(config, state._replace(step=to), entry, "verdict", config.verdict.type or "", at=state.step)
    if isinstance(answer, NotAsked) and config.verdict.reached(state.iteration, None, (), external=False):
        return end(config, state._replace(step=to), entry, "verdict", config.verdict.type or "", at=state.step)
    return advance(config, state, entry, to)


def _close(config: RunConfig, state: State, entry: TraceEntry) -> Stepped:
    at = state.step
    assert at is not None
    assert isinstance(entry.event, Answered)
    validation = validation_for(config.flow, at, config.verdict.type, config.era)
    if validation is not None:
        if not is_formed(validation, entry.event.texts, config.era):
            retry = Retry(at, validation, "", None, "", {}, 0)
            return _go_on(config, state._replace(retry=retry), entry, state.came_from or at)
        checking = next_check(config, Checking(validation, 0, entry.event, entry.transition))
        if isinstance(checking, RunError):
            return stop(state, entry.event, checking._replace(step=at), entry.interpretation)
        if checking is not None:
            return begin_check(config, state, checking, entry)
    return end_at_closure(config, state, entry, "closing", "", at)
