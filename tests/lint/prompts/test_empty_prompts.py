"""Prompt files without text, at which some versions of climpt stop."""

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.examples.example import Base, changed
from tests.lint.conftest import Lint

INITIAL = "prompts/steps/initial/issue/f_default.md"


@pytest.mark.parametrize(
    ("base", "runtime", "path", "severities"),
    [
        ("c3l", "climpt-2026-04-20", INITIAL, ["error"]),
        ("c3l", "climpt-2026-04-01", INITIAL, ["error"]),
        ("c3l", "climpt-2026-03-14", INITIAL, []),
        ("c3l", "climpt-2026-04-20", "prompts/steps/closure/issue/f_default.md", []),
        ("adt-kind-address", "climpt-1.14", INITIAL, ["error"]),
    ],
)
def test_an_empty_prompt_stops_a_run_that_shows_nothing_else(
    base: Base, runtime: str, path: str, severities: list[str], lint_example: Lint
) -> None:
    linted = lint_example(changed(texts={path: ""}, base=base), LintSettings(runtime))
    found = [each for each in linted if each.code == "SF506"]
    assert [each.severity for each in found] == severities
    assert all("is empty" in each.message for each in found)
