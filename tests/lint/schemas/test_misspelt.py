"""Slips of the keyboard in schemas: one finding, whose fix puts the word right where it is."""

from typing import Any

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.lint.conftest import Lint, Open

INITIAL = "issue.schema.json#/initial.issue"
ACTION = {"type": "string", "enum": ["next", "repeat"]}


def _mended(open_example: Open, changes: dict[str, Any]) -> str:
    agent = open_example(changes)
    (schema,) = fix_all([agent], lint, any_fixes).changes
    return schema.after.text


@pytest.mark.parametrize("word", ["rqeuired", "Required", "requireds", "required "])
def test_a_misspelt_keyword_is_one_finding_and_no_second_is_made(word: str, open_example: Open) -> None:
    agent = open_example()
    path = agent.folder / "schemas" / "issue.schema.json"
    text = path.read_text("utf-8")
    path.write_text(text.replace('"required"', f'"{word}"', 1), "utf-8")
    wrong = open_agent(agent.folder)
    assert isinstance(wrong, AgentFolder)
    assert [each.code for each in lint(wrong)] == ["SF710"]
    (changed,) = fix_all([wrong], lint, any_fixes).changes
    assert changed.after.text == text


def test_the_property_is_renamed_that_gates_and_required_name_otherwise(lint_example: Lint, open_example: Open) -> None:
    changes = {
        f"{INITIAL}/properties/next_action/properties": {"acton": ACTION},
        f"{INITIAL}/properties/next_action/required": ["action"],
    }
    found = lint_example(changes)
    assert [(each.code, each.severity) for each in found] == [("SF710", "error")]
    text = _mended(open_example, changes)
    assert "acton" not in text
    assert '"required": ["action", ' not in text


def test_the_required_name_is_written_that_the_gates_name(open_example: Open) -> None:
    changes = {f"{INITIAL}/properties/next_action/required": ["acton"]}
    assert "acton" not in _mended(open_example, changes)


def test_where_nothing_tells_which_is_right_both_are_offered_and_none_is_applied(
    lint_example: Lint, open_example: Open
) -> None:
    changes = {
        f"{INITIAL}/properties/note2": {"type": "string"},
        f"{INITIAL}/required": ["note1"],
    }
    (found,) = [each for each in lint_example(changes) if each.code == "SF710"]
    assert [(fix.title, fix.guess) for fix in found.fixes] == [
        ("Write “note2”", True),
        ("Write “note1”", True),
    ]


def test_own_keys_and_inherited_properties_are_no_slips(lint_example: Lint) -> None:
    changes = {
        f"{INITIAL}/x-requird": 1,
        f"{INITIAL}/note": "not a keyword",
        f"{INITIAL}/properties/part": {
            "allOf": [{"properties": {"item": {"type": "string"}}}],
            "properties": {"items": {"type": "string"}},
            "required": ["item"],
        },
    }
    assert [each for each in lint_example(changes) if each.code == "SF710"] == []


@pytest.mark.parametrize(("word", "meant"), [("$def", "$defs"), ("definitons", "definitions")])
def test_a_misspelt_holder_of_definitions_is_renamed(word: str, meant: str, open_example: Open) -> None:
    agent = open_example(
        {
            f"issue.schema.json#/{word}": {"note": {"type": "string"}},
            f"{INITIAL}/properties/summary": {"$ref": f"#/{meant}/note"},
        }
    )
    assert [each.code for each in lint(agent)] == ["SF704"]
    (changed,) = fix_all([agent], lint, any_fixes).changes
    assert f'"{word}"' not in changed.after.text
    assert f'"#/{meant}/note"' in changed.after.text


def test_a_definition_that_two_references_name_otherwise_is_renamed(open_example: Open) -> None:
    agent = open_example(
        {
            "issue.schema.json#/definitions": {"remraks": {"type": "string"}},
            f"{INITIAL}/properties/summary": {"$ref": "#/definitions/remarks"},
            "issue.schema.json#/continuation.issue/properties/summary": {"$ref": "#/definitions/remarks"},
        }
    )
    assert [each.code for each in lint(agent)] == ["SF704"]
    (changed,) = fix_all([agent], lint, any_fixes).changes
    assert "remraks" not in changed.after.text


