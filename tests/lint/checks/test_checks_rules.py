"""SF901 to SF911: odd cases of registries with checks, and which general rules speak about them."""

from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED, Example, Moved, changed
from stepflow_gui.lint.rules.table import MODULES, rules_for
from tests.lint.conftest import Lint, Open
from tests.lint.test_fixes import fixed

STEP = "/steps/s_a8f3"
CHECK = f"{STEP}/check"
GUIDE = LintSettings(runtime="guide")


def checks(changes: dict[str, Any], texts: dict[str, Any] | None = None) -> Example:
    return changed(changes, base="checks", texts=texts)


def codes(found: list[Diagnostic]) -> list[str]:
    return sorted(diagnostic.code for diagnostic in found)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({f"{CHECK}/onPass": {"next": "s_b2c1", "retry": False, "complete": False}}, []),
        ({f"{CHECK}/onPass": {"retry": False}}, ["SF903"]),
        ({f"{CHECK}/onPass": {"next": ""}}, ["SF903"]),
        ({f"{CHECK}/onPass": {"next": 7}}, ["SF004"]),
        ({f"{CHECK}/onFail": {"retry": "yes"}}, ["SF004"]),
        ({f"{CHECK}/onFail": "s_b2c1"}, ["SF004"]),
        ({f"{CHECK}/onFail": None}, ["SF902"]),
        ({f"{CHECK}/prompt": REMOVED}, ["SF902"]),
        ({CHECK: REMOVED}, ["SF902"]),
        ({CHECK: True}, ["SF004"]),
        ({f"{CHECK}/onFail": {"retry": True, "fallback": "s_a8f3"}}, ["SF904"]),
        ({f"{CHECK}/onFail": {"retry": True, "fallback": "s_a8f3", "maxRetries": 2}}, ["SF904"]),
        ({f"{CHECK}/onFail": {"retry": True, "next": "s_b2c1"}}, ["SF904"]),
        ({f"{CHECK}/onFail": {"fallback": "s_b2c1", "maxRetries": 2}}, ["SF906"]),
        ({f"{CHECK}/onFail": {"retry": True, "maxRetries": 101}}, ["SF906", "SF910"]),
        ({f"{CHECK}/onFail": {"retry": True}}, ["SF906"]),
        ({f"{CHECK}/onFail": {"retry": True, "maxRetries": None}}, ["SF906"]),
        ({f"{CHECK}/onFail": {"retry": True, "complete": True}}, ["SF904"]),
        ({f"{CHECK}/onFail": {"retry": True, "maxRetries": -1}}, ["SF004"]),
        ({f"{CHECK}/onFail": {"retry": True, "maxRetries": "2"}}, ["SF004"]),
        ({f"{CHECK}/onPass": {"retry": True, "maxRetries": 2}}, ["SF302"]),
        ({f"{STEP}/iterations": {"min": 0}}, ["SF905"]),
        ({f"{STEP}/iterations": {"min": "2", "max": True}}, ["SF905", "SF905"]),
        ({f"{STEP}/iterations": {"min": 1.0, "max": 1.5}}, ["SF905"]),
        ({f"{STEP}/iterations": {"min": 3, "max": 2}}, ["SF905"]),
        ({f"{STEP}/iterations": {"min": 3}}, ["SF911"]),
        ({f"{STEP}/iterations": 3}, ["SF004"]),
        ({f"{STEP}/iterations": REMOVED}, []),
        ({f"{CHECK}/responseFormat": REMOVED}, []),
        ({f"{CHECK}/responseFormat": {"message": "string"}}, ["SF907"]),
        ({f"{CHECK}/responseFormat/result": "pass | fail"}, []),
        ({f"{CHECK}/responseFormat/result": [True, False]}, []),
        ({f"{CHECK}/responseFormat/result": "boolean"}, ["SF907"]),
        ({f"{CHECK}/responseFormat": "ok|ng"}, ["SF004"]),
        ({f"{STEP}/prompt": {"path": "steps/phase/analyze/f_default.md"}}, []),
        ({f"{STEP}/prompt": {"c1": "steps", "c2": "phase"}}, ["SF908"]),
        ({f"{STEP}/prompt": {}}, ["SF908"]),
        ({f"{STEP}/prompt": "steps"}, ["SF908"]),
        ({f"{STEP}/prompt": REMOVED}, ["SF908"]),
        ({f"{CHECK}/prompt": {"path": ""}}, ["SF908"]),
    ],
)
def test_what_is_reported_of_a_step(changes: dict[str, Any], expected: list[str], lint_example: Lint) -> None:
    assert codes(lint_example(checks(changes))) == expected


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({f"{STEP}/id": "s_b2c2"}, "SF101"),
        ({f"{STEP}/name": "Implementation"}, "SF111"),
        ({f"{CHECK}/onPass/next": "s_b2c2"}, "SF301"),
        ({f"{CHECK}/onFail": {"fallback": "s_b2c2"}}, "SF301"),
        ({"/steps/s_b2c1/check/onPass": {"next": "s_a8f3"}}, "SF303"),
        ({"/entryStep": REMOVED}, "SF401"),
        ({"/entryStep": "s_b2c2"}, "SF402"),
        ({"/stpes": 1}, "SF005"),
        ({f"{STEP}/chek": 1}, "SF005"),
        ({f"{CHECK}/onPas": {}}, "SF005"),
        ({f"{CHECK}/onPass/nxt": "s_b2c1"}, "SF005"),
        ({f"{STEP}/structuredGate": {"allowedIntents": ["next"]}, CHECK: REMOVED}, "SF010"),
        ({f"{STEP}/prompt/c3": "analyse"}, "SF506"),
        ({f"{CHECK}/prompt/c3": "analyse"}, "SF506"),
        ({f"{STEP}/prompt": {"path": "../../../../a.md"}}, "SF707"),
        ({f"{CHECK}/prompt": {"path": "../../../../a.md"}}, "SF707"),
        ({"/basePath": "../../.."}, "SF707"),
    ],
)
def test_which_general_rules_speak_about_steps_with_checks(
    changes: dict[str, Any], code: str, lint_example: Lint
) -> None:
    assert code in codes(lint_example(checks(changes)))


