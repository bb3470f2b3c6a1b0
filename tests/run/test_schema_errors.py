"""What an answer breaks is reported at its place, in words, in both languages; nothing is ever fetched."""

import socket
from typing import Any

import pytest

from stepflow_gui.messages import use_language
from stepflow_gui.run.schema_errors import breaches

DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def told(schema: dict[str, Any], answer: Any, draft: str | None = None) -> list[tuple[str, str]]:
    return [(breach.pointer, breach.message) for breach in breaches(schema, answer, draft)]


@pytest.mark.parametrize(
    ("schema", "answer", "pointer", "words"),
    [
        ({"type": "string"}, 7, "", "a string"),
        ({"type": ["string", "null"]}, 7, "", "a string or null"),
        ({"enum": ["next", "repeat"]}, "go", "", '"next", "repeat"'),
        ({"const": "a"}, "b", "", '"a"'),
        ({"required": ["a/b"]}, {}, "/a~1b", "“a/b” is required."),
        ({"additionalProperties": False}, {"x": 1}, "/x", "“x” isn't allowed here."),
        ({"properties": {"n": {"minimum": 3}}}, {"n": 2}, "/n", "at least 3"),
        ({"items": {"maximum": 3}}, [1, 4], "/1", "at most 3"),
        ({"exclusiveMinimum": 3}, 3, "", "more than 3"),
        ({"minLength": 1}, "", "", "1 character."),
        ({"maxLength": 2}, "abc", "", "2 characters at most"),
        ({"minItems": 2}, [], "", "2 items"),
        ({"uniqueItems": True}, [1, 1], "", "the same"),
        ({"multipleOf": 5}, 7, "", "multiple of 5"),
        ({"format": "ipv4"}, "1.2.3", "", "ipv4"),
        ({"pattern": "^a$"}, "b", "", "^a$"),
        ({"not": {}}, 1, "", "isn't allowed"),
        ({"oneOf": [{"type": "integer"}, {"minimum": 0}]}, 1, "", "more than one"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "x", "", "none of the forms"),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "", "dependentRequired"),
    ],
)
def test_a_breach_shows_what_is_expected(schema: dict[str, Any], answer: Any, pointer: str, words: str) -> None:
    found = told(schema, answer)
    assert [at for at, _message in found] == [pointer]
    assert words in found[0][1]


def test_every_breach_is_reported_at_its_own_place() -> None:
    schema = {"required": ["a", "b"], "properties": {"a": {"type": "string"}, "b": {}, "c": {"type": "boolean"}}}
    assert [at for at, _message in told(schema, {"c": 1})] == ["/a", "/b", "/c"]


def test_of_alternatives_the_one_that_is_meant_is_corrected() -> None:
    schema = {
        "oneOf": [
            {
                "type": "object",
                "properties": {"kind": {"const": "file"}, "path": {"type": "string"}},
                "required": ["path"],
            },
            {
                "type": "object",
                "properties": {"kind": {"const": "page"}, "url": {"type": "string"}},
                "required": ["url"],
            },
        ]
    }
    assert told(schema, {"kind": "page"}) == [("/url", "“url” is required.")]


def test_patterns_are_those_of_javascript() -> None:
    assert told({"pattern": "^\\d$"}, "٣"), "an Arabic digit is none there"
    assert not told({"pattern": "("}, "x")


def test_the_files_draft_is_followed() -> None:
    tuples = {"items": [{"type": "string"}]}
    assert told(tuples, [1], DRAFT_7) == [("/0", "This must be a string.")]
    assert told({**tuples, "$schema": DRAFT_7}, [1]), "the schema's own says so first"


def test_references_are_followed_inside_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(*_args: object, **_more: object) -> None:
        raise AssertionError("something was to be fetched")

    monkeypatch.setattr(socket, "getaddrinfo", no_network)
    inside = {"$defs": {"n": {"type": "integer"}}, "properties": {"n": {"$ref": "#/$defs/n"}}}
    assert told(inside, {"n": "x"}) == [("/n", "This must be a whole number.")]
    outside = {"properties": {"n": {"$ref": "http://evil.example/schema"}}}
    assert "http://evil.example/schema" in told(outside, {"n": 1})[0][1]


@pytest.mark.parametrize("schema", [{"type": "objekt"}, {"properties": 5}, {"required": 7}, {"items": {"type": 3}}])
def test_a_schema_that_is_none_is_reported_not_raised(schema: dict[str, Any]) -> None:
    assert all(breach.message for breach in breaches(schema, {"a": [1]}))
    assert all(breach.message for breach in breaches(schema, [1]))


def test_breaches_are_reported_in_japanese() -> None:
    use_language("ja")
    assert told({"type": "string"}, 7) == [("", "文字列にしてください。")]
    assert told({"maxLength": 2}, "abc") == [("", "2 文字以下にしてください。")]


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"z": {"pattern": "^(a+)+$"}}},
        {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False},
        {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": {"type": "string"}},
        {"propertyNames": {"pattern": "^(a|a)*$"}},
        {"items": {"pattern": "(.*)*x"}},
    ],
)
@pytest.mark.parametrize("draft", [None, DRAFT_7])
def test_patterns_that_take_exponential_time_elsewhere_are_reported_at_once(
    schema: dict[str, Any], draft: str | None
) -> None:
    """Without a bound 60 letters take longer than the universe is old."""
    text = "a" * 60 + "!"
    answer = [text] if "items" in schema else {"z": text, text: 1}
    assert breaches(schema, answer, draft)


def test_a_pattern_that_can_not_be_checked_is_reported() -> None:
    [breach] = breaches({"properties": {"z": {"pattern": r"^(.)\1$"}}}, {"z": "aa"})
    assert breach.keyword == "pattern"
    assert "can't be checked" in breach.message


def test_pattern_properties_and_what_is_beside_them() -> None:
    schema: dict[str, Any] = {
        "patternProperties": {"^n": {"type": "integer"}, "[": {}},
        "additionalProperties": {"type": "string"},
    }
    found = breaches(schema, {"n1": "x", "n2": 2, "m": 3, "o": "y"})
    assert [(each.pointer, each.keyword) for each in found] == [("/n1", "type"), ("/m", "type")]
