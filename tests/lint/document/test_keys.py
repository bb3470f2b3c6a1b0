"""SF003 to SF010: odd cases of keys, versions and formats."""

from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED, changed, whole
from stepflow_gui.lint.fixing import fix_all
from stepflow_gui.text.source import Source
from tests.lint.conftest import Lint, Open

STEP = "/steps/initial.issue"


def of(code: str, found: list[Diagnostic]) -> list[Diagnostic]:
    return [each for each in found if each.code == code]


@pytest.mark.parametrize(
    ("where", "meant"),
    [
        ("/entrySteps", None),  # entryStep is there
        (f"{STEP}/stepkind", None),
        (f"{STEP}/transition", None),
        (f"{STEP}/structuredGate/alowedIntents", None),
        (f"{STEP}/adaptaton", "adaptation"),
        (f"{STEP}/structuredGate/targetFeild", "targetField"),
        (f"{STEP}/transitions/next/falback", "fallback"),
        ("agent.json#/runner/verdict/confg", None),
        ("agent.json#/runner/loging", "logging"),
        ("agent.json#/parameters/issue/validaton", "validation"),
    ],
)
def test_a_key_that_nothing_reads(where: str, meant: str | None, lint_example: Lint) -> None:
    (found,) = of("SF005", lint_example({where: {}}))
    assert found.pointer == where.rpartition("#")[2]
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ([f'"{meant}"'] if meant else [])


@pytest.mark.parametrize(
    "where",
    [
        *(
            f"{STEP}/{key}"
            for key in ("x-note", "_comment", "$comment", "type", "inputs", "priority", "permissionMode")
        ),
        f"{STEP}/structuredGate/x-mine",
        "/stepsV3",
        "agent.json#/labels",
    ],
)
def test_keys_of_ones_own_and_those_of_other_formats(where: str, lint_example: Lint) -> None:
    assert not of("SF005", lint_example({where: {}}))


def test_a_misspelled_key_beside_a_missing_one(lint_example: Lint) -> None:
    found = lint_example({f"{STEP}/transitions": REMOVED, f"{STEP}/transition": {}})
    (unknown,) = of("SF005", found)
    assert "“transitions”" in unknown.message
    assert unknown.severity == "error"  # as bad as what follows
    assert any("has no transitions" in each.message for each in unknown.related)
    assert [fix.title for fix in unknown.fixes] == ["Write “transitions”"]
    assert not of("SF107", found)


@pytest.mark.parametrize(
    ("version", "fixed"), [("1", "1.0.0"), ("v1.2", "1.2.0"), ("1.2.3-rc.1", None), ("latest", None)]
)
def test_versions(version: str, fixed: str | None, lint_example: Lint) -> None:
    for where, severity in (("/version", "warning"), ("agent.json#/version", "error")):
        (found,) = of("SF006", lint_example({where: version}))
        assert found.severity == severity
        assert [edit.text for fix in found.fixes for edit in fix.edits] == ([f'"{fixed}"'] if fixed else [])


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("schemas/issue.schema.json", False),
        ("./none.json", True),
        ("../../none.json", True),
        ("../../../../outside.json", False),
        ("https://example.org/none.json", False),
        ("file:///none.json", False),
        ("#", False),
        ("{{ROOT}}/none.json", False),
    ],
)
def test_addresses_of_schemas(url: str, said: bool, lint_example: Lint) -> None:
    assert bool(of("SF007", lint_example({"/$schema": url}))) == said


def test_keys_of_before(lint_example: Lint) -> None:
    changes: dict[str, Any] = {
        "/completionSteps": {"closure.issue": {"stepId": "closure.issue", "completionConditions": []}},
    }
    found = of("SF009", lint_example(changes))
    assert [each.pointer for each in found] == [
        "/completionSteps",
        "/completionSteps/closure.issue/completionConditions",
    ]
    assert all(fix.safe for each in found for fix in each.fixes)
    assert not of("SF009", lint_example(changed(changes, base="complete")))


def test_a_key_by_both_names_is_not_written_over(lint_example: Lint) -> None:
    (found,) = of("SF009", lint_example({"/completionPatterns": {}, "/failurePatterns": {}}))
    assert not found.fixes


