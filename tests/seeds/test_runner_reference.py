"""The runner reference: its groups, verdict types and defaults. The agents' tests look at its example, too."""

from typing import Any

import pytest

from stepflow_gui.formats.climpt.agent.fields import AGENT, VERDICTS
from stepflow_gui.formats.climpt.agent.resolving import resolve_agent
from stepflow_gui.formats.fields import Field, Shape, field_at
from stepflow_gui.lint.engine.engine import lint
from tests.formats.agent.agents import ITERATOR, changed, document_of
from tests.seeds import guide
from tests.seeds.conftest import Write

# The diagram of the groups: runner → group → fields.
GROUPS = {
    "flow": ["systemPromptPath", "prompts", "schemas", "defaultModel", "askUserAutoResponse"],
    "verdict": ["type", "config"],
    "boundaries": ["allowedTools", "permissionMode", "sandbox"],
    "integrations": ["github"],
    "actions": ["enabled", "types", "outputFormat", "handlers"],
    "execution": ["worktree", "finalize"],
    "logging": ["directory", "format", "maxFiles"],
}
REQUIRED = {"flow", "verdict", "boundaries"}

# The decision diagram ends in these eight; beside each the config that it requires.
VERDICT_TABLE = {
    "count:iteration": {"maxIterations"},
    "count:check": {"maxChecks"},
    "poll:state": set[str](),
    "detect:keyword": {"verdictKeyword"},
    "detect:structured": {"signalType"},
    "detect:graph": set[str](),
    "meta:composite": {"operator", "conditions"},
    "meta:custom": {"handlerPath"},
}
DEFAULTS = {
    "flow.prompts.registry": "steps_registry.json",
    "flow.prompts.fallback_dir": "prompts",
    "verdict.type": "count:iteration",
    "verdict.config.max_iterations": 10,
    "boundaries.permission_mode": "plan",
    "boundaries.allowed_tools": ("*",),
    "integrations.github.enabled": True,
    "execution.worktree.enabled": False,
    "logging.directory": "logs",
    "logging.format": "jsonl",
}
CHOICES = {
    "boundaries/permissionMode": {"default", "plan", "acceptEdits", "bypassPermissions"},
    "boundaries/sandbox/network/mode": {"trusted", "none", "custom"},
    "integrations/github/defaultClosureAction": {"close", "label-only", "label-and-close"},
    "logging/format": {"jsonl", "text"},
    "verdict/type": set(VERDICT_TABLE),
    "verdict/config/resourceType": {"github-issue", "github-project", "file", "api"},
    "verdict/config/operator": {"and", "or", "first"},
    "flow/defaultModel": {"sonnet", "opus", "haiku"},
}


def field(path: str) -> Field:
    found = field_at(AGENT, f"/runner/{path}", "guide")
    assert isinstance(found, Field), path
    return found


def known(shape: Shape) -> list[str]:
    return [each.name for each in shape.fields if each.known_in("guide")]


def test_the_groups_are_those_of_the_diagram() -> None:
    runner = field_at(AGENT, "/runner", "guide")
    assert isinstance(runner, Field)
    assert runner.need != "no"
    assert set(known(runner.shape)) == set(GROUPS)
    for group, names in GROUPS.items():
        assert known(field(group).shape) == names
        assert (field(group).need != "no") == (group in REQUIRED), group


def test_the_verdict_types_are_those_of_the_diagram() -> None:
    assert {name: set(verdict.needed) for name, verdict in VERDICTS.items()} == VERDICT_TABLE


@pytest.mark.parametrize("path", CHOICES)
def test_the_values_are_those_of_the_tables(path: str) -> None:
    assert set(field(path).shape.choices) == CHOICES[path]


def test_the_defaults_are_those_of_the_table() -> None:
    runner = resolve_agent(document_of({})).runner

    def at(path: str) -> Any:
        value: Any = runner
        for name in path.split("."):
            value = getattr(value, name)
        return value

    assert {path: at(path) for path in DEFAULTS} == DEFAULTS


@pytest.mark.parametrize(("verdict", "limit"), [("poll:state", 20), ("count:iteration", 10)])
def test_the_limit_where_none_is_set(verdict: str, limit: int) -> None:
    agent = resolve_agent(document_of(changed("/runner/verdict", {"type": verdict})))
    assert agent.runner.verdict.limit == limit


def test_the_whole_example_has_no_error_and_no_warning(write: Write) -> None:
    found = [each for each in lint(write(guide.CONTRACT, ITERATOR)) if each.file.name == "agent.json"]
    assert {each.severity for each in found} <= {"info"}
