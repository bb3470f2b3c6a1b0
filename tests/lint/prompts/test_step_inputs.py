"""SF510 of a step's inputs: what a prompt gets from them, and which can never have a value."""

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
    ("given", "severity"),
    [
        ({"from": "plan"}, "error"),
        ({"from": ".plan", "required": False}, "error"),
        ({"required": True}, "error"),
        ({"from": "", "required": True}, "error"),
        ({"from": "nowhere.plan", "required": True}, "error"),
        ({"from": "nowhere.plan", "required": True, "default": "none"}, "warning"),
        ({"from": "nowhere.plan"}, "warning"),
        ({"required": True, "default": "none"}, None),
        ({}, None),
    ],
)
def test_an_input_that_can_never_have_a_value(given: dict[str, Any], severity: str | None, lint_example: Lint) -> None:
    """Since 2026-04-01 it ends the run; before, no run looked at inputs."""
    changes = {"/steps/continuation.issue/inputs": {"plan": given}}
    found = of("SF510", lint_example(changed(changes, base="c3l"), LintSettings("climpt-2026-04-20")))
    assert [(each.severity, "the run stops there" in each.message) for each in found] == (
        [(severity, severity == "error")] if severity else []
    )
    older = of("SF510", lint_example(changed(changes, base="closing"), LintSettings("climpt-2026-03-14")))
    assert {each.severity for each in older} <= {"warning"}


def test_a_default_without_a_step_gives_the_variable_of_its_name(lint_example: Lint) -> None:
    step = "/steps/continuation.issue"
    prompt = {"prompts/steps/continuation/issue/f_default.md": "{uv-plan}\n"}
    changes: dict[str, Any] = {f"{step}/uvVariables": ["plan"], f"{step}/inputs": {"plan": {"default": "none"}}}
    assert not of("SF510", lint_example(changed(changes, base="c3l", texts=prompt)))
