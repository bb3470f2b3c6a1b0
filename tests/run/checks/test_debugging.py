"""Breakpoints in flows with checks: at a step and not once more at its check, after a check's target, by retries."""

import pytest

from stepflow_gui.run.debugging.branches import ON
from stepflow_gui.run.debugging.breakpoints import Breakpoint, Breakpoints, breakpoint_of, missing_in
from stepflow_gui.run.debugging.debugger import Debugger
from stepflow_gui.run.machine.state import Answered, Effect, Query, State
from tests.run.checks.flows import flow, path, started


def paused(*points: Breakpoint) -> Debugger:
    """Run the guide's example, whose checks all fail, until it pauses or ends."""
    debugger = Debugger(Breakpoints(points))
    debugger.open(started())
    debugger.drive(ON, _failing)
    return debugger


def _failing(_state: State, effect: Effect) -> Answered:
    assert isinstance(effect, Query)
    return Answered({"result": "ng"} if effect.check else None)


@pytest.mark.parametrize(
    ("point", "visits", "waits"),
    [
        (("s_a8f3", "", "", ""), 1, "answer"),
        (("", "retry", "", ""), 1, "answer"),
        (("s_a8f3", "", "", "attempt >= 2"), 2, "answer"),
        (("", "fail", "", ""), 3, "nothing"),
        (("s_b2c1", "", "", ""), 3, "nothing"),
    ],
)
def test_a_run_pauses_where_it_should(point: tuple[str, str, str, str], visits: int, waits: str) -> None:
    made = breakpoint_of(*point)
    assert isinstance(made, Breakpoint)
    debugger = paused(made)
    assert debugger.run is not None
    assert (len(path(debugger.run)), debugger.run.state.waits) == (visits, waits)


def test_only_targets_of_checks_can_be_waited_for() -> None:
    era = started().machine.era
    assert [missing_in(flow(), era, Breakpoint(intent=word)) for word in ("pass", "fail", "retry", "fallback")] == [
        None
    ] * 4
    assert missing_in(flow(), era, Breakpoint(intent="closing")) is not None
