"""The list of movements under another releases' word, and other findings that have one cause."""

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.piece import whole_piece
from tests.lint.conftest import Open

OLD = "name: x\ninitial_movement: a\nmax_movements: 9\n"
NEW = "name: x\ninitial_step: a\nmax_steps: 9\n"
STEP = "  - name: a\n    persona: p\n    edit: false\n    instruction: Do {task}.\n"
OF_OLD, OF_NEW = "    permission_mode: edit\n", "    allow_git_commit: true\n    session_key: x\n"
RULES = "    rules: [{condition: ok, next: COMPLETE}]\n"


def _found(open_example: Open, text: str, runtime: str | None = None) -> list[Diagnostic]:
    return [each for each in lint(open_example(whole_piece(text)), LintSettings(runtime)) if each.severity != "info"]


@pytest.mark.parametrize(
    ("text", "word", "runtime", "code"),
    [
        (f"{NEW}movements:\n{STEP}{OF_NEW}{RULES}", "steps", None, "T031"),
        (
            f"{OLD}steps:\n{STEP}{OF_OLD}{RULES}".replace("instruction", "instruction_template"),
            "movements",
            None,
            "T031",
        ),
        (f"{NEW}movements:\n{STEP}{OF_NEW}{RULES}", "steps", "takt-0.60", "T030"),
    ],
)
def test_the_word_of_other_releases_is_replaced(
    open_example: Open, text: str, word: str, runtime: str | None, code: str
) -> None:
    (found,) = _found(open_example, text, runtime)
    assert found.code == code
    assert [fix.title for fix in found.fixes] == [f"Write “{word}”"]
    assert not any(fix.safe for fix in found.fixes)


def test_a_safe_fix_deletes_no_comment(open_example: Open) -> None:
    sub = "      - name: s\n        persona: p\n        edit: false\n        instruction: Do it.\n        rules:\n"
    rules = "          - condition: ok\n            next: a  # back\n          - condition: bad\n            next: a\n"
    decided = '    rules: [{condition: all("ok"), next: COMPLETE}]\n'
    text = f"{NEW}steps:\n  - name: a\n    parallel:\n{sub}{rules}{decided}"
    fixes = [each.fixes[0].safe for each in _found(open_example, text) if each.code == "T006"]
    assert fixes == [False, True]


@pytest.mark.parametrize(("name", "found"), [("tsk", ["T017"]), ("tasks", []), ("title", [])])
def test_a_single_word_that_is_misspelt_in_a_template(open_example: Open, name: str, found: list[str]) -> None:
    text = f"{NEW}steps:\n{STEP}{RULES}".replace("{task}", f"{{{name}}}")
    assert [each.code for each in _found(open_example, text)] == found


def test_a_file_that_is_not_callable_has_one_finding(open_example: Open) -> None:
    head = "subworkflow:\n  callable: false\n  returns: [ok]\n"
    text = f"{NEW}{head}steps:\n{STEP}    rules: [{{condition: ok, return: ok}}, {{condition: no, next: COMPLETE}}]\n"
    (found,) = _found(open_example, text)
    assert (found.code, len(found.related)) == ("T029", 1)
    assert [fix.title for fix in found.fixes] == ["Write “callable”"]
