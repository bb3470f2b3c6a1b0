"""SF6: what the rules about validators and failure patterns report in odd cases, and where they stay silent."""

from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.examples.example import REMOVED, Base, Moved
from stepflow_gui.lint.rules.validators.example_checks import RETRY_PROMPT, checked
from stepflow_gui.lint.rules.validators.sf603_success_when_form import fault_of, meant_by
from tests.lint.conftest import Lint

STEP = "/validationSteps/closure.polling"
VALIDATOR = "/validators/git-clean"
PATTERN = "/failurePatterns/git-dirty"
TYPE = "agent.json#/runner/verdict/type"


def said(found: list[Diagnostic], *codes: str) -> list[tuple[str, str, str | None]]:
    return [(each.code, each.severity, each.pointer) for each in found if each.code in codes]


def moved(key: str) -> dict[str, Any]:
    """The validation step under another key."""
    return {f"/validationSteps/{key}": Moved(STEP), f"/validationSteps/{key}/stepId": key}


# SF601 to SF603


@pytest.mark.parametrize(
    ("base", "runtime", "key", "severity"),
    [
        ("closing", None, "closure.polling", "warning"),
        ("closing", "climpt-2026-04-08", "closure.polling", "warning"),
        ("closing", "climpt-2026-04-20", "closure.polling", "error"),
        ("c3l", None, "closure.polling", "error"),
        ("c3l", None, "closure.issue", "warning"),  # never run by climpt
        ("c3l", "guide", "closure.issue", "error"),  # run by the guide
        ("complete", None, "closure.polling", "warning"),
    ],
)
def test_a_validator_that_is_not_there(
    base: Base, runtime: str | None, key: str, severity: str, lint_example: Lint
) -> None:
    where = f"/validationSteps/{key}/validationConditions"
    changes = (moved(key) if key != "closure.polling" else {}) | {where: [{"validator": "nope"}]}
    found = lint_example(checked(changes, base=base), LintSettings(runtime))
    assert said(found, "SF601") == [("SF601", severity, f"{where}/0/validator")]


@pytest.mark.parametrize("conditions", ["completionConditions", "preflightConditions", "postLLMConditions"])
def test_every_list_of_conditions_is_looked_at(conditions: str, lint_example: Lint) -> None:
    found = lint_example(checked({f"{STEP}/{conditions}": [{"validator": "nope"}, {"validator": "{{X}}"}, 7, {}]}))
    assert said(found, "SF601") == [("SF601", "warning", f"{STEP}/{conditions}/0/validator")]


def test_the_names_of_before_are_read_as_well(lint_example: Lint) -> None:
    changes = {
        "/completionSteps": Moved("/validationSteps"),
        "/completionPatterns": Moved("/failurePatterns"),
        "/completionSteps/closure.polling/completionConditions": Moved(
            "/completionSteps/closure.polling/validationConditions"
        ),
    }
    assert said(lint_example(checked(changes)), "SF601", "SF602", "SF604", "SF605", "SF606", "SF611") == []
    gone = changes | {"/completionPatterns/git-dirty": REMOVED}
    assert said(lint_example(checked(gone)), "SF602") == [("SF602", "warning", f"{VALIDATOR}/failurePattern")]


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("empty", None),
        ("exitCode:0", None),
        ("exitCode: 1", None),
        ("exitCode:-1", None),
        ("exitCode:0abc", None),
        ("exitCode:", "number"),
        ("exitCode:zero", "number"),
        ("exitCode", "form"),
        ("exit:0", "form"),
        ("Empty", "form"),
        (" empty", "form"),
        ("empty:", "form"),
        ("non-empty", "form"),
        ("", "form"),
        ("contains:", None),
        ("contains:a:b", None),
        ("contains", "form"),
        ("matches:^ok$", None),
        ("matches:", None),
        ("matches:(", "regex"),
        ("matches:)", "regex"),
        ("matches:*a", "regex"),
        ("matches:(?i)ok", "regex"),
        ("matches:(?<word>a)", None),
        ("matches:(?<=a+)b", None),  # JavaScript looks back any length, Python doesn't
        ("matches:[]", None),  # a class that is empty in JavaScript
        ("matches:[^]", None),
        ("matches:a{", None),
        ("matches:\\", "regex"),
        ("matches:(?P<word>a)", "regex"),  # Python's named group
        ("matches:[[a]", None),  # a set may hold a bracket
        ("matches:[a||b]", None),
    ],
)
def test_forms_of_success(value: str, fault: str | None) -> None:
    assert fault_of(value) == fault


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("Empty", "empty"),
        ("non-empty", r"matches:\S"),
        ("not_empty", r"matches:\S"),
        ("exitcode:2", "exitCode:2"),
        ("exit 0", "exitCode:0"),
        ("0", "exitCode:0"),
        ("exit code", "exitCode:0"),
        ("Contains:a:b", "contains:a:b"),
        ("regex:^a", "matches:^a"),
        ("success", "exitCode:0"),
        ("whatever", None),
        ("", None),
    ],
)
def test_what_was_meant_is_a_form(value: str, meant: str | None) -> None:
    assert meant_by(value) == meant
    assert meant is None or fault_of(meant) is None


