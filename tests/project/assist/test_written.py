"""What completion writes: whole strings in their own quotes, what a key needs, commas where one is missing."""

import json
import re

import pytest

from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.completion import Completion, completions_at
from stepflow_gui.project.assist.schema_completion import schema_about, schema_completions
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source, Span

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def with_text(agent: AgentFolder, text: str) -> AgentFolder:
    return agent.with_buffers({agent.registry.path: Source(text)})


def taken(text: str, span: Span, item: Completion) -> str:
    return text[: span.start] + item.text + text[span.end :]


def at_mark(agent: AgentFolder, marked: str) -> tuple[str, dict[str, str]]:
    """A registry with its caret where the | is: its text, and what it becomes, by the label taken."""
    offset = marked.index("|")
    text = marked.replace("|", "", 1)
    changed = with_text(agent, text)
    found = completions_at(changed, changed.registry, offset)
    return text, {item.label: taken(text, found.span, item) for item in found.items}


def test_wherever_a_caret_stands_in_a_string_its_completion_leaves_json(agent: AgentFolder) -> None:
    text = agent.registry.source.text
    checked = 0
    for match in _STRING.finditer(text):
        for offset in {match.start() + 1, (match.start() + match.end()) // 2, match.end() - 1}:
            found = completions_at(agent, agent.registry, offset)
            for item in found.items:
                after = taken(text, found.span, item)
                json.loads(after)
                assert after.count('"') - text.count('"') in {0, item.text.count('"') - 2}
                checked += 1
    assert checked > 100


def test_the_caret_goes_where_the_first_thing_is_to_be_written(agent: AgentFolder) -> None:
    text = agent.registry.source.text.replace('"stepKind": "work",', '"stepKind": "work", ,', 1)
    offset = text.index(", ,") + 2
    changed = with_text(agent, text)
    found = completions_at(changed, changed.registry, offset)
    for item in found.items:
        assert 0 < item.caret <= len(item.text)
        empty = next((sign for sign in ('""', "[]", "{}") if sign in item.text), None)
        if empty:
            assert item.text[item.caret - 1 : item.caret + 1] in {'""', "[]", "{}"}


def test_a_gate_comes_with_the_members_it_needs(agent: AgentFolder) -> None:
    marked = agent.registry.source.text
    at = marked.index('"structuredGate"')
    end = marked.index("transitions", at)
    inside = marked.rindex("},", at, end) + 2
    line = marked.rindex("\n", 0, at) + 1
    indent = marked[line:at]
    _text, after = at_mark(agent, f"{marked[:at]}| {marked[inside:].lstrip()}")
    lines = after["structuredGate"][at:].split("\n")
    assert lines[0] == '"structuredGate": {'
    assert lines[1] == f'{indent}  "allowedIntents": [],'
    assert lines[4].startswith(f"{indent}}},")  # what follows is a member: the comma is there
    json.loads(after["structuredGate"])


def test_a_transition_comes_with_its_target(agent: AgentFolder) -> None:
    text = agent.registry.source.text
    key = '"handoff": { "target"'
    _text, after = at_mark(agent, text.replace(key, f"| {key}", 1))
    assert '"jump": { "target": "" }, "handoff"' in after["jump"]
    json.loads(after["jump"])


def test_a_comma_that_is_missing_behind_a_value_comes_with_it(agent: AgentFolder) -> None:
    text = agent.registry.source.text.replace('"stepKind": "work",', '"stepKind": "|"', 1)
    _text, after = at_mark(agent, text)
    assert set(after) == {"work", "verification", "closure"}
    json.loads(after["closure"])
    text = agent.registry.source.text.replace('"failFast": true', '"failFast": |', 1)
    assert '"failFast": false' in at_mark(agent, text)[1]["false"]


@pytest.mark.parametrize(
    ("old", "marked", "labels"),
    [
        ('"c2": "initial"', '"c2": "|"', {"initial", "continuation", "closure"}),
        ('"edition": "default"', '"edition": "|"', {"default"}),
        ('"stepId": "initial.issue"', '"stepId": "|"', {"initial.issue"}),
        ('"intentField": "next_action.action"', '"intentField": "next|"', {"next_action", "next_action.action"}),
        (
            '"intentSchemaRef": "#/properties/next_action/properties/action"',
            '"intentSchemaRef": "|"',
            {"#/properties/next_action/properties/action"},
        ),
        ('"fallbackKey": "initial_issue"', '"fallbackKey": "closure_iss|"', set()),
        ('"successWhen": "empty"', '"successWhen": "em|"', {"empty"}),
    ],
)
def test_words_of_the_agents_own_files_are_offered(agent: AgentFolder, old: str, marked: str, labels: set[str]) -> None:
    text = agent.registry.source.text
    if old not in text:
        pytest.fail(f"the example has no {old}")
    _text, after = at_mark(agent, text.replace(old, marked, 1))
    assert labels <= set(after)


def schema_of(agent: AgentFolder) -> ParsedFile:
    document = agent.document(agent.registry.path.parent / "schemas" / "issue.schema.json")
    assert isinstance(document, ParsedFile)
    return document


def in_schema(agent: AgentFolder, old: str, marked: str) -> dict[str, str]:
    document = schema_of(agent)
    text = document.source.text
    assert old in text
    at = text.index(old) + marked.index("|")
    text = text.replace(old, marked.replace("|", "", 1), 1)
    changed = agent.with_buffers({document.path: Source(text)})
    found = schema_completions(changed, ParsedFile.read(document.path, Source(text)), at)
    return {item.label: taken(text, found.span, item) for item in found.items}


def test_a_schemas_keywords_types_and_intents_are_offered(agent: AgentFolder) -> None:
    text = schema_of(agent).source.text
    types = in_schema(agent, '"type": "object"', '"type": "|"')
    assert {"string", "object", "array", "null"} <= set(types)
    json.loads(types["array"])
    first = re.search(r'"enum": ?\[[^\]]*\]', text)
    assert first is not None
    intents = in_schema(agent, first.group(), '"enum": ["|"]')
    assert {"next", "repeat"} <= set(intents)
    assert "string" not in intents
    keys = in_schema(agent, '"type": "object"', '| "type": "object"')
    assert "minItems" in keys
    assert "type" not in keys
    json.loads(keys["title"])


def test_names_of_properties_are_not_proposed(agent: AgentFolder) -> None:
    assert in_schema(agent, '"properties": {', '"properties": {|') == {}


def test_what_a_schemas_keyword_means_is_reported(agent: AgentFolder) -> None:
    document = schema_of(agent)
    text = document.source.text
    told = schema_about(document, text.index('"required"') + 2)
    assert told is not None
    assert told[1] == "required"
    assert schema_about(document, text.index('"stepId"') + 2) is None  # a property


def test_a_key_begun_before_another_in_its_line_takes_its_quotes_along(agent: AgentFolder) -> None:
    text = agent.registry.source.text
    _text, after = at_mark(agent, text.replace('      "stepKind": "work"', '"mod|"      "stepKind": "work"', 1))
    assert '"model": "",      "stepKind"' in after["model"]
    json.loads(after["model"])
