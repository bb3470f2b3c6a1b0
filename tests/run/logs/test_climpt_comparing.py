"""A climpt log beside a flow: what keeps the comparison from going on for ever."""

from typing import cast

from stepflow_gui.run.logs.climpt_comparing import _checked
from stepflow_gui.run.machine.closure_checks import ClosureValidation
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.state import Checking, Effect, Event, State
from tests.run.flows import say, started, validated


class Unmoved:
    """A machine whose validators are asked again and again."""

    def step(self, state: State, _event: Event) -> tuple[State, tuple[Effect, ...]]:
        return state, ()


def test_validators_that_come_again_are_given_one_result() -> None:
    run = started(validated())
    say(run, "handoff", "closing")
    checking = run.state.checking
    assert isinstance(checking, Checking)
    assert isinstance(checking.validation, ClosureValidation)
    _state, _effects, events = _checked(cast("Machine", Unmoved()), run.state, (), before=False)
    assert len(events) == 1
