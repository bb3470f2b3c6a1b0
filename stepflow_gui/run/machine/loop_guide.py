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
    kind_of,
    next_check,
    stop,
)


def answered(course: RunConfig, state: State, entry: TraceEntry) -> Stepped:
    """After an answer that the router, where there is one, led somewhere."""
    way, at = entry.way, entry.step
    assert at is not None
    if isinstance(way, Routed):
        return _go_on(course, state, entry, way.step)
    assert way is not None
    if way.signal == "closing":
        return _close(course, state, entry)
    return end(course, state, entry, kind_of(way))


def passed(course: RunConfig, state: State, entry: TraceEntry) -> Stepped:
    """All validators of a closing let it through."""
    assert state.step is not None
    return end_at_closure(course, state, entry, "closing", "", state.step)


def tried_again(course: RunConfig, state: State, entry: TraceEntry) -> Stepped:
    """A validator has failed: the step that handed off to the closure tries again, or the closure itself."""
    assert state.step is not None
    return _go_on(course, state, entry, state.came_from or state.step)


def _go_on(course: RunConfig, state: State, entry: TraceEntry, to: str) -> Stepped:
    """End the iteration: the verdict is tested, then the limit."""
    answer = state.checking.closing if state.checking else entry.event
    if isinstance(answer, Answered) and course.verdict.reached(
        state.iteration, answer.answer, answer.texts, answer.told
    ):
        return end(course, state._replace(step=to), entry, "verdict", course.verdict.type or "", at=state.step)
    if isinstance(answer, NotAsked) and course.verdict.reached(state.iteration, None, (), told=False):
        return end(course, state._replace(step=to), entry, "verdict", course.verdict.type or "", at=state.step)
    return advance(course, state, entry, to)


def _close(course: RunConfig, state: State, entry: TraceEntry) -> Stepped:
    at = state.step
    assert at is not None
    assert isinstance(entry.event, Answered)
    validation = validation_for(course.flow, at, course.verdict.type, course.era)
    if validation is not None:
        if not is_formed(validation, entry.event.texts, course.era):
            retry = Retry(at, validation, "", None, "", {}, 0)
            return _go_on(course, state._replace(retry=retry), entry, state.came_from or at)
        checking = next_check(course, Checking(validation, 0, entry.event, entry.way))
        if isinstance(checking, RunError):
            return stop(state, entry.event, checking._replace(step=at), entry.interpretation)
        if checking is not None:
            return begin_check(course, state, checking, entry)
    return end_at_closure(course, state, entry, "closing", "", at)
