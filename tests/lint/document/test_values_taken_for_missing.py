"""Values that count as missing, and those that only look like it, as each runtime takes them."""

import json
from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.examples.agent import files_of
from stepflow_gui.lint.examples.example import changed, whole
from stepflow_gui.lint.rules.validators.example_checks import addressed
from stepflow_gui.text.edit import TextEdit, apply
from tests.lint.conftest import Lint

STEP = "/steps/initial.issue"


@pytest.mark.parametrize(
    ("place", "field"),
    [
        (f"{STEP}/structuredGate/handoffFields", "handoffFields"),
        (f"{STEP}/structuredGate/allowedIntents", "allowedIntents"),
        (f"{STEP}/uvVariables", "uvVariables"),
    ],
)
def test_an_item_of_the_registry(place: str, field: str, lint_example: Lint) -> None:
    items: Any = json.loads(files_of(changed())["steps_registry.json"])
    for key in place.split("/")[1:]:
        items = items.get(key) or []
    found = lint_example(changed({place: [*items, None]}))
    (said,) = [each for each in found if each.code == "SF004"]
    assert f"“{field}” of “initial.issue” must be a string but is null" in said.message
    assert said.pointer == f"{place}/{len(items)}"
    assert said.severity == "warning"


def test_an_item_of_agent_json(lint_example: Lint) -> None:
    agent = json.loads(files_of(changed())["agent.json"])
    agent["runner"]["boundaries"] = {"allowedTools": ["Read", None]}
    found = lint_example(whole(json.dumps(agent), "agent.json"))
    assert [each.pointer for each in found if each.code == "SF004"] == ["/runner/boundaries/allowedTools/1"]


def test_a_type_that_no_parameter_has(lint_example: Lint) -> None:
    agent = json.loads(files_of(changed())["agent.json"])
    agent["parameters"] = {"issue": {"type": "nmber", "description": "d", "cli": "--issue"}}
    (found,) = [each for each in lint_example(whole(json.dumps(agent), "agent.json")) if each.code == "SF004"]
    assert "“type” of “issue” is “nmber”" in found.message
    assert "Did you mean “number”?" in found.message
    assert found.severity == "warning"


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)


def test_a_step_kind_of_null_is_none(lint_example: Lint) -> None:
    example = changed({f"{STEP}/stepKind": None})
    (found,) = [each for each in lint_example(example, LintSettings("climpt-2026-04-20")) if each.code == "SF104"]
    (fix,) = found.fixes
    text = files_of(example)["steps_registry.json"]
    text = apply(text, [TextEdit(each.range.start.offset, each.range.end.offset, each.text) for each in fix.edits])
    assert json.loads(text, object_pairs_hook=_each_key_once)["steps"]["initial.issue"]["stepKind"] == "work"


@pytest.mark.parametrize(("runtime", "severity"), [("climpt-2026-01-18", "warning"), ("climpt-2026-04-20", "error")])
def test_what_only_later_versions_refuse_is_a_warning(runtime: str, severity: str, lint_example: Lint) -> None:
    for value, code in (("", "SF004"), ("other", "SF808")):
        found = lint_example(changed({"/agentId": value}), LintSettings(runtime))
        assert [each.severity for each in found if each.code == code and each.pointer == "/agentId"] == [severity]


def test_an_empty_part_of_the_retry_prompts_path(lint_example: Lint) -> None:
    place = "/validationSteps/closure.polling/c2"
    (found,) = [each for each in lint_example(addressed({place: ""})) if each.code == "SF614"]
    (fix,) = found.fixes
    text = files_of(addressed({place: ""}))["steps_registry.json"]
    text = apply(text, [TextEdit(each.range.start.offset, each.range.end.offset, each.text) for each in fix.edits])
    assert json.loads(text)["validationSteps"]["closure.polling"]["c2"]
