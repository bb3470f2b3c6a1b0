"""Fallback keys of which one word is misspelt: what tells is the step's own id, and the other keys."""

from typing import Any

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.lint.conftest import Lint, Open


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("triage_intial_default", "triage_initial_default"),  # a word of the step's own id
        ("bug_triage_initail_default", "bug_triage_initial_default"),  # of two odd words one is like another
        ("triage_initial_standrad", "triage_initial_standard"),  # a word of two other keys
    ],
)
def test_a_word_of_a_fallback_key_that_is_nowhere_else_is_put_right(wrong: str, right: str, lint_example: Lint) -> None:
    found = [each for each in lint_example(_with_keys(wrong)) if each.code == "SF502"]
    assert [each.fixes[0].edits[0].text for each in found] == [f'"{right}"']


@pytest.mark.parametrize("key", ["triaged_initial_default", "triage_start_default", "bug_triage_default"])
def test_another_form_of_a_word_and_a_word_of_its_own_are_left_alone(key: str, lint_example: Lint) -> None:
    assert [each for each in lint_example(_with_keys(key)) if each.code == "SF502"] == []


def test_a_key_of_an_older_shape_may_have_dots(open_example: Open) -> None:
    agent = open_example(_with_keys("intial.triage"))
    older = open_agent(agent.folder, None, "c3l-flat")
    assert isinstance(older, AgentFolder)
    found = [each for each in lint(older) if each.code == "SF502" and "intial.triage" in each.message]
    assert [each.fixes[0].edits[0].text for each in found] == ['"initial.triage"']


def _with_keys(key: str) -> dict[str, Any]:
    """The example with a step of this key, and two with keys of the same kind."""
    changes: dict[str, Any] = {}
    for topic, own in (("triage", key), ("merge", "merge_initial_standard"), ("deploy", "deploy_initial_standard")):
        changes[f"/steps/initial.{topic}"] = {
            "stepId": f"initial.{topic}",
            "name": topic,
            "c2": "initial",
            "c3": topic,
            "edition": "default",
            "fallbackKey": own,
            "uvVariables": [],
        }
    return changes