def test_the_prompt_of_a_check_is_begun_with_the_form_of_its_answer(open_example: Open) -> None:
    folder = open_example(checks({f"{CHECK}/prompt/c3": "anew"}))
    (found,) = (each for each in lint(folder) if each.code == "SF506")
    (fix,) = found.fixes
    (edit,) = fix.edits
    assert edit.file.as_posix().endswith("prompts/checks/step/anew/f_default.md")
    assert '"result": "ok|ng"' in edit.text
    assert not any(each.code == "SF506" for each in lint(fixed(folder, fix)))


def test_a_retry_that_never_ends_is_a_trap(lint_example: Lint) -> None:
    """Passed or failed, the second step runs again: who gets there never comes out."""
    found = lint_example(
        checks({"/steps/s_b2c1/check/onPass": {"retry": True}, "/steps/s_b2c1/check/onFail": {"retry": True}})
    )
    assert "SF303" in codes(found)


def test_a_limit_of_retries_is_no_end_where_something_follows(lint_example: Lint) -> None:
    changes = {"/steps/s_b2c1/check/onPass": {"next": "s_b2c1"}}
    retried = {"retry": True, "maxRetries": 2}
    for said, endless in ((retried, False), ({**retried, "fallback": "s_b2c1"}, True)):
        found = codes(lint_example(checks({**changes, "/steps/s_b2c1/check/onFail": said})))
        assert ("SF303" in found) == endless


def test_retries_without_a_limit_are_pointed_out(lint_example: Lint) -> None:
    alone, last = {"retry": True}, {"retry": True, "fallback": "s_b2c1"}
    for said, settings, text in (
        (alone, None, "climpt-2026-01-09 counts no retries"),
        (alone, GUIDE, "use up its 100 iterations"),
        (last, GUIDE, "use up its 100 iterations"),  # climpt falls back at once
    ):
        found = [each for each in lint_example(checks({f"{CHECK}/onFail": said}), settings) if each.code == "SF906"]
        assert [(each.severity, each.pointer) for each in found] == [("info", f"{CHECK}/onFail/retry")]
        assert text in found[0].message


def test_no_rule_about_gates_is_asked_about_checks() -> None:
    families = {checked.rule.code[:3] for checked in rules_for("checks")}
    assert not families & {"SF2", "SF6"}
    assert "SF9" in families