def test_a_verdict_by_its_older_name_is_one_mistake(lint_example: Lint) -> None:
    changes = {
        "agent.json#/runner/completion": {"type": "externalState", "config": {"maxIterations": 10}},
        "agent.json#/runner/verdict": REMOVED,
    }
    found = [each for each in lint_example(changes) if each.file.name == "agent.json"]
    assert [each.code for each in found] == ["SF009"]


def test_what_no_runner_reads_any_more_is_taken_away(lint_example: Lint) -> None:
    (found,) = of("SF009", lint_example({"agent.json#/runner/verdict/config/issueParam": "issue"}))
    assert found.fixes[0].safe
    assert found.fixes[0].edits[0].text == ""


def test_a_step_of_another_format_is_one_mistake(lint_example: Lint) -> None:
    check = {"prompt": {"path": "c.md"}, "onPass": {"next": "continuation.issue"}, "onFail": {"retry": True}}
    found = lint_example({f"{STEP}/structuredGate": REMOVED, f"{STEP}/transitions": REMOVED, f"{STEP}/check": check})
    assert [each.code for each in found if each.step == "initial.issue"] == ["SF010"]


def test_intents_of_another_format_are_one_mistake(lint_example: Lint) -> None:
    words = ["next", "repeat", "complete"]
    changes = {
        f"{STEP}/structuredGate/allowedIntents": words,
        "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum": words,
        f"{STEP}/transitions/complete": {"target": "closure.issue"},
    }
    found = [each for each in lint_example(changes) if each.step == "initial.issue" and each.severity == "error"]
    assert [each.code for each in found] == ["SF205"]
    assert any("complete intents" in related.message for related in found[0].related) or "complete" in found[0].message


def test_a_gate_among_checks(lint_example: Lint) -> None:
    text = """{
  "agentId": "issue-flow", "version": "1.0.0", "entryStep": "s_0001",
  "steps": {
    "s_0001": {"id": "s_0001", "name": "One", "prompt": {"path": "steps/one.md"},
      "check": {"prompt": {"path": "steps/c.md"}, "onPass": {"next": "s_0002"}, "onFail": {"retry": true}}},
    "s_0002": {"id": "s_0002", "name": "Two", "prompt": {"path": "steps/two.md"},
      "structuredGate": {"allowedIntents": ["next"]}}
  }
}
"""
    found = lint_example(whole(text))
    assert [each.step for each in of("SF010", found)] == ["s_0002"]


def test_a_byte_order_mark_is_taken_away(open_example: Open) -> None:
    agent = open_example()
    text = agent.registry.source.text
    marked = agent.with_buffers({agent.registry.path: Source(text, bom=True)})
    (found,) = of("SF003", lint(marked))
    (fix,) = found.fixes
    assert fix.safe
    assert (fix.edits, fix.unmarked) == ((), (agent.registry.path,))


@pytest.mark.parametrize("field", ["uvVariables", "usesStdin"])
def test_a_step_needs_its_variables_and_its_input(field: str, lint_example: Lint) -> None:
    found = lint_example({f"/steps/continuation.issue/{field}": REMOVED})
    (missing,) = (each for each in found if each.code == "SF004")
    severity = "error" if field == "uvVariables" else "warning"  # without it no prompt is made, nor one in its place
    assert (missing.severity, missing.pointer) == (severity, "/steps/continuation.issue")
    assert f"has no {field}" in missing.message
    assert [fix.title for fix in missing.fixes] == [f"Add “{field}”"]


_LATE = ("climpt-2026-04-01", "climpt-2026-04-08")


