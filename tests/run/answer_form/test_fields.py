"""Fields and a valid start from output schemas: made-up ones, and those of real agents."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.answer_form.fields import AnswerField, fields_of
from stepflow_gui.run.answer_form.starting import start_of
from stepflow_gui.run.schema_errors import breaches

Json = dict[str, Any]


def field(schema: Json, value: Any, *keys: str) -> AnswerField:
    at = fields_of(schema, value)
    for key in keys:
        at = next(each for each in at.children if each.key == key)
    return at


def test_every_kind_of_schema_has_its_field() -> None:
    schema: Json = {
        "required": ["id", "act"],
        "properties": {
            "id": {"const": "initial.issue"},
            "act": {"enum": ["next", "repeat"], "description": "Where to go"},
            "text": {"type": "string"},
            "count": {"type": "integer"},
            "share": {"type": "number"},
            "done": {"type": "boolean"},
            "none": {"type": "null"},
            "files": {"type": "array", "items": {"type": "string"}},
            "more": {"type": "object"},
            "free": {},
        },
    }
    start = start_of(schema, schema)
    assert start == {"id": "initial.issue", "act": "next"}
    root = fields_of(schema, start)
    assert [(each.key, each.kind, each.required, each.present) for each in root.children] == [
        ("id", "constant", True, True),
        ("act", "choice", True, True),
        ("text", "text", False, False),
        ("count", "integer", False, False),
        ("share", "number", False, False),
        ("done", "boolean", False, False),
        ("none", "null", False, False),
        ("files", "list", False, False),
        ("more", "object", False, False),
        ("free", "any", False, False),
    ]
    act = field(schema, start, "act")
    assert act.choices == ("next", "repeat")
    assert act.description == "Where to go"


def test_what_the_schema_doesnt_know_is_a_field_too() -> None:
    found = field({"properties": {}}, {"extra": [1]}, "extra")
    assert (found.kind, found.declared, found.children[0].value) == ("list", False, 1)


def test_alternatives_follow_the_value() -> None:
    schema: Json = {
        "oneOf": [{"title": "A word", "type": "string"}, {"type": "object", "properties": {"n": {"type": "integer"}}}]
    }
    assert (fields_of(schema, "x").form, fields_of(schema, {"n": 1}).form) == (0, 1)
    assert fields_of(schema, {"n": "no"}).form == 1, "a wrong object is still the object"
    assert fields_of(schema, "x").forms == ("A word", "an object")
    nullable = fields_of({"type": ["string", "null"]}, None)
    assert (nullable.kind, nullable.forms) == ("null", ("a string", "null"))


def test_references_and_merges_are_laid_out() -> None:
    schema: Json = {
        "definitions": {
            "part": {"required": ["a"], "properties": {"a": {"type": "integer"}}},
            "loop": {"$ref": "#/definitions/loop"},
        },
        "allOf": [{"$ref": "#/definitions/part"}, {"required": ["b"], "properties": {"b": {"type": "string"}}}],
        "properties": {"l": {"$ref": "#/definitions/loop"}, "o": {"$ref": "https://evil.example"}},
    }
    assert start_of(schema, schema) == {"a": 0, "b": ""}
    assert {each.key for each in fields_of(schema, {}).children} == {"a", "b", "l", "o"}


def test_a_schema_that_holds_itself_ends_somewhere() -> None:
    schema: Json = {"type": "object", "required": ["inner"], "properties": {"inner": {"$ref": "#"}}}
    value = start_of(schema, schema)
    assert fields_of(schema, value).children


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "minimum": 3},
        {"type": "integer", "exclusiveMinimum": 3},
        {"type": "integer", "minimum": 2.5},
        {"type": "number", "maximum": -2.5},
        {"type": "integer", "minimum": 7, "multipleOf": 5},
        {"type": "string", "minLength": 3},
        {"type": "string", "pattern": "^[A-Z]+-\\d+$"},
        {"type": "string", "pattern": "^v?\\d+\\.\\d+\\.\\d+$"},
        {"type": "string", "format": "date-time"},
        {"type": "array", "minItems": 2, "uniqueItems": True, "items": {"type": "string"}},
        {"type": "array", "minItems": 2, "uniqueItems": True, "items": {"enum": ["a", "b", "c"]}},
        {"anyOf": [{"type": "null"}, {"type": "string", "minLength": 2}]},
        {"default": 7},
        {},
        {"required": ["x"]},
    ],
)
def test_the_start_is_valid(schema: Json) -> None:
    assert not breaches(schema, start_of(schema, schema))


def _schemas(folder: Path) -> list[tuple[str, Json]]:
    found = []
    for registry in sorted(folder.rglob("steps_registry.json")):
        agent = open_agent(registry)
        if isinstance(agent, AgentFolder):
            found += [(step.id, agent.schema(step).value) for step in agent.flow.steps.values()]
    return [(step, schema) for step, schema in found if schema]


def test_the_start_is_valid_for_every_schema_of_real_agents(corpus: Path) -> None:
    schemas = _schemas(corpus)
    assert len(schemas) > 500
    for step, schema in schemas:
        start = start_of(schema, schema)
        assert not breaches(schema, start), step
        assert [each.required for each in fields_of(schema, start).children if each.required], step


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)
SCHEMA = st.recursive(
    JSON | st.just({}),
    lambda inner: st.dictionaries(
        st.sampled_from(
            ["type", "properties", "items", "enum", "const", "anyOf", "allOf", "required", "$ref", "minItems"]
        ),
        inner | st.sampled_from(["string", "object", "array", "#", "#/properties/a"]) | st.lists(inner, max_size=2),
        max_size=4,
    ),
    max_leaves=12,
)


@given(SCHEMA, JSON)
@example({"required": [{}], "anyOf": [{"required": []}]}, None)
def test_no_schema_and_no_answer_raises(schema: Any, value: Any) -> None:
    if isinstance(schema, dict):
        fields_of(schema, start_of(schema, schema))
        fields_of(schema, value)
