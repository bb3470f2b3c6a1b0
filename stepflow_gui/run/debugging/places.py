"""Values of a run by a dotted path, as watches and the conditions of breakpoints name them.

`context.<step>.<key>…` is what a step has left, `handoff.<key>` what the last answer handed over, `answer.<path>` that
answer, `inputs.<name>` a variable that the active step gets through its `inputs`, `args.<name>` a parameter of the
agent. `step`, `intent`, `case`, `validator`, `visit`, `iteration` and `attempt` are single values. A path that begins
with none of these is taken for one in the context.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.run.debugging.run_moment import Halt
from stepflow_gui.run.javascript.values import ABSENT, value_at
from stepflow_gui.run.machine.run_config import RunConfig
from stepflow_gui.run.machine.state import Answered, State, Validated
from stepflow_gui.run.machine.step_inputs import InputError, variables_of_inputs
from stepflow_gui.text.json.tree import JsonValue


class RunValues(NamedTuple):
    """A run at one moment. `visits`: how often each step was asked so far, the active one included."""

    config: RunConfig
    state: State
    visits: Mapping[str, int]

    def value(self, path: str) -> JsonValue:
        """The value at a path; ABSENT where there is none."""
        return value_of(path, self)

    def is_asked(self, step: str | None) -> bool:
        """Whether a step, or any, waits for its answer or program."""
        return self.state.waits in {"answer", "program"} and step in {None, self.state.step}

    def has_answered(self, intent: str, step: str | None) -> bool:
        """Whether the last event was an answer of that intent, of a step or any."""
        last = self.state.last
        if last is None or isinstance(last.event, Validated) or last.interpretation is None:
            return False
        return last.interpretation.intent == intent and step in {None, last.step}

    def is_checked(self, validator: str | None, step: str | None) -> bool:
        """Whether a validator, or any, is about to run."""
        state, checking = self.state, self.state.checking
        if state.waits != "validator" or checking is None or step not in {None, state.step}:
            return False
        return validator in {None, checking.validation.validators[checking.position]}

    @property
    def halt(self) -> Halt | None:
        """The error that the run has met, or its end."""
        if self.state.error is not None:
            return Halt(ended=False, message=self.state.error.message)
        return Halt(ended=True, message=self.state.outcome.message) if self.state.outcome is not None else None

    @property
    def is_between(self) -> bool:
        """Each event is a step."""
        return True


def value_of(path: str, scope: RunValues) -> JsonValue:
    """The value at a path; ABSENT where there is none."""
    head, _dot, rest = path.strip().partition(".")
    single = _SINGLE.get(head)
    if single is not None and not rest:
        return single(scope)
    group = _GROUPS.get(head)
    if group is not None:
        holder = group(scope)
        return holder if not rest else below(holder, rest)
    return below(_context(scope), path.strip())


def is_path(flow: Flow, path: str) -> bool:
    """Whether a path begins with something that a run of this flow can have a value for."""
    head, _dot, rest = path.strip().partition(".")
    if head in _GROUPS or (head in _SINGLE and not rest):
        return True
    return any(path == step or path.startswith(f"{step}.") for step in flow.steps)


def known_paths(scope: RunValues) -> list[str]:
    """Paths that have a value now, for completion."""
    found = [f"context.{step}.{key}" for step, left in scope.state.context.items() for key in left]
    for group in ("handoff", "inputs", "args"):
        holder = _GROUPS[group](scope)
        found += [f"{group}.{key}" for key in holder] if isinstance(holder, dict) else []
    return [*found, *_SINGLE]


def below(holder: JsonValue, path: str) -> JsonValue:
    """A value below another: keys may hold dots themselves, as step ids do, and the longest that is there counts."""
    if not isinstance(holder, dict):
        return value_at(holder, path)
    if path in holder:
        return holder[path]
    at = path.rfind(".")
    while at > 0:
        if path[:at] in holder:
            return below(holder[path[:at]], path[at + 1 :])
        at = path.rfind(".", 0, at)
    return ABSENT


def _context(scope: RunValues) -> JsonValue:
    return {step: dict(left) for step, left in scope.state.context.items()}


def _handoff(scope: RunValues) -> JsonValue:
    last = scope.state.last
    read = last.interpretation if last else None
    return read.handoff if read is not None and read.handoff is not None else {}


def _answer(scope: RunValues) -> JsonValue:
    last = scope.state.last
    return last.event.answer if last is not None and isinstance(last.event, Answered) else ABSENT


def _inputs(scope: RunValues) -> JsonValue:
    state = scope.state
    found = variables_of_inputs(scope.config.inputs.get(state.step or ""), state.context, scope.config.era)
    return {} if isinstance(found, InputError) else dict(found)


def _args(scope: RunValues) -> JsonValue:
    return dict(scope.state.memory.args)


def _step(scope: RunValues) -> JsonValue:
    return _or_absent(scope.state.step)


def _intent(scope: RunValues) -> JsonValue:
    last = scope.state.last
    return last.interpretation.intent if last is not None and last.interpretation is not None else ABSENT


def _case(scope: RunValues) -> JsonValue:
    last = scope.state.last
    return _or_absent(last.transition.case if last is not None and last.transition is not None else None)


def _validator(scope: RunValues) -> JsonValue:
    checking = scope.state.checking
    return ABSENT if checking is None else checking.validation.validators[checking.position]


def _visit(scope: RunValues) -> JsonValue:
    return scope.visits.get(scope.state.step or "", 0)


def _attempt(scope: RunValues) -> JsonValue:
    retry = scope.state.retry
    return retry.attempt if retry is not None else scope.state.counts.retries


def _or_absent(value: str | None) -> JsonValue:
    return ABSENT if value is None else value


_GROUPS: Mapping[str, Callable[[RunValues], JsonValue]] = {
    "context": _context,
    "handoff": _handoff,
    "answer": _answer,
    "inputs": _inputs,
    "args": _args,
}
_SINGLE: Mapping[str, Callable[[RunValues], JsonValue]] = {
    "step": _step,
    "intent": _intent,
    "case": _case,
    "validator": _validator,
    "visit": _visit,
    "iteration": lambda scope: scope.state.iteration,
    "attempt": _attempt,
}