@pytest.mark.parametrize(
    ("changes", "severity"),
    [
        ({}, "error"),
        (moved("closure.issue"), "warning"),
        ({TYPE: "count:iteration"}, "warning"),
        ({"agent.json#/runner/verdict": REMOVED}, "error"),  # it may be poll:state
        ({f"{VALIDATOR}/type": "file"}, None),
        ({f"{VALIDATOR}/type": "custom"}, "error"),
        ({f"{VALIDATOR}/successWhen": "{{WHEN}}"}, None),
        ({f"{VALIDATOR}/successWhen": 0}, None),
    ],
)
def test_only_a_check_that_runs_can_stop_a_run(
    changes: dict[str, Any], severity: str | None, lint_example: Lint
) -> None:
    found = lint_example(checked({f"{VALIDATOR}/successWhen": "ok"} | changes))
    assert [each.severity for each in found if each.code == "SF603"] == ([severity] if severity else [])


# SF604 and SF611


@pytest.mark.parametrize(
    ("key", "codes"),
    [
        ("closure.polling", []),
        ("closure.issue", ["SF611"]),
        ("closure.iteration", ["SF611"]),
        ("closure.pollling", ["SF604"]),
        ("initial.issue", ["SF604"]),
        ("polling", ["SF604"]),
        ("closure.{{TOPIC}}", []),
    ],
)
def test_keys_of_validation_steps(key: str, codes: list[str], lint_example: Lint) -> None:
    changes = {} if key == "closure.polling" else moved(key)
    found = said(lint_example(checked(changes)), "SF604", "SF611")
    assert found == [(code, "warning", f"/validationSteps/{key}") for code in codes]


def test_a_key_and_its_step_id_are_renamed_together(lint_example: Lint) -> None:
    found = next(each for each in lint_example(checked(moved("closure.pollling"))) if each.code == "SF604")
    assert [[edit.text for edit in fix.edits] for fix in found.fixes] == [['"closure.polling"'] * 2]


def test_a_step_id_beside_another_key(lint_example: Lint) -> None:
    found = lint_example(checked({f"{STEP}/stepId": "closure.issue"}))
    assert said(found, "SF604", "SF611") == [("SF604", "warning", f"{STEP}/stepId")]


def test_a_copy_for_the_guide_is_no_dead_step(lint_example: Lint) -> None:
    copy = {"stepId": "closure.issue", "name": "Checks", "c2": "retry", "c3": "issue"}
    same = copy | {"validationConditions": [{"validator": "git-clean"}]}
    more = copy | {"validationConditions": [{"validator": "git-clean"}, {"validator": "tests"}]}
    where = "/validationSteps/closure.issue"
    assert said(lint_example(checked({where: same})), "SF611") == []
    found = [each for each in lint_example(checked({where: more})) if each.code == "SF611"]
    assert [(each.pointer, each.fixes) for each in found] == [(where, ())]


def test_only_one_of_several_dead_steps_can_be_copied(lint_example: Lint) -> None:
    other = {
        "/validationSteps/closure.iteration": {"stepId": "closure.iteration", "name": "More", "c2": "a", "c3": "b"}
    }
    found = [each for each in lint_example(checked(moved("closure.issue") | other)) if each.code == "SF611"]
    assert sorted(len(each.fixes) for each in found) == [0, 1]


def test_what_another_verdict_type_of_the_registry_runs_is_not_dead(lint_example: Lint) -> None:
    changes = moved("closure.iteration") | {"/entryStepMapping/count:iteration": "initial.issue"}
    assert said(lint_example(checked(changes)), "SF611") == []