@pytest.mark.parametrize("runtime", [*_LATE, "climpt-2026-03-14", "climpt-2026-04-20", "guide"])
@pytest.mark.parametrize("value", [None, REMOVED])
@pytest.mark.parametrize("step", ["continuation.issue", "closure.issue"])
def test_without_variables_a_run_stops_where_no_prompt_is_made(
    step: str, value: Any, runtime: str, lint_example: Lint
) -> None:
    found = lint_example({f"/steps/{step}/uvVariables": value}, LintSettings(runtime))
    (missing,) = (each for each in found if each.code == "SF004")
    stops = runtime in (*_LATE, "climpt-2026-03-14") and step == "continuation.issue"
    assert missing.severity == ("error" if stops else "warning")
    assert ("the run stops there" in missing.message) is stops
    assert ("doesn't use the step's own prompt" in missing.message) is (runtime != "climpt-2026-04-20" and not stops)


@pytest.mark.parametrize(
    ("field", "value", "late", "newest"),
    [
        ("uvVariables", "topic", "reads each of its letters as a variable", "treats it as an empty list"),
        ("uvVariables", 5, "treats it as an empty list", "treats it as an empty list"),
        ("usesStdin", "false", "treats it as true", "treats it as false"),
        ("usesStdin", {}, "treats it as true", "treats it as false"),
        ("usesStdin", 0, "treats it as false", "treats it as false"),
    ],
)
def test_variables_and_input_of_a_wrong_type_are_described_as_each_runtime_takes_them(
    field: str, value: Any, late: str, newest: str, lint_example: Lint
) -> None:
    where = f"/steps/continuation.issue/{field}"
    for runtime, words in ((_LATE[0], late), (_LATE[1], late), ("climpt-2026-04-20", newest)):
        found = lint_example({where: value}, LintSettings(runtime))
        (wrong,) = (each for each in found if each.code == "SF004")
        assert wrong.pointer == where
        assert f"{runtime} {words}" in wrong.message
        spelt_out = value == "topic" and runtime in _LATE
        assert wrong.severity == ("error" if spelt_out else "warning")


@pytest.mark.parametrize("value", ["", 0, False, None])
@pytest.mark.parametrize("field", ["agentId", "version"])
def test_what_counts_as_missing_is_an_error(field: str, value: Any, lint_example: Lint) -> None:
    found = [each for each in lint_example({f"/{field}": value}) if each.pointer == f"/{field}"]
    assert [(each.code, each.severity) for each in found] == [("SF004", "error")]


ADDRESS = {"c1": "steps", "c2": "initial", "c3": "issue", "edition": "default"}


def test_the_parts_of_an_address_are_put_together(open_example: Open) -> None:
    parts = {f"{STEP}/{key}": ADDRESS[key] for key in ("c2", "c3")}
    agent = open_example(changed({f"{STEP}/address": REMOVED, **parts}, base="adt-kind-address"))
    found = of("SF009", lint(agent))
    assert [each.pointer for each in found] == [*parts]
    assert [fix.title for each in found for fix in each.fixes] == ["Move “c2” and “c3” into “address”"] * 2
    fixed = fix_all([agent], lint)
    assert fixed.converged
    assert fixed.agents[0].flow.steps["initial.issue"].raw["address"] == ADDRESS
    assert of("SF009", lint(fixed.agents[0])) == of("SF004", lint(fixed.agents[0])) == []


@pytest.mark.parametrize("changes", [{"/c1": REMOVED}, {f"{STEP}/c3": ""}, {f"{STEP}/c2": 5}])
def test_no_address_is_made_of_what_is_not_there(changes: dict[str, Any], open_example: Open) -> None:
    flat = {f"{STEP}/{key}": ADDRESS[key] for key in ("c2", "c3")}
    agent = open_example(changed({f"{STEP}/address": REMOVED, **flat, **changes}, base="adt-kind-address"))
    assert [fix for each in of("SF009", lint(agent)) for fix in each.fixes] == []


def test_what_older_registries_had_is_reported_in_the_newest(open_example: Open) -> None:
    older = {"/completionSteps": {}, "/userPromptsBase": "prompts", f"{STEP}/fallbackKey": "initial_issue"}
    agent = open_example(changed(older, base="adt-kind-address"))
    found = [each for each in lint(agent) if each.code in {"SF009", "SF504"}]
    assert {each.pointer for each in found} == {*older}
    (fixed,) = fix_all([agent], lint).agents
    assert [each for each in lint(fixed) if each.code in {"SF009", "SF504"}] == []
