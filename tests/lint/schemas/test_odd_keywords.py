"""Schema keywords of every wrong type: what can't be read counts as not there, and no rule fails."""

from typing import Any

import pytest

from stepflow_gui.formats.schema_keywords import properties, property_at, required, text, types, values
from stepflow_gui.formats.strict_schema import unsupported
from tests.lint.conftest import Lint

ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    1e999,
    10**400,
    "date",
    [],
    ["date"],
    [[]],
    [{}],
    [None, 1],
    {},
    {"x": 1},
    {"x": {}},
    {"x": ["y"]},
]
STRUCTURE = ("properties", "type", "enum", "const", "required", "$ref", "allOf", "anyOf", "items", "definitions")
KEYWORDS = (
    *("format", "pattern", "minItems", "maxItems", "minimum", "maximum", "minLength", "multipleOf", "uniqueItems"),
    *("additionalProperties", "additionalItems", "patternProperties", "propertyNames", "dependencies", "contains"),
    *("oneOf", "not", "if", "then", "else", "title", "description", "default", "examples", "$schema", "$id"),
    *("prefixItems", "dependentRequired", "dependentSchemas", "unevaluatedProperties", "contentEncoding", "readOnly"),
)
SCHEMA = "issue.schema.json#/initial.issue"


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:20])
def test_no_rule_fails_on_an_odd_value(odd: object, lint_example: Lint) -> None:
    for where in (SCHEMA, f"{SCHEMA}/properties/next_action", f"{SCHEMA}/properties/next_action/properties/action"):
        lint_example({f"{where}/{keyword}": odd for keyword in KEYWORDS})
        for keyword in STRUCTURE:
            lint_example({f"{where}/{keyword}": odd})


def test_a_format_that_is_no_text_is_not_taken() -> None:
    assert list(unsupported({"type": "string", "format": ["date"]})) == ["format"]
    assert list(unsupported({"type": "string", "format": "date"})) == []


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:20])
def test_odd_keywords_count_as_absent(odd: object) -> None:
    schema = {"properties": odd, "required": odd, "type": odd, "enum": odd, "format": odd}
    assert properties(schema) == (odd if isinstance(odd, dict) else {})
    assert all(isinstance(each, str) for each in (*required(schema), *types(schema)))
    assert values(schema) is (odd if isinstance(odd, list) else None)
    assert text(schema, "format") == (odd if isinstance(odd, str) else None)
    assert (properties(odd), required(odd), types(odd), values(odd)) == ({}, [], [], None)
    assert property_at(odd, ["x", "y"]) is None


def test_right_keywords() -> None:
    inner = {"type": ["string", "null"], "enum": ["a"]}
    schema = {"properties": {"x": {"properties": {"y": inner}}}, "required": ["x"]}
    assert property_at(schema, ["x", "y"]) is inner
    assert (required(schema), types(inner), values(inner), values({"const": 1})) == (
        ["x"],
        ["string", "null"],
        ["a"],
        [1],
    )
