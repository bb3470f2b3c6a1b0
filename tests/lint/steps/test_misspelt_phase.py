"""SF102: a phase with a slip in it."""

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import Moved
from tests.lint.conftest import Open
from tests.lint.test_fixes import fixed


def test_a_misspelt_phase_that_nothing_names_is_renamed_with_its_step_id(open_example: Open) -> None:
    agent = open_example({
        "/steps/continuaton.issue": Moved("/steps/continuation.issue"),
        "/steps/continuaton.issue/stepId": "continuaton.issue",
        "/steps/continuaton.issue/transitions": {"handoff": {"target": "closure.issue"}},
        "/steps/initial.issue/transitions/next": {"target": "closure.issue"},
    })  # fmt: skip
    (found,) = (each for each in lint(agent) if each.code == "SF102")
    assert "Did you mean “continuation.issue”?" in found.message
    declared = fixed(agent, found.fixes[0]).flow.steps["continuation.issue"].step_id
    assert declared is not None
    assert declared.value == "continuation.issue"
