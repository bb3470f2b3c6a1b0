"""What the prompt engine's configuration does not allow: reports claim only what happens."""

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.examples.example import changed
from tests.lint.conftest import Lint


def test_of_a_word_that_the_engine_does_not_know_only_what_happens_is_said(lint_example: Lint) -> None:
    config = 'params:\n  two:\n    layerType:\n      pattern: "^(topic)$"\n'
    example = changed(base="c3l", texts={"../climpt/config/issue-flow-steps-user.yml": config})
    (found, *_more) = (
        each for each in lint_example(example, LintSettings("climpt-2026-04-20")) if each.code == "SF514"
    )
    assert "finds no prompt" not in found.message
