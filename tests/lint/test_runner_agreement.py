"""What the linter says of a runner where a value is falsy or of another type, and what its fixes then write."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED, Base, changed
from stepflow_gui.lint.rules.validators.example_checks import addressed
from tests.lint.conftest import Lint, Open

NEWEST, EARLY, ADDRESSED, CHECKED = "climpt-2026-04-20", "climpt-2026-03-14", "climpt-1.14", "climpt-2026-01-09"
FIRST, CLOSURE = "/steps/initial.issue", "/steps/closure.issue"
VERDICT = "agent.json#/runner/verdict"
PROMPT = "prompts/steps/initial/issue/f_default.md"


def codes(found: list[Diagnostic], *wanted: str) -> list[tuple[str, str]]:
    return [(each.code, each.severity) for each in found if each.code in wanted or not wanted]


def written(found: list[Diagnostic], code: str) -> str:
    """What the first fix of the finding writes."""
    finding = next(each for each in found if each.code == code)
    return "".join(edit.text for edit in finding.fixes[0].edits)


@pytest.mark.parametrize("runtime", [None, "guide", EARLY, NEWEST])
@pytest.mark.parametrize("config", [{"registryPath": "none.json"}, {}])
def test_an_entry_for_detect_graph_is_written_where_it_is_read(
    config: Mapping[str, Any], runtime: str | None, lint_example: Lint
) -> None:
    entries = {"/entryStep": REMOVED, "/entryStepMapping": {"poll:state": "initial.issue"}}
    found = lint_example(
        changed({**entries, VERDICT: {"type": "detect:graph", "config": {**config, "maxIterations": 9}}}),
        LintSettings(runtime),
    )
    assert codes(found, "SF404") == [("SF404", "error")]
    assert '"entryStep": "initial.issue"' in written(found, "SF404")


@pytest.mark.parametrize("own", [5, [], True, {}])
def test_an_entry_of_detect_graph_that_is_no_text_is_none(own: Any, lint_example: Lint) -> None:
    entries = {"/entryStep": REMOVED, "/entryStepMapping": {"detect:graph": "initial.issue"}}
    verdict = {"type": "detect:graph", "config": {"entryStep": own, "maxIterations": 9}}
    found = lint_example(changed({**entries, VERDICT: verdict}, base="c3l"), LintSettings(NEWEST))
    assert codes(found, "SF404", "SF803") == [("SF803", "warning"), ("SF404", "error")]


def test_a_pair_of_steps_is_written_where_climpt_1_14_has_no_entry(lint_example: Lint) -> None:
    found = lint_example(changed({"/entryStepMapping": REMOVED}, base="adt-kind-address"), LintSettings(ADDRESSED))
    text = written(found, "SF401")
    assert '"entryStepMapping"' in text
    assert '"initial": "initial.issue"' in text
    assert '"continuation": "continuation.issue"' in text


def test_a_mapping_of_another_type_has_no_pair_of_steps(open_example: Open) -> None:
    agent = open_example(changed({"/entryStepMapping": ["x"], "/entryStep": "initial.issue"}, base="adt-kind-address"))
    found = lint(agent, LintSettings(ADDRESSED))
    assert codes(found) == [("SF004", "error")]
    pair = {"initial": "initial.issue", "continuation": "continuation.issue"}
    assert json.loads(written(found, "SF004")) == {"poll:state": pair}


@pytest.mark.parametrize(
    ("pointer", "fix"),
    [
        (f"{FIRST}/transitions/next/target", '"continuation.issue"'),
        (f"{FIRST}/transitions/repeat/target", '"initial.issue"'),
        (f"{CLOSURE}/transitions/closing/target", "null"),
    ],
)
def test_climpt_1_14_looks_for_the_step_of_an_empty_target(pointer: str, fix: str, lint_example: Lint) -> None:
    (found,) = lint_example(changed({pointer: ""}, base="adt-kind-address"), LintSettings(ADDRESSED))
    assert (found.code, found.severity, found.pointer) == ("SF004", "error", pointer)
    assert found.message.endswith("is empty: climpt-1.14 refuses to start the agent")
    assert fix in written([found], "SF004")


@pytest.mark.parametrize("runtime", ["guide", "climpt-2026-01-18"])
def test_an_empty_target_with_a_default_is_a_warning_beside_complete_steps(runtime: str, lint_example: Lint) -> None:
    (found,) = lint_example(changed({f"{FIRST}/transitions/next/target": ""}, base="complete"), LintSettings(runtime))
    assert (found.code, found.severity) == ("SF004", "warning")
    assert found.message.endswith("climpt-2026-01-18 goes on to “continuation.issue” by default")


@pytest.mark.parametrize(
    ("chain", "expected"),
    [
        ("ab", [("SF231", "warning")]),
        ("a/b", [("SF231", "error")]),
        ("", [("SF231", "warning"), ("SF232", "warning")]),
        (5, [("SF231", "error")]),
        (False, [("SF231", "error")]),
        ({}, [("SF231", "error")]),
        (None, [("SF230", "info")]),
    ],
)
def test_a_chain_that_is_not_a_list(chain: Any, expected: list[tuple[str, str]], lint_example: Lint) -> None:
    found = lint_example(changed({f"{FIRST}/adaptationChain": chain}, base="adt-kind-address"), LintSettings(ADDRESSED))
    assert codes(found, "SF230", "SF231", "SF232") == expected


@pytest.mark.parametrize("base", ["closing", "c3l", "adt-kind-address"])
def test_no_loader_takes_a_gate_that_allows_nothing_of_what_its_schema_offers(base: Base, lint_example: Lint) -> None:
    changes: dict[str, Any] = {f"{FIRST}/structuredGate/allowedIntents": []}
    found = lint_example(changed(changes, base=base))
    assert codes(found, "SF219", "SF232") == [("SF219", "error")]
    assert "refuse" in found[0].message
    offered = "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum"
    found = lint_example(changed({**changes, offered: []}, base=base))
    assert [each.message for each in found if each.code == "SF219"] == [
        "“initial.issue” allows no intent: no answer can pass its gate, and the run stops there"
    ]


@pytest.mark.parametrize(("key", "value"), [("/c1", ""), (f"{FIRST}/edition", ""), (f"{FIRST}/edition", 5)])
def test_prompts_of_steps_without_an_edition_or_a_c1_are_used(key: str, value: Any, lint_example: Lint) -> None:
    assert codes(lint_example(changed({key: value}, base="c3l")), "SF506", "SF513") == []


@pytest.mark.parametrize(("runtime", "lacks"), [("guide", False), (EARLY, True), (NEWEST, True)])
def test_only_the_guide_looks_into_the_folder_for_missing_prompts(
    runtime: str, lacks: bool, lint_example: Lint
) -> None:
    moved = changed(
        {"agent.json#/runner/flow/prompts/fallbackDir": "spare", f"{FIRST}/fallbackKey": REMOVED},
        texts={PROMPT: REMOVED, PROMPT.replace("prompts/", "spare/", 1): "Issue {uv-issue}\n"},
    )
    found = lint_example(moved, LintSettings(runtime))
    assert codes(found, "SF506") == ([("SF506", "error")] if lacks else [])


@pytest.mark.parametrize("value", [0, "", []])
def test_a_limit_that_may_be_left_out_is_not_called_needed(value: Any, lint_example: Lint) -> None:
    (found,) = lint_example({f"{VERDICT}/config/maxIterations": value})
    assert (found.code, found.severity) == ("SF803", "warning")
    assert "must be" in found.message


@pytest.mark.parametrize(
    ("pointer", "value", "code", "name"),
    [
        ("/behavior/completionType", "", "SF801", "behavior.completionType"),
        ("/behavior/systemPromptPath", "", "SF801", "behavior.systemPromptPath"),
        ("/prompts/registry", "", "SF801", "prompts.registry"),
        ("/behavior/allowedTools", 5, "SF004", "behavior.allowedTools"),
        ("/behavior", 0, "SF004", "behavior"),
        ("/behavior", "x", "SF004", "behavior"),
    ],
)
def test_the_flat_layout_is_named_as_it_is_written(
    pointer: str, value: Any, code: str, name: str, open_example: Open
) -> None:
    flat: dict[str, Any] = {
        "name": "issue-flow",
        "version": "1.0.0",
        "displayName": "D",
        "description": "d",
        "parameters": {},
        "behavior": {"systemPromptPath": "prompts/system.md", "completionType": "issue", "allowedTools": ["Read"]},
        "prompts": {"registry": "steps_registry.json", "fallbackDir": "prompts"},
    }
    holder, *rest = pointer[1:].split("/")
    if rest:
        flat[holder] = {**flat[holder], rest[0]: value}
    else:
        flat[holder] = value
    agent = open_example(changed({}, base="complete", texts={"agent.json": json.dumps(flat)}))
    found = [each for each in lint(agent, LintSettings("climpt-2026-01-18")) if f"“{name}”" in each.message]
    assert [(each.code, each.severity, each.pointer) for each in found] == [(code, "warning", pointer)]


def test_a_version_that_checks_no_agent_file_is_not_said_to_refuse_one(lint_example: Lint) -> None:
    found = lint_example({"agent.json#/displayName": REMOVED}, LintSettings("climpt-2026-01-18"))
    said = next(each.message for each in found if each.code == "SF801")
    assert said.endswith(f"{EARLY}, the first version that checks agent.json, refuses to start the agent")


@pytest.mark.parametrize(
    ("base", "pointer", "value", "outcome"),
    [
        ("c3l", f"{FIRST}/transitions", "x", f"{NEWEST} treats it as empty"),
        ("c3l", f"{CLOSURE}/structuredGate", "x", f"{NEWEST} refuses to load the registry"),
        ("c3l", f"{FIRST}/transitions/next", {"condition": "s", "targets": "x"}, f"{NEWEST} stops the run there"),
        ("c3l", f"{FIRST}/transitions/next", {"condition": 5, "targets": {"a": None}}, f"{NEWEST} stops the run there"),
        (
            "c3l",
            f"{FIRST}/transitions/next",
            {"condition": 5, "targets": {"default": "continuation.issue"}},
            f"{NEWEST} uses “default” instead",
        ),
        ("checks", "/steps/s_a8f3/check/onPass/next", 5, "a run that gets there stops with an error"),
        ("checks", "/steps/s_a8f3/check/onPass/next", ["s_b2c1"], "“next” of “s_a8f3” must be a string but is a list"),
        ("checks", "/steps/s_a8f3/check/onPass/next", ["x"], "a run that gets there stops with an error"),
        ("checks", "/steps/s_a8f3/check/onPass/next", 0, f"{CHECKED} treats it as missing"),
    ],
)
def test_outcomes_of_wrong_types(base: Base, pointer: str, value: Any, outcome: str, lint_example: Lint) -> None:
    found = lint_example(changed({pointer: value}, base=base))
    assert any(outcome in each.message for each in found if each.code == "SF004")


def test_retries_are_counted_only_where_there_are_some(lint_example: Lint) -> None:
    outcome = "/steps/s_a8f3/check/onFail"
    assert codes(lint_example(changed({outcome: {"retry": True, "maxRetries": 2}}, base="checks")), "SF910")
    assert not codes(lint_example(changed({outcome: {"retry": "yes", "maxRetries": 2}}, base="checks")), "SF910")


_CHECKING = {
    "stepId": "verification.issue",
    "name": "Verification",
    "stepKind": "verification",
    "c2": "verification",
    "c3": "issue",
    "edition": "default",
    "uvVariables": [],
    "usesStdin": False,
    "outputSchemaRef": {"file": "issue.schema.json", "schema": "verification.issue"},
    "structuredGate": {
        "allowedIntents": ["next"],
        "intentSchemaRef": "#/properties/next_action/properties/action",
        "intentField": "next_action.action",
    },
    "transitions": {"next": {"target": "closure.issue"}},
}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"/entryStepMapping": REMOVED}, "continuation.iteration"),
        ({}, "the handler gives no “issue”"),
        ({"/steps/continuation.issue/uvVariables": []}, None),
        ({"/steps/continuation.issue/uvVariables": ["max_iterations", "iteration"]}, None),
    ],
)
def test_the_oldest_loop_shows_a_verification_step_the_prompt_of_its_verdict(
    changes: dict[str, Any], why: str | None, lint_example: Lint
) -> None:
    """Whatever the step's own is."""
    enum = {"properties": {"next_action": {"properties": {"action": {"enum": ["next"]}}}}}
    found = lint_example(
        changed(
            {
                "/steps/verification.issue": _CHECKING,
                "issue.schema.json#/verification.issue": enum,
                "/entryStepMapping": {"count:iteration": "initial.issue"},
                "/entryStep": "initial.issue",
                VERDICT: {"type": "count:iteration", "config": {"maxIterations": 9}},
                **changes,
            },
            base="c3l",
            texts={
                "prompts/steps/verification/issue/f_default.md": "Check\n",
                "prompts/steps/continuation/issue/f_default.md": "Go on\n",
            },
        ),
        LintSettings(EARLY),
    )
    said = [each for each in found if each.code == "SF506"]
    assert [each.severity for each in said] == (["error"] if why else [])
    assert all(why in each.message for each in said if why)


