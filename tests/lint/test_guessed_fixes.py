"""Fixes that only their author can choose: a meaning would be invented, or changed with nothing that tells it."""

from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.examples.example import changed
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.validators.example_checks import checked
from tests.lint.conftest import Lint


@pytest.mark.parametrize(
    ("code", "changes", "base"),
    [
        ("SF910", {"/steps/s_a8f3/check/onFail": {"retry": True, "maxRetries": 2}}, "checks"),
        ("SF206", {"/steps/closure.issue/stepKind": "work"}, "closing"),
    ],
)
def test_a_fix_that_changes_the_flow_is_a_guess(
    code: str, changes: dict[str, Any], base: Any, lint_example: Lint
) -> None:
    found = [each for each in lint_example(changed(changes, base=base), LintSettings("guide")) if each.code == code]
    assert found
    fixes = [fix for each in found for fix in each.fixes]
    assert fixes
    assert all(fix.guess for fix in fixes)


def test_a_kind_that_only_allows_too_little_is_fixed_as_before(lint_example: Lint) -> None:
    path = "/steps/initial.issue/structuredGate/allowedIntents"
    found = [each for each in lint_example(changed({path: ["next", "repeat", "closing"]})) if each.code == "SF206"]
    assert any(not fix.guess for each in found for fix in each.fixes)


@pytest.mark.parametrize(("target", "guess"), [("closure.issue", True), (None, False)])
def test_an_edge_to_another_step_goes_by_choice_alone(target: str | None, guess: bool, lint_example: Lint) -> None:
    step = "/steps/initial.issue"
    changes = {
        f"{step}/structuredGate/allowedIntents": ["next", "repeat", "closing"],
        f"{step}/transitions/closing": {"target": target},
        "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum": ["next", "repeat"],
    }
    found = [each for each in lint_example(changed(changes)) if each.code == "SF206"]
    removals = [fix for each in found for fix in each.fixes if "handoff" not in fix.title]
    assert removals
    assert {fix.guess for fix in removals} == {guess}


@pytest.mark.parametrize(
    ("mode", "title"),
    [("", "Add “edit: false” to “plan”"), ("    permission_mode: edit\n", "Add “edit: true” to “plan”")],
)
def test_whether_a_movement_may_edit_is_its_author_s_choice(mode: str, title: str, lint_example: Lint) -> None:
    texts = piece(("    persona: planner\n    edit: false\n", f"    persona: planner\n{mode}"))
    (found,) = (each for each in lint_example(texts, LintSettings("takt-0.11")) if each.code == "T024")
    assert [(fix.title, fix.guess) for fix in found.fixes] == [(title, True)]


def test_a_merge_key_is_removed_by_choice_alone(lint_example: Lint) -> None:
    texts = piece(("    persona: planner\n    edit: false\n", "    persona: planner\n    <<: {edit: false}\n"))
    found = [each for each in lint_example(texts) if each.code == "T025" and "<<" in each.message]
    assert [fix.guess for each in found for fix in each.fixes] == [True]


@pytest.mark.parametrize(
    ("runtime", "kind", "severity", "words"),
    [
        ("climpt-2026-04-20", "comand", "error", "not one of command, file, custom, semantic: climpt-2026-04-20 stops"),
        ("climpt-2026-04-01", "comand", "error", "not one of command, file, custom: climpt-2026-04-01 stops"),
        ("climpt-2026-04-20", "semantic", None, ""),
        ("climpt-2026-04-08", "semantic", None, ""),
        (
            "climpt-2026-04-01",
            "semantic",
            "error",
            "is “semantic”, not one of command, file, custom: climpt-2026-04-01 stops",
        ),
        (
            "climpt-2026-03-14",
            "semantic",
            "error",
            "is “semantic”, not one of command, file, custom: climpt-2026-03-14 stops",
        ),
    ],
)
def test_the_type_of_a_validator_that_runs_is_one_of_its_version(
    runtime: str, kind: str, severity: str | None, words: str, lint_example: Lint
) -> None:
    files = checked({"/validators/git-clean/type": kind})
    found = [each for each in lint_example(files, LintSettings(runtime)) if each.code == "SF004"]
    assert [each.severity for each in found] == ([severity] if severity else [])
    assert all(words in each.message for each in found)
