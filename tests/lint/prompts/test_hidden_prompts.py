"""A c1 under which no prompt is, while all are under one other: it is mended, and no prompt is made a second time."""

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.fixing import any_fixes, fix_all
from tests.lint.conftest import Open


@pytest.mark.parametrize("c1", ["eps", "stp", "step", "STEPS", "prompts"])
def test_the_c1_is_mended(c1: str, open_example: Open) -> None:
    right = open_example().registry.source.text
    agent = open_example({"/c1": c1})
    assert [each.code for each in lint(agent)] == ["SF506"]
    (change,) = fix_all([agent], lint, any_fixes).changes
    assert change.after.text == right
