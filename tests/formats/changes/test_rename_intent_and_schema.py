"""An intent of a step, or a schema, under another name: every place follows, and nothing else changes."""

import json

import pytest

from stepflow_gui.formats.changes import RenameIntent, RenameSchema
from stepflow_gui.text.document import ParsedFile
from tests.formats.changes.conftest import Written
from tests.formats.changes.hand import Agent
from tests.formats.changes.test_intents import intents


def test_an_intent_is_renamed_in_gate_enum_and_transitions(agent: Agent) -> None:
    done = agent.done(RenameIntent("continuation.issue", "next", "jump"))
    assert intents(done.agent, "continuation.issue") == (["jump", "repeat", "handoff"],) * 3
    assert {path.name for path in done.plan.edits} == {"steps_registry.json", "issue.schema.json"}
    assert intents(done.agent, "initial.issue") == intents(agent, "initial.issue")
    before, after = agent.registry.split("\n"), done.agent.registry.split("\n")
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 2


def test_the_intent_to_fall_back_on_follows(written: Written) -> None:
    text = (written.folder / "steps_registry.json").read_text()
    gate = '"allowedIntents": ["next", "repeat", "handoff"],'
    written.write("steps_registry.json", text.replace(gate, gate + ' "failFast": false, "fallbackIntent": "next",'))
    done = written.open().done(RenameIntent("continuation.issue", "next", "jump"))
    gate_after = done.agent.steps["continuation.issue"]["structuredGate"]
    assert gate_after["fallbackIntent"] == "jump"


@pytest.mark.parametrize(
    ("step", "intent", "new", "why"),
    [
        ("continuation.issue", "next", "repeat", "already"),
        ("continuation.issue", "next", "nonsense", "is not an intent"),
        ("continuation.issue", "next", "closing", "can’t emit"),
        ("continuation.issue", "handoff", "next", "already"),
        ("initial.issue", "next", "handoff", "goes to a closure step"),
        ("nowhere", "next", "jump", "no step"),
        ("initial.issue", "handoff", "jump", "has no intent"),
    ],
)
def test_intents_that_do_not_fit_are_refused(agent: Agent, step: str, intent: str, new: str, why: str) -> None:
    assert why in agent.refused(RenameIntent(step, intent, new)).reason


def test_an_enum_that_others_have_too_is_asked_for(agent: Agent) -> None:
    refused = agent.refused(RenameIntent("verification.issue", "next", "jump"))
    assert refused.options == ("shared",)
    assert refused.steps == ("verification.again",)
    done = agent.done(RenameIntent("verification.issue", "next", "jump", shared=True))
    assert intents(done.agent, "verification.issue") == (["jump", "repeat"],) * 3


def test_a_schema_is_renamed_wherever_it_is_named(agent: Agent) -> None:
    schemas = agent.folder.registry.path.parent / "schemas"
    done = agent.done(RenameSchema(schemas / "issue.schema.json", "/initial.issue", "first"))
    assert {path.name for path in done.plan.edits} == {
        "steps_registry.json",
        "issue.schema.json",
        "other.schema.json",
    }
    assert done.agent.steps["initial.issue"]["outputSchemaRef"]["schema"] == "first"
    assert intents(done.agent, "initial.issue") == intents(agent, "initial.issue")
    issue = done.agent.folder.document(schemas / "issue.schema.json")
    assert isinstance(issue, ParsedFile)
    assert json.loads(issue.source.text)["continuation.issue"]["properties"]["plan"] == {
        "$ref": "#/first/properties/plan"
    }


@pytest.mark.parametrize(
    ("pointer", "new", "why"),
    [
        ("/initial.issue", "closure.issue", "already"),
        ("/initial.issue", "", "empty"),
        ("/initial.issue", "a/b", "can’t hold"),
        ("/nowhere", "x", "nothing"),
        ("", "x", "nothing"),
    ],
)
def test_schemas_whose_new_name_does_not_fit_are_refused(agent: Agent, pointer: str, new: str, why: str) -> None:
    path = agent.folder.registry.path.parent / "schemas" / "issue.schema.json"
    assert why in agent.refused(RenameSchema(path, pointer, new)).reason
