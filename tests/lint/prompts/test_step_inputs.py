"""A step's inputs: what a prompt gets from them (SF510), and which can never have a value (SF004)."""

from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.examples.example import changed
from tests.lint.conftest import Lint


def of(code: str, found: list[Diagnostic]) -> list[Diagnostic]:
    return [each for each in found if each.code == code]


def test_an_input_wants_a_key_that_is_handed_off(lint_example: Lint) -> None:
    where = "/steps/continuation.issue/inputs"
    changes: dict[str, Any] = {where: {"plan": {"from": "initial.issue.plan"}}}
    assert [each.pointer for each in of("SF510", lint_example(changed(changes, base="c3l")))] == [f"{where}/plan/from"]
    optional = {where: {"plan": {"from": "initial.issue.plan", "required": False}}}
    assert not of("SF510", lint_example(changed(optional, base="c3l")))
    changes["/steps/initial.issue/structuredGate/handoffFields"] = ["analysis.plan"]
    assert not of("SF510", lint_example(changed(changes, base="c3l")))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"from": "plan"}, "SF004 error"),
        ({"from": ".plan", "required": False}, "SF004 error"),
        ({"required": True}, "SF004 error"),
        ({"from": "", "required": True}, "SF004 error"),
        ({"from": "nowhere.plan", "required": True}, "SF510 error"),
        ({"from": "nowhere.plan", "required": True, "default": "none"}, "SF510 warning"),
        ({"from": "nowhere.plan"}, "SF510 warning"),
        ({"required": True, "default": "none"}, None),
        ({}, None),
    ],
)
def test_an_input_that_can_never_have_a_value(given: dict[str, Any], said: str | None, lint_example: Lint) -> None:
    """Since 2026-04-01 it ends the run; before, no run looked at inputs."""
    changes = {"/steps/continuation.issue/inputs": {"plan": given}}
    found = lint_example(changed(changes, base="c3l"), LintSettings("climpt-2026-04-20"))
    told = [each for each in found if each.code in {"SF004", "SF510"}]
    assert [f"{each.code} {each.severity}" for each in told] == ([said] if said else [])
    assert all(("the run stops there" in each.message) is (each.severity == "error") for each in told)
    older = lint_example(changed(changes, base="closing"), LintSettings("climpt-2026-03-14"))
    assert not [each for each in older if each.severity == "error"]


def test_a_default_without_a_step_gives_the_variable_of_its_name(lint_example: Lint) -> None:
    step = "/steps/continuation.issue"
    prompt = {"prompts/steps/continuation/issue/f_default.md": "{uv-plan}\n"}
    changes: dict[str, Any] = {f"{step}/uvVariables": ["plan"], f"{step}/inputs": {"plan": {"default": "none"}}}
    assert not of("SF510", lint_example(changed(changes, base="c3l", texts=prompt)))
