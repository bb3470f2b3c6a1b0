"""A misspelt key of agent.json is renamed where it is; nothing is written beside it."""

import json
from typing import Any

import pytest

from stepflow_gui.lint.config.selecting import RuleSelection, SelectionLayer
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.agent import files_of
from stepflow_gui.lint.examples.example import REMOVED, changed, whole
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.project.agent_folder import AgentFolder
from tests.lint.agent.test_agent import FLAT
from tests.lint.conftest import Lint, Open

TEXT = files_of(changed())["agent.json"]
MISSPELT = [
    ("boundaries", "boundries"),
    ("allowedTools", "alloweTools"),
    ("permissionMode", "permissonMode"),
    ("verdict", "verdct"),
    ("displayName", "displyName"),
    ("runner", "runer"),
]


def fixed(agent: AgentFolder) -> Any:
    changes = fix_all([agent], lint, any_fixes).changes
    return next(json.loads(each.after.text) for each in changes if each.path.name == "agent.json")


@pytest.mark.parametrize(("right", "wrong"), MISSPELT)
def test_a_misspelt_key_is_renamed(right: str, wrong: str, open_example: Open) -> None:
    assert TEXT.count(f'"{right}":') == 1
    text = TEXT.replace(f'"{right}":', f'"{wrong}":')
    assert fixed(open_example(whole(text, "agent.json"))) == json.loads(TEXT)


@pytest.mark.parametrize(("right", "wrong"), MISSPELT)
def test_nothing_is_written_beside_it_where_the_unknown_key_is_ignored(
    right: str, wrong: str, lint_example: Lint
) -> None:
    settings = LintSettings(choice=RuleSelection([SelectionLayer("test", ignore=["SF005"])]))
    text = TEXT.replace(f'"{right}":', f'"{wrong}":')
    found = [each for each in lint_example(whole(text, "agent.json"), settings) if each.code == "SF801"]
    assert not [each for each in found if each.fixes]


@pytest.mark.parametrize(("right", "wrong"), [("allowedTools", "alloweTools"), ("permissionMode", "permissonMode")])
def test_in_the_flat_layout(right: str, wrong: str, lint_example: Lint) -> None:
    text = json.dumps(FLAT).replace(f'"{right}"', f'"{wrong}"')
    (found,) = [each for each in lint_example(whole(text, "agent.json")) if each.code == "SF005"]
    assert [edit.text for fix in found.fixes for edit in fix.edits] == [f'"{right}"']


@pytest.mark.parametrize("place", ["/boundaries", "/runner/flow/boundaries", "/boundries"])
def test_no_permissions_are_written_beside_those_in_another_place(place: str, lint_example: Lint) -> None:
    given = {"allowedTools": ["Read"], "permissionMode": "plan"}
    gone = {"agent.json#/runner/boundaries": REMOVED, f"agent.json#{place}": given}
    (found,) = [each for each in lint_example(gone) if each.code == "SF801"]
    assert "climpt-2026-03-14 uses" in found.message
    assert not found.fixes


def test_climpts_default_is_written_where_permissions_are_missing(lint_example: Lint) -> None:
    (found,) = [each for each in lint_example({"agent.json#/runner/boundaries": REMOVED}) if each.code == "SF801"]
    assert 'climpt-2026-03-14 uses {"allowedTools": ["*"], "permissionMode": "plan"}' in found.message
    assert len(found.fixes) == 1
