"""Validation steps under the name that their place had before: what else is wrong with them waits for the rename."""

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import Moved
from stepflow_gui.lint.rules.validators.example_checks import checked
from tests.lint.conftest import Open
from tests.lint.test_fixes import fixed


def test_what_the_rename_reveals_rides_along_with_it(open_example: Open) -> None:
    agent = open_example(
        checked(
            {
                "/completionSteps": Moved("/validationSteps"),
                "/completionSteps/closure.issue": Moved("/completionSteps/closure.polling"),
                "/completionSteps/closure.issue/stepId": "closure.issue",
            }
        )
    )
    found = [each for each in lint(agent) if each.code in {"SF009", "SF604", "SF611"}]
    assert [each.code for each in found] == ["SF009"]
    assert any("never runs for this agent" in side.message for side in found[0].related)
    after = lint(fixed(agent, found[0].fixes[0]))
    assert [each.code for each in after if each.code in {"SF009", "SF604", "SF611"}] == ["SF611"]
