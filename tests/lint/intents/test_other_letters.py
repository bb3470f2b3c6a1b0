"""An intent that the enum has in other letters: it is written right, and not taken away."""

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.fixing import any_fixes, fix_all
from tests.lint.conftest import Open

ENUM = "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum"


@pytest.mark.parametrize("word", ["REPEAT", "Repeat", "rEPEAT"])
def test_the_intent_is_written_as_the_gate_has_it(word: str, open_example: Open) -> None:
    right = open_example()
    text = (right.folder / "schemas" / "issue.schema.json").read_text("utf-8")
    agent = open_example({ENUM: ["next", word]})
    (found,) = lint(agent)
    assert found.fixes[0].title == "Write “repeat”"
    (change,) = fix_all([agent], lint, any_fixes).changes
    assert change.after.text == text
