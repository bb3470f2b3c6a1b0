"""Values that a runner passes over, told where they stand, as the chosen runtime takes them."""

from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.examples.example import changed
from tests.lint.conftest import Lint

SPARE = "agent.json#/runner/flow/prompts/fallbackDir"
VALIDATOR = {
    "type": "command",
    "command": "true",
    "successWhen": "empty",
    "failurePattern": "p",
    "extractParams": {"x": None},
}
PATTERN = {"description": "d", "edition": "failed", "params": ["x"]}


@pytest.mark.parametrize(
    ("runtime", "severity", "words"),
    [
        ("climpt-2026-03-14", "error", "climpt-2026-03-14 refuses to start the agent"),
        ("climpt-2026-04-20", "warning", "climpt-2026-04-20 doesn't read it"),
        ("guide", "warning", "climpt-2026-03-14 refuses to start the agent"),
    ],
)
def test_a_fallback_folder_that_is_not_a_text(runtime: str, severity: str, words: str, lint_example: Lint) -> None:
    found = lint_example(changed({SPARE: 5}, base="c3l"), LintSettings(runtime))
    assert [(each.severity, words in each.message) for each in found if each.code == "SF004"] == [(severity, True)]


@pytest.mark.parametrize(
    ("changes", "code", "pointer"),
    [
        (
            {"/steps/initial.issue/structuredGate/handoffFields": [""]},
            "SF214",
            "/steps/initial.issue/structuredGate/handoffFields/0",
        ),
        (
            {"/validators": {"v": VALIDATOR}, "/failurePatterns": {"p": PATTERN}},
            "SF004",
            "/validators/v/extractParams/x",
        ),
    ],
)
def test_what_is_empty(changes: dict[str, Any], code: str, pointer: str, lint_example: Lint) -> None:
    found = lint_example(changed(changes, base="c3l"))
    assert [(each.severity, each.pointer) for each in found if each.code == code] == [("warning", pointer)]


@pytest.mark.parametrize(
    ("given", "severities"),
    [
        ({"required": True}, ["error"]),
        ({"required": True, "from": 0}, ["error"]),
        ({"required": "F"}, ["error", "warning"]),
        ({"required": []}, ["error", "warning"]),
        ({"required": 0}, ["warning"]),
        ({"required": False}, []),
    ],
)
def test_an_input_is_required_where_javascript_reads_true(
    given: dict[str, Any], severities: list[str], lint_example: Lint
) -> None:
    registry = changed({"/steps/continuation.issue/inputs": {"plan": given}}, base="c3l")
    found = [
        each for each in lint_example(registry, LintSettings("climpt-2026-04-01")) if "/inputs/" in (each.pointer or "")
    ]
    assert sorted(each.severity for each in found) == severities
    assert all("run" in each.message for each in found if each.severity == "error")
