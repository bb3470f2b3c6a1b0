"""agent.json is read in both of its layouts, whatever the types."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.agent.agent_file import AgentDefinition, read_agent
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source

FIELDS = (
    "name",
    "display_name",
    "verdict_type",
    "system_prompt_path",
    "registry_path",
    "fallback_dir",
    "schemas_base",
    "default_model",
    "default_closure_action",
)


def agent_of(value: Any) -> AgentDefinition:
    text = value if isinstance(value, str) else json.dumps(value, indent=2)
    return read_agent(ParsedFile.read(Path("agent.json"), Source(text)))


RUNNER = {
    "name": "iterator",
    "displayName": "Iterator Agent",
    "parameters": {
        "issue": {"type": "number", "required": True, "cli": "--issue"},
        "resume": {"type": "boolean", "required": False, "default": False},
        "odd": 3,
    },
    "runner": {
        "flow": {
            "systemPromptPath": "prompts/system.md",
            "prompts": {"registry": "steps_registry.json", "fallbackDir": "prompts/"},
            "schemas": {"base": "schemas"},
            "defaultModel": "sonnet",
        },
        "verdict": {"type": "poll:state", "config": {"maxIterations": 500}},
        "integrations": {"github": {"enabled": True, "defaultClosureAction": "label-only"}},
    },
}
FLAT = {
    "name": "iterator",
    "displayName": "Iterator Agent",
    "behavior": {
        "systemPromptPath": "prompts/system.md",
        "completionType": "externalState",
        "completionConfig": {"maxIterations": 500},
    },
    "prompts": {"registry": "steps_registry.json", "fallbackDir": "prompts/"},
    "github": {"defaultClosureAction": "close"},
}


def said(agent: AgentDefinition) -> dict[str, str | None]:
    return {field: text.value if (text := getattr(agent, field)) else None for field in FIELDS}


def test_the_runner_layout() -> None:
    agent = agent_of(RUNNER)
    assert agent.layout == "runner"
    assert said(agent) == {
        "name": "iterator",
        "display_name": "Iterator Agent",
        "verdict_type": "poll:state",
        "system_prompt_path": "prompts/system.md",
        "registry_path": "steps_registry.json",
        "fallback_dir": "prompts/",
        "schemas_base": "schemas",
        "default_model": "sonnet",
        "default_closure_action": "label-only",
    }
    assert agent.max_iterations == 500
    assert [(each.name, each.required, each.has_default) for each in agent.parameters] == [
        ("issue", True, False),
        ("resume", False, True),
        ("odd", False, False),
    ]
    assert agent.parameters[0].cli is not None
    assert agent.parameters[0].cli.value == "--issue"


def test_the_flat_layout() -> None:
    agent = agent_of(FLAT)
    assert agent.layout == "flat"
    assert agent.max_iterations == 500
    assert said(agent) == {
        "name": "iterator",
        "display_name": "Iterator Agent",
        "verdict_type": "externalState",
        "system_prompt_path": "prompts/system.md",
        "registry_path": "steps_registry.json",
        "fallback_dir": "prompts/",
        "schemas_base": None,
        "default_model": None,
        "default_closure_action": "close",
    }


def test_runner_wins_where_both_layouts_are_there() -> None:
    agent = agent_of({**FLAT, **RUNNER})
    assert agent.layout == "runner"
    assert agent.verdict_type is not None
    assert agent.verdict_type.value == "poll:state"


def test_the_verdict_under_its_older_name() -> None:
    agent = agent_of({"runner": {"completion": {"type": "externalState", "config": {"maxIterations": 3}}}})
    assert agent.verdict_type is not None
    assert (agent.verdict_type.value, agent.verdict_type.pointer) == ("externalState", "/runner/completion/type")
    assert agent.max_iterations == 3


@pytest.mark.parametrize(
    "value",
    ["", "{", "[]", "null", "3", {}, {"runner": 3}, {"runner": {"flow": [], "verdict": "x"}}, {"parameters": []}],
)
def test_what_is_absent_or_of_another_type_is_none(value: Any) -> None:
    agent = agent_of(value)
    assert set(said(agent).values()) == {None}
    assert (agent.max_iterations, agent.parameters) == (None, [])


@pytest.mark.parametrize("limit", ["5", True, None, 2.5, [], {}])
def test_a_limit_that_is_no_whole_number_is_none(limit: Any) -> None:
    assert agent_of({"runner": {"verdict": {"config": {"maxIterations": limit}}}}).max_iterations is None


def test_every_real_agent_has_its_strings_where_they_stand(corpus: Path) -> None:
    paths = sorted((corpus / "climpt").glob("**/agent.json"))
    assert len(paths) > 100
    for path in paths:
        document = ParsedFile.read(path, Source.decode(path.read_bytes()))
        agent = read_agent(document)
        assert agent.name is not None
        assert agent.verdict_type is not None
        assert agent.registry_path is not None
        assert agent.max_iterations is not None or "{{" in document.source.text
        for field in FIELDS:
            text: Text | None = getattr(agent, field)
            if text:
                assert json.loads(document.source.text[text.span.start : text.span.end]) == text.value
                node = document.tree.at(text.pointer)
                assert node is not None
                assert node.value == text.value
