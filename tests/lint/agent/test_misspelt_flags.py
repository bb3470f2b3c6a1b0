"""A flag and a name that are nearly the same: the one is put right that nothing else knows."""

import json
from typing import Any

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.fixing import any_fixes, fix_all
from tests.lint.conftest import Open

PARAMETERS = "agent.json#/parameters"


def _parameters(changes: dict[str, Any], open_example: Open) -> dict[str, Any]:
    agent = open_example(changes)
    fixed = fix_all([agent], lint, any_fixes).changes
    (text,) = [each.after.text for each in fixed if each.path.name == "agent.json"]
    found: dict[str, Any] = json.loads(text)["parameters"]
    return found


@pytest.mark.parametrize("flag", ["--isseu", "--issues", "--isue"])
def test_the_flag_is_put_right_where_steps_list_the_name(flag: str, open_example: Open) -> None:
    made = _parameters({f"{PARAMETERS}/issue/cli": flag}, open_example)
    assert made["issue"]["cli"] == "--issue"


@pytest.mark.parametrize(
    ("name", "flag"),
    [("baseBranch", "--base-brnach"), ("baseBrnach", "--base-branch"), ("baseBranchs", "--base-branch")],
)
def test_words_that_stand_elsewhere_tell_which_is_right(name: str, flag: str, open_example: Open) -> None:
    other = {"type": "string", "description": "The branch to begin at", "required": False, "cli": flag}
    made = _parameters({f"{PARAMETERS}/{name}": other}, open_example)
    assert made["baseBranch"]["cli"] == "--base-branch"
