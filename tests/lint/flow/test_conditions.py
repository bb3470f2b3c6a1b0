"""SF312 to SF315 and SF320: conditional transitions, the key they decide by and its values."""

from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.examples.example import Example, changed
from stepflow_gui.lint.rules.flow.example_steps import deciding
from tests.lint.conftest import Lint

from .example import of, pointers, with_changes

NEXT = "/steps/initial.issue/transitions/next"
GATE = "/steps/initial.issue/structuredGate"
ON = "continuation.issue"
CONDITIONS = {"SF312", "SF313", "SF314", "SF315", "SF320"}


def choice(cases: dict[str, str | None], values: list[Any] | None = None, /, **changes: Any) -> Example:
    return changed({**deciding(cases, values), **changes})


def said(found: list[Diagnostic]) -> list[tuple[str, str, str | None]]:
    return [(each.code, each.severity, each.pointer) for each in found if each.code in CONDITIONS]


@pytest.mark.parametrize(
    ("cases", "values", "found"),
    [
        ({"ready": ON, "default": ON}, None, []),
        ({"ready": ON}, None, ["SF312"]),
        ({"ready": ON}, ["ready"], []),  # every answer has it
        ({"ready": ON}, ["ready", "waiting"], ["SF314"]),
        ({"ready": ON, "default": ON}, ["ready", "waiting"], []),
        ({"ready": ON, "waiting": ON, "default": ON}, ["ready"], ["SF314"]),
        ({"{{CASE}}": ON, "default": ON}, ["ready"], []),
    ],
)
def test_what_no_case_is_for(
    cases: dict[str, str | None], values: list[str] | None, found: list[str], lint_example: Lint
) -> None:
    assert [each[0] for each in said(lint_example(choice(cases, values)))] == found


def test_a_value_that_may_be_missing_needs_a_default_as_well(lint_example: Lint) -> None:
    example = choice({"ready": ON}, ["ready"], **{"issue.schema.json#/initial.issue/required": ["next_action"]})
    (found,) = of("SF312", lint_example(example))
    assert found.pointer == f"{NEXT}/targets"
    assert "climpt-2026-03-14 ends the run silently" in found.message
    assert [fix.edits[0].text.strip(" ,\n") for fix in found.fixes] == ['"default": "initial.issue"']
    (newer,) = of("SF312", lint_example(example, LintSettings("climpt-2026-04-20")))
    assert "climpt-2026-04-20 stops with an error" in newer.message
    (guided,) = of("SF312", lint_example(example, LintSettings("guide")))
    assert "the guide ends the run silently" in guided.message


def test_a_case_that_is_misspelt_is_shown_with_the_values_of_the_schema(lint_example: Lint) -> None:
    (found,) = of("SF314", lint_example(choice({"reddy": ON, "default": ON}, ["ready", "waiting"])))
    assert found.pointer == f"{NEXT}/targets/reddy"
    assert found.message.endswith("Did you mean “ready”?")
    assert [each.pointer for each in found.related] == ["/initial.issue/properties/status"]
    assert [fix.title for fix in found.fixes] == ["Write “ready”", "Remove “reddy”"]


@pytest.mark.parametrize(("values", "case"), [([True, False], "true"), ([1, 2], "1"), ([None, "a"], "a")])
def test_values_that_are_no_text_are_compared_as_the_runner_does(
    values: list[Any], case: str, lint_example: Lint
) -> None:
    assert said(lint_example(choice({case: ON, "default": ON}, values))) == []


@pytest.mark.parametrize("default", [{}, {"default": ON}])
def test_a_key_that_isnt_handed_off(default: dict[str, str], lint_example: Lint) -> None:
    cases: dict[str, str | None] = {"ready": ON, **default}
    example = choice(cases, **{f"{NEXT}/condition": "stauts", f"{GATE}/handoffFields": ["a.b.status"]})
    found = of("SF313", lint_example(example))
    assert [(each.severity, each.pointer) for each in found] == [("warning", f"{NEXT}/condition")]
    assert [fix.title for fix in found[0].fixes] == ["Write “status”"]
    assert ("is always taken" if default else "never goes anywhere") in found[0].message


def test_a_field_of_that_name_can_be_handed_off(lint_example: Lint) -> None:
    example = choice({"ready": ON, "default": ON}, ["ready"], **{f"{GATE}/handoffFields": ["next_action"]})
    (found,) = of("SF313", lint_example(example))
    assert [fix.title for fix in found.fixes] == ["Hand off “status”"]


@pytest.mark.parametrize(
    ("runtime", "severity", "word"),
    [
        (None, "error", "climpt-2026-03-14 reads only a target there: it ends the run silently"),
        ("climpt-2026-04-20", "error", "climpt-2026-04-20 reads only a target there: the run stops with an error"),
        ("guide", "info", "as the guide allows"),
    ],
)
def test_a_handoff_reads_no_condition(runtime: str | None, severity: str, word: str, lint_example: Lint) -> None:
    handoff = "/steps/continuation.issue/transitions/handoff"
    rule = {"condition": "status", "targets": {"default": "closure.issue"}}
    found = lint_example({handoff: rule}, LintSettings(runtime))
    assert [(each.severity, each.pointer) for each in of("SF315", found)] == [(severity, f"{handoff}/condition")]
    assert word in of("SF315", found)[0].message
    (beside,) = of("SF315", lint_example({handoff: {**rule, "target": "closure.issue"}}, LintSettings(runtime)))
    assert (beside.severity, beside.pointer) == ("warning", f"{handoff}/targets")


