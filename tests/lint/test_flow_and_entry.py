"""The targets of transitions and entries, and the keys of fallback prompts."""

from string import ascii_letters, digits
from typing import Any

import pytest

from stepflow_gui.lint.closest_name import nearest
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED

from .conftest import Lint, Open

RULES = {"SF301", "SF401", "SF402", "SF501"}
STEP = "/steps/initial.issue"
NEXT = f"{STEP}/transitions/next"


def said(diagnostics: list[Diagnostic]) -> list[tuple[str, str, str | None]]:
    return [(each.code, each.severity, each.pointer) for each in diagnostics]


@pytest.fixture
def lint_example(open_example: Open) -> Lint:
    """The findings of the rules tested here for an example."""

    def linted(*changes: Any) -> list[Diagnostic]:
        return [each for each in lint(open_example(*changes)) if each.code in RULES]

    return linted


# SF301


@pytest.mark.parametrize(
    ("where", "value", "place", "severity"),
    [
        (f"{NEXT}/target", "gone", f"{NEXT}/target", "error"),
        ("/steps/continuation.issue/transitions/handoff/target", "gone", None, "error"),
        (f"{STEP}/transitions/repeat/target", "gone", None, "warning"),
        ("/steps/closure.issue/transitions/closing/target", "gone", None, "warning"),
        (f"{NEXT}/fallback", "gone", None, "warning"),
        (
            NEXT,
            {"condition": "status", "targets": {"ready": "continuation.issue", "default": "gone"}},
            f"{NEXT}/targets/default",
            "error",
        ),
        (
            "/steps/continuation.issue/transitions/handoff",
            {"condition": "status", "targets": {"default": "gone"}},
            "/steps/continuation.issue/transitions/handoff/targets/default",
            "warning",  # of a handoff only `target` is read
        ),
    ],
)
def test_a_target_that_is_no_step(where: str, value: Any, place: str | None, severity: str, lint_example: Lint) -> None:
    assert said(lint_example({where: value})) == [("SF301", severity, place or where)]


@pytest.mark.parametrize("target", [None, "continuation.issue", "initial.issue", "{{NEXT_STEP}}"])
def test_what_has_a_target_is_fine(target: str | None, lint_example: Lint) -> None:
    assert lint_example({f"{NEXT}/target": target}) == []


def test_the_nearest_step_is_offered_and_written(lint_example: Lint) -> None:
    (found,) = lint_example({f"{NEXT}/target": "continuation.isue"})
    assert found.message.endswith("Did you mean “continuation.issue”?")
    assert [(fix.title, fix.safe, fix.edits[0].text) for fix in found.fixes] == [
        ("Write “continuation.issue”", False, '"continuation.issue"')
    ]
    assert found.fixes[0].edits[0].range == found.range


def test_a_step_of_that_name_elsewhere_is_shown(lint_example: Lint) -> None:
    checks = {"stepId": "closure.polling", "name": "Checks", "c2": "retry", "c3": "issue"}
    (found,) = lint_example({f"{NEXT}/target": "closure.polling", "/validationSteps": {"closure.polling": checks}})
    assert [related.pointer for related in found.related] == ["/validationSteps/closure.polling"]


def test_suggestions_are_looked_for_fifty_times_at_most(lint_example: Lint) -> None:
    cases = {letter: f"continuation.issue{letter}" for letter in (ascii_letters + digits)[:60]}
    found = lint_example({NEXT: {"condition": "status", "targets": cases}})
    assert len(found) == 60
    assert sum(bool(each.fixes) for each in found) == 50


# SF401 and SF402


@pytest.mark.parametrize("empty", [REMOVED, None, ""])
def test_without_any_entry_the_registry_is_refused(empty: Any, lint_example: Lint) -> None:
    found = lint_example({"/entryStep": empty, "/entryStepMapping": REMOVED})
    assert [(each.code, each.severity) for each in found] == [("SF401", "error")]


@pytest.mark.parametrize(
    "changes",
    [
        {"/entryStep": REMOVED},
        {"/entryStepMapping": REMOVED},
        {"/entryStep": REMOVED, "/entryStepMapping": {}},
        {"/entryStep": ""},
        {"/entryStep": "{{ENTRY}}"},
    ],
)
def test_one_of_the_two_is_enough(changes: dict[str, Any], lint_example: Lint) -> None:
    assert lint_example(changes) == []