def test_a_mapping_in_a_registry_with_checks_is_not_read(lint_example: Lint) -> None:
    found = lint_example(changed({"/entryStepMapping": {"iterate": "nowhere"}}, base="checks"))
    assert codes(found, "SF402") == [("SF402", "warning")]


@pytest.mark.parametrize(("conditions", "severity"), [("postLLMConditions", "error"), ("validationConditions", None)])
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"/validators/git-clean/extractParams": REMOVED}, "SF615"),
        ({"/validators/git-clean/successWhen": "exit 0"}, "SF603"),
        ({"/validators/git-clean/type": 5}, "SF004"),
    ],
)
def test_what_is_wrong_with_a_validator_counts_in_the_lists_that_are_read(
    change: dict[str, Any], code: str, conditions: str, severity: str | None, lint_example: Lint
) -> None:
    lists = {"postLLMConditions": [], conditions: [{"validator": "git-clean"}]}
    changes = {f"/validationSteps/closure.polling/{name}": value for name, value in lists.items()}
    found = lint_example(addressed({**changes, **change}), LintSettings(ADDRESSED))
    errors = [each for each in codes(found, code) if each[1] == "error"]
    assert errors == ([(code, severity)] if severity else [])
    assert severity or code != "SF615" or codes(found, "SF615") == []