@pytest.mark.parametrize("target", ["continuation.issue", "", None])
def test_a_target_beside_cases_wins(target: str | None, lint_example: Lint) -> None:
    rule = {"target": target, "condition": "status", "targets": {"ready": "closure.issue"}}
    (found,) = of("SF315", lint_example({"/steps/initial.issue/transitions/next": rule}))
    assert (found.severity, found.pointer) == ("warning", "/steps/initial.issue/transitions/next/targets")
    assert "never read" in found.message
    assert [fix.title for fix in found.fixes] == ["Remove the condition with its cases", "Remove the target"]


@pytest.mark.parametrize("targets", [{}, {"default": ""}, {"ready": "", "default": ""}])
def test_a_condition_without_targets(targets: dict[str, str], lint_example: Lint) -> None:
    rule = {"condition": "status", "targets": targets}
    found = lint_example({"/steps/initial.issue/transitions/next": rule})
    assert [(each.code, each.severity, each.pointer) for each in found if each.severity == "error"] == [
        ("SF004", "error", "/steps/initial.issue/transitions/next/targets")
    ]


@pytest.mark.parametrize(
    ("cases", "runtime", "severity", "word"),
    [
        ({"a": None, "default": ON}, None, "warning", "uses “default” instead"),
        ({"a": ON, "default": None}, None, "warning", "climpt-2026-03-14 ends the run there silently"),
        ({"a": ON, "default": None}, "climpt-2026-04-20", "warning", "stops the run there with an error"),
        ({"a": None, "default": ON}, "guide", "info", "the guide ends the run there"),
        ({"a": "", "default": ON}, "guide", "warning", "the guide uses “default” instead"),
        ({"a": "", "default": ON}, "climpt-2026-04-20", "warning", "uses “default” instead"),
        ({"a": ON, "default": ""}, "climpt-2026-04-20", "warning", "is empty: climpt-2026-04-20 stops the run"),
        ({"a": ON, "default": ""}, None, "warning", "is empty: climpt-2026-03-14 ends the run there silently"),
    ],
)
def test_a_case_that_is_null(
    cases: dict[str, str | None], runtime: str | None, severity: str, word: str, lint_example: Lint
) -> None:
    (found,) = of("SF320", lint_example(choice(cases), LintSettings(runtime)))
    assert found.severity == severity
    assert word in found.message


def test_what_is_never_taken_or_read_is_left_alone(lint_example: Lint) -> None:
    rule = {"condition": "gone", "targets": {"a": None}}
    dead = with_changes(choice({"a": None}), {f"{GATE}/allowedIntents": ["repeat"]})
    assert said(lint_example(dead)) == []
    assert said(lint_example({"/steps/initial.issue/transitions/repeat": rule})) == []


def test_in_the_older_format_conditions_are_the_same(lint_example: Lint) -> None:
    found = lint_example(changed(deciding({"ready": ON}), base="complete"))
    assert pointers("SF312", found) == [("warning", f"{NEXT}/targets")]


NAMED = {"type": "string", "minLength": 1}


@pytest.mark.parametrize(
    ("target", "requires", "found"),
    [
        (None, ["next_action"], ["SF312"]),
        (NAMED, ["next_action"], ["SF312"]),  # an answer may leave it out
        (NAMED, ["next_action", "to"], []),
        ({"enum": ["continuation.issue"]}, ["next_action", "to"], []),
        ({"enum": ["continuation.issue", ""]}, ["next_action", "to"], ["SF312"]),
        ({"type": ["string", "null"]}, ["next_action", "to"], ["SF312"]),
    ],
)
def test_a_jump_whose_answers_name_the_step_reads_no_condition(
    target: dict[str, Any] | None, requires: list[str], found: list[str], lint_example: Lint
) -> None:
    schema = deciding({}, None)["issue.schema.json#/initial.issue"]
    schema["properties"]["next_action"]["properties"]["action"]["enum"] = ["next", "repeat", "jump"]
    schema["properties"] |= {"to": target} if target else {}
    example = changed(
        {
            f"{GATE}/allowedIntents": ["next", "repeat", "jump"],
            f"{GATE}/targetField": "to",
            f"{GATE}/handoffFields": ["status"],
            "/steps/initial.issue/transitions/jump": {"condition": "status", "targets": {"ready": ON}},
            "issue.schema.json#/initial.issue": {**schema, "required": [*requires, "status"]},
        }
    )
    assert [each[0] for each in said(lint_example(example))] == found


@pytest.mark.parametrize(
    ("cases", "found"),
    [({"true": ON, "false": ON}, []), ({"true": ON}, ["SF314"]), ({"true": ON, "yes": ON, "default": ON}, ["SF314"])],
)
def test_a_boolean_has_two_values(cases: dict[str, str | None], found: list[str], lint_example: Lint) -> None:
    boolean = {"issue.schema.json#/initial.issue/properties/status": {"type": "boolean"}}
    assert [each[0] for each in said(lint_example(choice(cases, None, **boolean)))] == found


@pytest.mark.parametrize("rules", [{}, {"handoffFields": []}])
def test_a_section_decides_nothing(rules: dict[str, Any], lint_example: Lint) -> None:
    """SF108 says that no run comes there."""
    section = deciding({"ready": ON})["/steps/initial.issue/transitions/next"]
    example = changed(
        {
            "/steps/section.issue": {
                "stepId": "section.issue",
                "name": "Section",
                "c2": "section",
                "c3": "issue",
                "edition": "default",
                "uvVariables": [],
                "usesStdin": False,
                "structuredGate": {"allowedIntents": ["next"], "intentField": "next_action.action", **rules},
                "transitions": {"next": section},
            }
        }
    )
    found = lint_example(example)
    assert "SF108" in {each.code for each in found}
    assert said(found) == []
