"""What is said of words, values and states is true for the releases that read them; those of 0.34 read both words."""

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.examples.piece import whole_piece
from tests.lint.conftest import Lint

STEP = "  - name: a\n    persona: coder\n    edit: false\n    instruction: x\n    rules:\n"
RULES = "      - {condition: ok, next: COMPLETE}\n"


@pytest.mark.parametrize(
    ("limit", "initial", "steps"),
    [
        ("max_steps", "initial_step", "movements"),
        ("max_steps", "initial_movement", "movements"),
        ("max_movements", "initial_step", "steps"),
        ("max_movements", "initial_movement", "steps"),
    ],
)
def test_a_limit_and_a_beginning_by_the_other_word_are_given(
    limit: str, initial: str, steps: str, lint_example: Lint
) -> None:
    text = f"name: x\n{limit}: 5\n{initial}: a\n{steps}:\n{STEP}{RULES}"
    for runtime in (None, "takt-0.35"):
        found = lint_example(whole_piece(text), LintSettings(runtime))
        assert not [each.message for each in found if each.code in {"T001", "T002", "SF302"}]


@pytest.mark.parametrize(("initial", "steps"), [("initial_step", "movements"), ("initial_movement", "steps")])
def test_a_beginning_by_the_other_word_leads_to_its_step(initial: str, steps: str, lint_example: Lint) -> None:
    second = STEP.replace("name: a", "name: b") + RULES
    text = f"name: x\nmax_steps: 5\n{initial}: b\n{steps}:\n{STEP}{RULES}{second}"
    (found,) = [each for each in lint_example(whole_piece(text)) if each.code == "SF302"]
    assert "“a”" in found.message


def test_an_unknown_beginning_by_the_other_word_is_one_finding(lint_example: Lint) -> None:
    text = f"name: x\nmax_steps: 5\ninitial_step: gone\nmovements:\n{STEP}{RULES}"
    (found,) = [each for each in lint_example(whole_piece(text)) if each.code == "T002"]
    assert "“initial_step” is “gone”" in found.message
    older = lint_example(whole_piece(text), LintSettings("takt-0.20"))
    assert not [each for each in older if each.code == "T002"]  # dropped there


def test_sub_steps_may_be_named_by_step(lint_example: Lint) -> None:
    text = (
        "name: x\nmax_movements: 5\nsteps:\n  - name: a\n    parallel:\n      - step: s\n        persona: coder\n"
        "        edit: false\n        instruction: x\n        rules:\n          - condition: fine\n"
        '    rules:\n      - {condition: all("fine"), next: COMPLETE}\n'
    )
    found = lint_example(whole_piece(text), LintSettings("takt-0.35"))
    assert not [each.message for each in found if each.code in {"T009", "T010", "T016", "SF004"}]


def test_what_ends_the_range_is_told_first(lint_example: Lint) -> None:
    text = (
        "name: x\nmax_steps: 5\ninitial_step: a\nsteps:\n  - name: a\n    provider: claude\n    edit: false\n"
        "    instruction: x\n    rules:\n      - {when: structured.a.b == 1, next: COMPLETE}\n"
    )
    (found,) = [each for each in lint_example(whole_piece(text)) if each.code == "T030"]
    assert "TAKT 0.36–0.52 loads the file" in found.message
    assert "0.53.0" in found.message


def test_transitions_are_no_rules_for_releases_that_drop_them(lint_example: Lint) -> None:
    text = (
        "name: x\nmax_steps: 5\ninitial_step: a\nsteps:\n  - name: a\n    persona: c\n    edit: false\n"
        "    instruction: x\n    transitions:\n      - {condition: done, next_step: COMPLETE}\n"
    )
    (found,) = [each for each in lint_example(whole_piece(text), LintSettings("takt-0.60")) if each.severity == "error"]
    assert found.message == "“a” has no rules: it runs once, then the run is aborted"
    oldest = text.replace("max_steps", "max_iterations").replace("persona", "agent")
    found_there = lint_example(whole_piece(oldest.replace("instruction", "instruction_template")))
    assert "T007" not in {each.code for each in found_there}


