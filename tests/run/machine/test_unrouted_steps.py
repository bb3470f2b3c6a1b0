"""A jump to a step without a gate: neither gate nor router is asked there."""

import pytest

from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.run.machine.choices import choices
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import Answered, Start, State
from tests.run.flows import flow, registry, step

SECTION = {"stepId": "section.note", "name": "Note", "c2": "section", "c3": "note", "edition": "default"}
JUMPS = registry(
    step("initial.a", "work", {"targetField": "next_action.target"}, jump="initial.a", handoff="closure.a"),
    step("closure.a", "closure", closing=None),
    SECTION,
)


@pytest.mark.parametrize("era", ["guide", "climpt-2026-03-14", "climpt-2026-04-01", "climpt-2026-04-20"])
def test_a_run_that_gets_there_ends_without_an_intent(era: str) -> None:
    machine = Machine(flow(JUMPS), era=ERAS[era])
    state, _effects = machine.step(State(), Start(None, {}, {}, None))
    for answer in (
        {"next_action": {"action": "jump", "target": "section.note"}},
        {"next_action": {"action": "next"}},
    ):
        state, _effects = machine.step(state, Answered(answer, ()))
    assert state.error is not None
    assert (state.error.kind, state.error.code, state.step) == ("no_intent", "FAILED_STEP_ROUTING", "section.note")
    (choice,) = choices(machine.flow, "section.note", machine.era)
    assert isinstance(choice.transition, RunError)
    assert choice.transition.code == "FAILED_STEP_ROUTING"
