"""Validators and failure patterns of which the definition or the only reference is misspelt."""

from typing import Any

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import Moved
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.lint.rules.validators.example_checks import checked
from tests.lint.conftest import Open

PATTERN, VALIDATOR = "/failurePatterns/git-dirty", "/validators/git-clean"
REFERENCE = "/validationSteps/closure.polling/validationConditions/0/validator"
# The same with names that stand nowhere else: no description, no adaptation and no command has a word of them.
PLAIN: dict[str, Any] = {
    "/failurePatterns/qqa": Moved(PATTERN),
    "/failurePatterns/qqa/adaptation": "dirty",
    f"{VALIDATOR}/failurePattern": "qqe",
}


@pytest.mark.parametrize(
    ("code", "changes", "place"),
    [
        ("SF602", {"/failurePatterns/git-drity": Moved(PATTERN)}, "/failurePatterns/git-drity"),
        ("SF602", {f"{VALIDATOR}/failurePattern": "git-drity"}, f"{VALIDATOR}/failurePattern"),
        ("SF601", {"/validators/gti-clean": Moved(VALIDATOR)}, "/validators/gti-clean"),
        ("SF601", {REFERENCE: "gti-clean"}, REFERENCE),
    ],
)
def test_the_name_is_put_right_that_the_file_has_nowhere_else(
    code: str, changes: dict[str, Any], place: str, open_example: Open
) -> None:
    agent = open_example(checked(changes))
    (found,) = [each for each in lint(agent) if each.severity != "info"]
    assert (found.code, found.pointer) == (code, place)
    (change,) = fix_all([agent], lint, any_fixes).changes
    assert not any(wrong in change.after.text for wrong in ("git-drity", "gti-clean"))


def test_where_nothing_tells_both_are_offered_and_none_is_applied(open_example: Open) -> None:
    agent = open_example(checked(PLAIN))
    (found,) = [each for each in lint(agent) if each.code == "SF602"]
    assert [(fix.title, fix.guess) for fix in found.fixes] == [
        ("Write “qqa”", True),
        ("Rename “qqa” to “qqe” where it is defined", True),
    ]
    assert [
        applied for applied in fix_all([agent], lint, any_fixes).applied if applied.diagnostic.code == "SF602"
    ] == []


def test_a_definition_that_another_names_is_right(open_example: Open) -> None:
    other = {"type": "command", "command": "true", "successWhen": "empty", "failurePattern": "qqa", "extractParams": {}}
    agent = open_example(checked({**PLAIN, "/validators/other": other}))
    (found,) = [each for each in lint(agent) if each.code == "SF602"]
    assert [(fix.title, fix.guess) for fix in found.fixes] == [("Write “qqa”", False)]