STATE = (
    "name: x\nmax_steps: 5\ninitial_step: a\nsteps:\n  - name: a\n    edit: true\n    persona: c\n"
    "    instruction: x\n    rules:\n      - {rule}\n        next: COMPLETE\n"
)


@pytest.mark.parametrize(
    ("rule", "runtime"),
    [
        ("when: bogus == 1", "takt-0.36"),
        ("when: bogus == 1", "takt-0.50"),
        ("condition: when(bogus)", "takt-0.50"),
        ("condition: bogus == 1", "takt-0.49"),
    ],
)
def test_a_state_that_a_run_cannot_read(rule: str, runtime: str, lint_example: Lint) -> None:
    found = lint_example(whole_piece(STATE.format(rule=rule)), LintSettings(runtime))
    (said,) = [each for each in found if each.code == "T008"]
    assert said.severity == "warning"
    assert f"TAKT {runtime[5:]}" in said.message
    assert "aborts the run there" in said.message


@pytest.mark.parametrize(
    ("rule", "runtime"),
    [
        ("condition: bogus == 1", "takt-0.50"),
        ("condition: bogus == 1", None),
        ("when: structured.a.b == 1", "takt-0.36"),
    ],
)
def test_a_label_or_a_readable_state_is_right(rule: str, runtime: str | None, lint_example: Lint) -> None:
    found = lint_example(whole_piece(STATE.format(rule=rule)), LintSettings(runtime))
    assert "T008" not in {each.code for each in found}


def test_what_a_refused_form_holds_is_no_second_finding(lint_example: Lint) -> None:
    text = STATE.format(rule="condition: done").replace("edit: true", "promotion: [{at: 2, model: m}]")
    found = lint_example(whole_piece(text), LintSettings("takt-0.60"))
    assert [each.pointer for each in found if each.severity == "error"] == ["/steps/0/promotion"]


@pytest.mark.parametrize(
    ("runtime", "beside", "told"),
    [("takt-0.60", "", True), ("takt-0.50", "", False), ("takt-0.60", "subworkflow: {callable: true}\n", False)],
)
def test_a_report_that_nothing_writes(runtime: str, beside: str, told: bool, lint_example: Lint) -> None:
    text = STATE.format(rule="condition: done").replace("instruction: x", 'instruction: "See {report:plan.md}"')
    found = lint_example(whole_piece(beside + text), LintSettings(runtime))
    said = [each.message for each in found if each.code == "T017"]
    assert said == (["No step writes the report “plan.md”"] if told else [])


@pytest.mark.parametrize("limit", ['"20"', "infinite"])
def test_a_limit_that_is_no_number_is_not_called_unknown(limit: str, lint_example: Lint) -> None:
    text = STATE.format(rule="condition: done").replace("max_steps: 5", f"max_steps: {limit}")
    (found,) = [each for each in lint_example(whole_piece(text), LintSettings("takt-0.35")) if each.code == "T025"]
    assert found.message == ("“max_steps” isn't a number: TAKT 0.35.4 drops it silently, and a run ends after 10 steps")
    assert all("max_movements" not in fix.title for fix in found.fixes)


def test_a_step_that_is_used_and_lies_nowhere(lint_example: Lint) -> None:
    text = STATE.format(rule="condition: done").replace("    instruction: x\n", "    uses: common/gone\n")
    (found,) = [each for each in lint_example(whole_piece(text), LintSettings("takt-0.60")) if each.code == "T013"]
    assert "“common/gone”" in found.message
    assert "TAKT 0.60 refuses to load the file" in found.message


@pytest.mark.parametrize(("runtime", "why"), [("takt-0.50", "double quotes"), ("takt-0.60", "no longer known")])
def test_why_a_release_refuses_ai(runtime: str, why: str, lint_example: Lint) -> None:
    text = STATE.format(rule="condition: ai('fine')")
    (found,) = [each for each in lint_example(whole_piece(text), LintSettings(runtime)) if each.code == "T008"]
    assert why in found.message