@pytest.mark.parametrize(("key", "dead"), [("closure.issue", True), ("closure.iteration", False)])
def test_without_a_verdict_type_any_type_s_key_will_do(key: str, dead: bool, lint_example: Lint) -> None:
    for verdict in (REMOVED, "{{TYPE}}"):
        found = lint_example(checked(moved(key) | {TYPE: verdict}))
        assert bool(said(found, "SF611")) == dead
        assert all(not each.fixes for each in found if each.code == "SF611")


def test_the_guide_runs_them_and_reports_it_once(lint_example: Lint) -> None:
    other = {"/validationSteps/closure.check": {"stepId": "closure.check", "name": "More", "c2": "a", "c3": "b"}}
    found = [
        each
        for each in lint_example(checked(moved("closure.issue") | other), LintSettings("guide"))
        if each.code == "SF611"
    ]
    assert [(each.severity, len(each.related)) for each in found] == [("info", 1)]


# SF605 to SF608


def test_a_pattern_of_an_unused_validator_is_unused_too(lint_example: Lint) -> None:
    changes = {
        "/failurePatterns/tests": {"description": "Tests fail", "edition": "failed"},
        "/failurePatterns/words": {"description": "By words", "edition": "failed", "semanticMatch": ["oops"]},
        "/validators/tests": {"type": "command", "command": "true", "successWhen": "empty", "failurePattern": "tests"},
    }
    found = [each for each in lint_example(checked(changes)) if each.code == "SF605"]
    assert [(each.severity, each.pointer) for each in found] == [("info", "/validators/tests")]
    assert [related.pointer for related in found[0].related] == ["/failurePatterns/tests"]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({f"{PATTERN}/params": REMOVED}, None),
        ({f"{PATTERN}/params": []}, f"{VALIDATOR}/extractParams/changedFiles"),
        ({f"{PATTERN}/params": ["changedFile"]}, f"{PATTERN}/params/0"),  # one mistake, seen from both sides
        ({f"{VALIDATOR}/extractParams": REMOVED}, None),  # SF615
        ({f"{VALIDATOR}/type": "semantic", f"{PATTERN}/params": ["severity"]}, None),
        ({f"{VALIDATOR}/type": "file", f"{PATTERN}/params": ["changedFiles", "missingFiles", "expectedPath"]}, None),
        ({"/validators/other": {"failurePattern": "git-dirty"}}, None),  # one of them gives it
        (
            {"/validators/other": {"failurePattern": "git-dirty", "extractParams": {"more": "stdout"}}},
            "/validators/other/extractParams/more",
        ),
    ],
)
def test_params_and_what_is_extracted(changes: dict[str, Any], place: str | None, lint_example: Lint) -> None:
    found = said(lint_example(checked(changes)), "SF606")
    assert found == ([("SF606", "warning", place)] if place else [])


@pytest.mark.parametrize(
    ("changes", "severity"),
    [
        ({f"{VALIDATOR}/extractParams": REMOVED}, "error"),
        ({f"{VALIDATOR}/extractParams": None}, "error"),
        ({f"{VALIDATOR}/extractParams": {}}, None),
        ({f"{VALIDATOR}/extractParams": REMOVED, f"{VALIDATOR}/type": "file"}, None),  # runs no command
        ({f"{VALIDATOR}/extractParams": REMOVED, "agent.json#/runner/verdict/type": "detect:graph"}, "warning"),
    ],
)
def test_a_validator_without_extractors(changes: dict[str, Any], severity: str | None, lint_example: Lint) -> None:
    found = said(lint_example(checked(changes)), "SF615")
    assert found == ([("SF615", severity, VALIDATOR)] if severity else [])
    assert not said(lint_example(checked(changes), LintSettings("guide")), "SF615")


@pytest.mark.parametrize(
    ("extractor", "meant"),
    [("parseStagedFile", "parseStagedFiles"), ("parseBranchName", None), ("stdOut", "stdout"), ("parse", None)],
)
def test_extractors_that_are_not_there(extractor: str, meant: str | None, lint_example: Lint) -> None:
    (found,) = [
        each
        for each in lint_example(checked({f"{VALIDATOR}/extractParams/changedFiles": extractor}))
        if each.code == "SF607"
    ]
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ([f'"{meant}"'] if meant else [])


GUIDES_PLACE = "prompts/steps/closure/issue/f_failed_git-dirty.md"


