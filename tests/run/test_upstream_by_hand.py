"""A run by hand in one of upstream's eras: what can be picked is what its runner reads."""

import pytest

from stepflow_gui.formats.climpt import eras
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.run.session import Run
from tests.run.flows import SIMPLE, flow

GRAPH = Verdict("detect:graph")


@pytest.mark.parametrize("era", [eras.CLIMPT_2026_03_14, eras.CLIMPT_2026_04_01, eras.CLIMPT_2026_04_20])
@pytest.mark.parametrize("intent", ["closing", "repeat"])
def test_picks_at_a_closure_do_as_labelled(era: Era, intent: str) -> None:
    run = Run(flow(SIMPLE), GRAPH, era)
    run.start("closure.issue")
    assert [choice.intent for choice in run.choices()] == ["closing", "repeat"]
    run.choose(next(choice for choice in run.choices() if choice.intent == intent))
    if intent == "repeat":
        assert (run.state.step, run.state.iteration, run.state.waits) == ("closure.issue", 2, "answer")
    else:
        assert run.state.outcome is not None
        assert run.state.outcome.kind == "closing"


def test_abort_is_not_offered_where_no_kind_may_emit_it() -> None:
    run = Run(flow(SIMPLE), GRAPH, eras.CLIMPT_2026_04_01)
    run.start()
    assert [choice.intent for choice in run.choices()] == ["next", "repeat"]
    guide = Run(flow(SIMPLE), GRAPH)
    guide.start()
    assert [choice.intent for choice in guide.choices()] == ["next", "repeat", "abort"]