def test_every_entry_must_name_a_step(lint_example: Lint) -> None:
    found = lint_example(
        {"/entryStep": "initial.isue", "/entryStepMapping": {"poll:state": "gone", "count:iteration": ""}}
    )
    assert said(found) == [
        ("SF402", "error", "/entryStep"),
        ("SF402", "error", "/entryStepMapping/poll:state"),
        ("SF402", "error", "/entryStepMapping/count:iteration"),
    ]
    assert [bool(each.fixes) for each in found] == [True, False, False]


# SF501


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("initial.issue", "initial_issue"),
        ("initial-issue", "initial_issue"),
        ("initial issue", "initial_issue"),
        ("Initial_issue", "initial_issue"),
        ("_initial_issue", "initial_issue"),
        ("initial_issue_", "initial_issue"),
        ("initial__issue", "initial_issue"),
        ("1initial_issue", "initial_issue"),
        ("my.own.key", "my_own_key"),
        ("", "initial_issue"),
        ("…", "initial_issue"),
        ("initial_issué", "initial_issue"),
    ],
)
def test_a_key_of_another_form_is_an_error_and_the_one_meant_is_offered(
    key: str, meant: str, lint_example: Lint
) -> None:
    (found,) = lint_example({f"{STEP}/fallbackKey": key})
    assert (found.code, found.severity, found.pointer) == ("SF501", "error", f"{STEP}/fallbackKey")
    assert f'No fallback prompt found for key: "{key}" (step: initial.issue)' in found.message
    assert [edit.text for fix in found.fixes for edit in fix.edits] == [f'"{meant}"']


@pytest.mark.parametrize("key", ["closure.issue", "issue.closure.default"])
def test_the_key_of_another_step_is_not_offered(key: str, lint_example: Lint) -> None:
    (found,) = lint_example({f"{STEP}/fallbackKey": key})
    assert (found.code, found.fixes) == ("SF501", ())


@pytest.mark.parametrize("key", ["initial_issue", "a", "step_2", "a1_b2_3", "my_own_key", "{{KEY}}"])
def test_a_key_of_the_form_is_fine_whether_it_is_known_or_not(key: str, lint_example: Lint) -> None:
    assert lint_example({f"{STEP}/fallbackKey": key}) == []


def test_a_capital_inside_a_word_is_information(lint_example: Lint) -> None:
    (found,) = lint_example({f"{STEP}/fallbackKey": "externalState_initial_default"})
    assert (found.code, found.severity) == ("SF501", "info")


@pytest.mark.parametrize(
    ("verdict", "parameters", "severity"),
    [
        ("poll:state", {}, "error"),
        ("count:iteration", {}, "warning"),
        ("count:iteration", {"branch": {"default": ""}}, "error"),
        ("count:iteration", {"branch": {"default": "main"}}, "warning"),
    ],
)
def test_a_prompt_file_that_can_always_be_filled_in_makes_it_a_warning(
    verdict: str, parameters: dict[str, Any], severity: str, lint_example: Lint
) -> None:
    changes = {
        f"{STEP}/fallbackKey": "initial.issue",
        "agent.json#/runner/verdict/type": verdict,
        "agent.json#/parameters": parameters,
    }
    (found,) = lint_example(changes)
    assert (found.code, found.severity) == ("SF501", severity)


def test_without_the_prompt_file_it_is_an_error(open_example: Open) -> None:
    agent = open_example({f"{STEP}/fallbackKey": "initial.issue", "agent.json#/runner/verdict/type": "count:iteration"})
    agent.prompt_candidates(agent.flow.steps["initial.issue"])[0].unlink()
    assert [each.severity for each in lint(agent) if each.code == "SF501"] == ["error"]


def test_formats_without_the_key_are_not_looked_at(lint_example: Lint) -> None:
    gateless = {
        f"/steps/{phase}.issue/{key}": REMOVED
        for phase in ("initial", "continuation", "closure")
        for key in ("structuredGate", "transitions", "outputSchemaRef")
    }
    found = lint_example({**gateless, f"{STEP}/fallbackKey": "initial.issue"})
    assert found == []


# The nearest name


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("continuation.isue", "continuation.issue"),
        ("Continuation.Issue", "continuation.issue"),
        ("closure-issue", "closure.issue"),
        ("zzz", None),
        ("", None),
    ],
)
def test_the_nearest_name(word: str, found: str | None) -> None:
    assert nearest(word, ["initial.issue", "continuation.issue", "closure.issue"]) == found


def test_of_equally_near_names_the_first_is_taken() -> None:
    assert nearest("step.x", ["step.b", "step.a"]) == "step.b"