@pytest.mark.parametrize(
    ("changes", "texts", "runtime", "missing"),
    [
        ({}, {RETRY_PROMPT: REMOVED, GUIDES_PLACE: "Commit"}, None, True),
        ({}, {RETRY_PROMPT: REMOVED, GUIDES_PLACE: "Commit"}, "guide", False),
        ({f"{PATTERN}/adaptation": REMOVED}, {}, None, True),
        ({f"{PATTERN}/adaptation": REMOVED}, {"prompts/steps/retry/issue/f_failed.md": "Again"}, None, False),
        ({f"{PATTERN}/edition": REMOVED}, {RETRY_PROMPT: REMOVED}, None, False),
        ({f"{STEP}/c3": "Issue"}, {RETRY_PROMPT: REMOVED}, None, False),  # SF106 reports it
        ({f"{STEP}/c3": "{{TOPIC}}"}, {RETRY_PROMPT: REMOVED}, None, False),
        ({f"{STEP}/validationConditions": []}, {RETRY_PROMPT: REMOVED}, None, False),  # nothing can fail
    ],
)
def test_retry_prompts(
    changes: dict[str, Any], texts: dict[str, Any], runtime: str | None, missing: bool, lint_example: Lint
) -> None:
    found = said(lint_example(checked(changes, texts=texts), LintSettings(runtime)), "SF608")
    assert found == ([("SF608", "warning", PATTERN)] if missing else [])


# SF609, SF610 and SF612


@pytest.mark.parametrize(
    ("policy", "found"),
    [
        (REMOVED, True),
        ({}, True),
        ({"action": "retry"}, True),
        ({"action": "retry", "maxAttempts": 3}, False),
        ({"action": "abort"}, False),
        ("retry", False),
    ],
)
def test_retries_without_a_limit(policy: Any, found: bool, lint_example: Lint) -> None:
    diagnostics = [each for each in lint_example(checked({f"{STEP}/onFailure": policy})) if each.code == "SF609"]
    assert [each.severity for each in diagnostics] == ["info"] * found
    assert all(len(each.fixes) == 1 for each in diagnostics)


def test_what_has_no_checks_retries_nothing(lint_example: Lint) -> None:
    changes = {f"{STEP}/onFailure": REMOVED, f"{STEP}/validationConditions": []}
    assert said(lint_example(checked(changes)), "SF609") == []


@pytest.mark.parametrize(
    ("runtime", "words"),
    [(None, "retries anyway"), ("climpt-2026-04-08", "retry, abort, skip"), ("guide", "retry, abort, skip")],
)
def test_actions(runtime: str | None, words: str, lint_example: Lint) -> None:
    found = lint_example(checked({f"{STEP}/onFailure/action": "stop"}), LintSettings(runtime))
    (diagnostic,) = [each for each in found if each.code == "SF610"]
    assert (diagnostic.severity, diagnostic.pointer) == ("error", f"{STEP}/onFailure/action")
    assert words in diagnostic.message


@pytest.mark.parametrize(
    ("runtime", "words"),
    [
        ("climpt-2026-03-14", "doesn't read"),
        ("climpt-2026-04-08", "no retry, as climpt-2026-04-08 counts"),
        ("guide", "one retry in the guide"),
    ],
)
def test_one_attempt_means_something_else_in_each_era(runtime: str, words: str, lint_example: Lint) -> None:
    found = lint_example(checked({f"{STEP}/onFailure/maxAttempts": 1}), LintSettings(runtime))
    (diagnostic,) = [each for each in found if each.code == "SF612"]
    assert words in diagnostic.message


@pytest.mark.parametrize("policy", [{"action": "abort", "maxAttempts": 1}, {"maxAttempts": True}, {"maxAttempts": 2}])
def test_other_attempts(policy: dict[str, Any], lint_example: Lint) -> None:
    assert said(lint_example(checked({f"{STEP}/onFailure": policy})), "SF612") == []


@pytest.mark.parametrize(
    "value", [None, 7, "x", [], {"a": 7}, {"a": {}}, {"a": {"validationConditions": {}}}, {"a": {"onFailure": []}}]
)
@pytest.mark.parametrize("section", ["validators", "failurePatterns", "validationSteps", "completionSteps"])
def test_sections_of_other_types_break_nothing(section: str, value: Any, lint_example: Lint) -> None:
    lint_example(checked({f"/{section}": value}))