def test_a_property_that_steps_share_is_renamed_to_what_their_gates_read(open_example: Open) -> None:
    action = {"type": "object", "properties": {"action": ACTION}, "required": ["action"]}
    common = {"type": "object", "properties": {"next_acton": {"$ref": "#/definitions/action"}}}
    changes: dict[str, Any] = {"issue.schema.json#/definitions": {"common": common}}
    for step in ("initial.issue", "continuation.issue"):
        for keyword in ("properties", "type", "required"):
            changes[f"issue.schema.json#/{step}/{keyword}"] = {"properties": {}, "type": "object"}.get(keyword, [])
        changes[f"issue.schema.json#/{step}/allOf"] = [{"$ref": "#/definitions/common"}]
    changes["issue.schema.json#/definitions/action"] = action
    agent = open_example(changes)
    assert [each.code for each in lint(agent) if each.severity == "error"] == ["SF710"]
    changed = {each.path.name: each.after.text for each in fix_all([agent], lint, any_fixes).changes}
    assert "next_acton" not in changed["issue.schema.json"]


def test_a_required_name_is_put_right_by_an_inherited_property(open_example: Open) -> None:
    common = {"properties": {"stepId": {"type": "string"}}}
    changes = {
        "issue.schema.json#/definitions": {"common": common},
        f"{INITIAL}/allOf": [{"$ref": "#/definitions/common"}],
        f"{INITIAL}/required": ["next_action", "stvpId"],
        "issue.schema.json#/continuation.issue/allOf": [{"$ref": "#/definitions/common"}],
        "issue.schema.json#/continuation.issue/required": ["next_action", "stepId"],
    }
    assert "stvpId" not in _mended(open_example, changes)


def test_an_inherited_property_is_renamed_that_several_schemas_require(open_example: Open) -> None:
    common = {"properties": {"sttaus": {"type": "string"}}}
    changes: dict[str, Any] = {"issue.schema.json#/definitions": {"common": common}}
    for step in ("initial.issue", "continuation.issue"):
        changes[f"issue.schema.json#/{step}/allOf"] = [{"$ref": "#/definitions/common"}]
        changes[f"issue.schema.json#/{step}/required"] = ["next_action", "status"]
    agent = open_example(changes)
    assert [each.code for each in lint(agent) if each.severity != "info"] == ["SF710"]
    assert "sttaus" not in _mended(open_example, changes)


def test_a_property_that_is_to_replace_an_inherited_one_is_renamed(open_example: Open) -> None:
    """Without it the gate would read the inherited enum, and all its values be one too many."""
    wide = {"type": "object", "properties": {"action": {"enum": ["next", "repeat", "jump", "closing", "handoff"]}}}
    own = {"type": "object", "properties": {"action": ACTION}, "required": ["action"]}
    changes: dict[str, Any] = {
        "issue.schema.json#/definitions": {"common": {"properties": {"next_action": wide}}},
        f"{INITIAL}/allOf": [{"$ref": "#/definitions/common"}],
        f"{INITIAL}/properties": {"next_acton": own},
    }
    agent = open_example(changes)
    assert [each.code for each in lint(agent) if each.severity != "info"] == ["SF710"]
    assert "next_acton" not in _mended(open_example, changes)


def test_several_of_what_is_inherited_is_no_slip(lint_example: Lint) -> None:
    wide = {"type": "object", "properties": {"action": ACTION}, "required": ["action"]}
    changes: dict[str, Any] = {
        "issue.schema.json#/definitions": {"common": {"properties": {"next_action": wide}}},
        f"{INITIAL}/allOf": [{"$ref": "#/definitions/common"}],
        f"{INITIAL}/properties": {"next_actions": {"type": "array"}},
    }
    assert [each for each in lint_example(changes) if each.code == "SF710"] == []


def test_of_two_names_the_one_is_right_that_the_text_has_elsewhere(open_example: Open) -> None:
    changes = {
        f"{INITIAL}/properties/skipped": {"type": "string"},
        f"{INITIAL}/description": "What was skipped",
        f"{INITIAL}/required": ["skippped"],
    }
    text = _mended(open_example, changes)
    assert "skippped" not in text
    assert text.count('"skipped"') == 2
