"""A misspelt word in the address of a prompt is written as it is meant, where there is such a prompt."""

import json

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import Base, changed
from stepflow_gui.lint.fixing import any_fixes, fix_all
from tests.lint.conftest import Open

STEP = "/steps/initial.issue"
_FILE = "../climpt/config/issue-flow-steps-user.yml"
_WORDS = """params:
  two:
    directiveType:
      pattern: "^(initial|continuation|closure)$"
    layerType:
      pattern: "^(issue)$"
"""


@pytest.mark.parametrize(
    ("part", "wrong"), [("c2", "iniial"), ("c3", "isue"), ("edition", "defalt")], ids=["c2", "c3", "edition"]
)
@pytest.mark.parametrize(("base", "holder"), [("c3l", ""), ("adt-kind-address", "/address")])
def test_it_is_renamed_and_nothing_is_begun_in_its_place(
    part: str, wrong: str, base: Base, holder: str, open_example: Open
) -> None:
    right = json.loads(open_example(changed(base=base, texts={_FILE: _WORDS})).registry.source.text)
    agent = open_example(changed({f"{STEP}{holder}/{part}": wrong}, base=base, texts={_FILE: _WORDS}))
    (found,) = [each for each in lint(agent) if each.code == "SF506"]
    assert found.pointer == f"{STEP}{holder}/{part}"
    (change,) = fix_all([agent], lint, any_fixes).changes
    assert change.path == agent.registry.path
    assert json.loads(change.after.text) == right