@pytest.mark.parametrize("format_id", ["closing", "c3l", "complete", "gateless", "takt"])
def test_nothing_is_reported_of_checks_in_other_formats(format_id: str) -> None:
    assert not [checked.rule.code for checked in rules_for(format_id) if checked.rule.code.startswith("SF9")]


def test_only_rules_of_checks_are_in_the_family() -> None:
    assert {code for code in MODULES if code.startswith("SF9")} == {f"SF9{number:02}" for number in range(1, 12)}


def test_under_the_guide_used_up_retries_are_information(lint_example: Lint) -> None:
    example = checks({f"{CHECK}/onFail": {"retry": True, "maxRetries": 2}})
    (upstream,) = lint_example(example)
    (guide,) = lint_example(example, GUIDE)
    assert (upstream.severity, guide.severity) == ("warning", "info")
    assert "as a success" in upstream.message
    assert "as a failure" in guide.message


def test_a_template_names_no_wrong_id(lint_example: Lint) -> None:
    template = {
        "/steps/{{ID}}": Moved("/steps/s_a8f3"),
        "/steps/{{ID}}/id": "{{ID}}",
        "/entryStep": "{{ID}}",
        "/steps/{{ID}}/check/onFail/next": "{{ID}}",
        "/steps/s_b2c1/check/onFail/fallback": "{{ID}}",
    }
    assert codes(lint_example(checks(template))) == []


def test_the_budget_counts_the_shortest_path(lint_example: Lint) -> None:
    """The step in between needs 100 iterations, the path around it none."""
    long = {"/steps/s_b2c1/iterations": {"min": 99, "max": 99}}
    assert "SF909" not in codes(lint_example(checks(long)))
    longer = {"/steps/s_b2c1/iterations": {"min": 100, "max": 100}}
    (found,) = [each for each in lint_example(checks(longer)) if each.code == "SF909"]
    assert "101" in found.message
    assert found.pointer == "/entryStep"
    around = {**longer, f"{CHECK}/onFail": {"complete": True}}
    assert "SF909" not in codes(lint_example(checks(around)))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        (
            {
                "/steps/analyze": Moved("/steps/s_a8f3"),
                "/steps/analyze/id": "analyze",
                "/entryStep": "analyze",
                "/steps/s_b2c1/check/onFail/fallback": "analyze",
            },
            "SF901",
        ),
        ({f"{CHECK}/onFail": REMOVED}, "SF902"),
        ({f"{STEP}/iterations": {"min": "2", "max": 3}}, "SF905"),
        ({f"{CHECK}/responseFormat/result": "OK|NG"}, "SF907"),
        ({f"{CHECK}/responseFormat": {}}, "SF907"),
        ({f"{STEP}/prompt/path": "steps/phase/analyze/f_default.md"}, "SF908"),
        ({f"{STEP}/prompt": {"c1": "steps", "c3": "analyze"}}, "SF908"),
        ({f"{CHECK}/onFail": {"retry": True, "maxRetries": 2}}, "SF910"),
        ({"/steps/s_b2c1/check/onFail": {"retry": True, "maxRetries": 2}}, "SF910"),
    ],
)
def test_each_suggestion_settles_its_finding(changes: dict[str, Any], code: str, open_example: Open) -> None:
    agent = open_example(checks(changes))
    (found, *_more) = [each for each in lint(agent) if each.code == code]
    assert found.fixes
    for fix in found.fixes:
        assert code not in codes(lint(fixed(agent, fix)))


@pytest.mark.parametrize("runtime", ["climpt-2026-01-18", "climpt-2026-03-14", "climpt-2026-04-20", "climpt-1.14"])
def test_a_version_that_knows_no_checks_is_said_to_do_nothing_with_them(runtime: str, lint_example: Lint) -> None:
    """That it can't run the file is said once."""
    odd = {
        f"{CHECK}/onFail": {"retry": True, "maxRetries": 2},
        f"{CHECK}/onPass": {},
        f"{STEP}/iterations": {"min": 1, "max": 5},
    }
    found = lint_example(checks(odd), LintSettings(runtime))
    assert {"SF011", "SF903"} <= {each.code for each in found}
    assert not {"SF910", "SF911"} & {each.code for each in found}
    assert not [each for each in found if each.code.startswith("SF9") and runtime in each.message]
