"""Older layouts of agent.json brought into the current one: nothing lost, the parts' own text kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.changes import ConvertAgent
from stepflow_gui.formats.climpt.agent.check import check_raw
from stepflow_gui.formats.climpt.agent.converting import converted
from stepflow_gui.formats.climpt.agent.resolving import resolve_agent
from stepflow_gui.formats.climpt.eras import GUIDE
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.formats.agent.agents import CODE_IMPROVER, ITERATOR, changed
from tests.formats.changes.hand import Agent, check_undo

FLAT_TEXT = """{
  "name": "old",
  "displayName": "\\u53e4\\u3044",
  "behavior": {
    "systemPromptPath": "prompts/system.md",
    "completionType": "keyword",
    "completionConfig": { "completionKeyword": "DONE", "maxIterations": 1e1 },
    "allowedTools": ["Read",
      "Write"],
    "preCloseValidation": { "enabled": true }
  },
  "note": [1, 2],
  "github": { "enabled": true, "labels": { "x": "y" } },
  "worktree": { "enabled": false }
}
"""


def document(value: Any) -> ParsedFile:
    return ParsedFile.read(Path("agent.json"), Source(value if isinstance(value, str) else json.dumps(value)))


def leaves(value: Any) -> list[str]:
    if isinstance(value, dict | list):
        inside = value.values() if isinstance(value, dict) else value
        return sorted(leaf for inner in inside for leaf in leaves(inner))
    return [json.dumps(value)]


def agent_with(tmp_path: Path, text: str) -> tuple[Agent, Path]:
    folder = tmp_path / ".agent" / "old"
    folder.mkdir(parents=True)
    (folder / "steps_registry.json").write_text('{"agentId": "old", "version": "1.0.0", "c1": "steps", "steps": {}}')
    (folder / "agent.json").write_bytes(text.encode())
    return Agent.open(folder), folder / "agent.json"


def test_each_part_has_its_place_of_today() -> None:
    made = converted(CODE_IMPROVER).value
    assert list(made) == ["name", "displayName", "description", "runner"]
    assert list(made["runner"]) == ["flow", "verdict", "boundaries", "logging"]
    assert made["runner"]["verdict"] == {"type": "detect:graph", "config": {}}
    assert not [problem for problem in check_raw(made, GUIDE) if problem.kind != "missing_field"]


def test_an_agent_of_today_is_left_alone() -> None:
    assert converted(ITERATOR) == (ITERATOR, (), (), ())


def test_what_was_given_isnt_changed() -> None:
    value = json.loads(json.dumps(CODE_IMPROVER))
    converted(value)
    assert value == CODE_IMPROVER


def test_what_has_no_place_today_stays() -> None:
    value = changed("/behavior/preCloseValidation", {"enabled": True}, CODE_IMPROVER)
    made = converted(value)
    assert made.kept == ("/behavior/preCloseValidation",)
    assert made.value["behavior"] == {"preCloseValidation": {"enabled": True}}


def test_real_files_keep_every_value_and_mean_the_same(corpus: Path) -> None:
    seen = set()
    for path in sorted((corpus / "climpt").rglob("agent.json")):
        before = document(path.read_text("utf-8"))
        root = before.root
        if root is None or not isinstance(root.value, dict):
            continue
        made = converted(root.value)
        seen.add(made.value == root.value)
        same = [leaf for leaf in leaves(root.value) if leaf in leaves(made.value)]
        assert len(leaves(made.value)) == len(leaves(root.value))
        assert len(same) >= len(leaves(root.value)) - 1  # the verdict type may have another name now
        first, second = resolve_agent(before), resolve_agent(document(made.value))
        assert second.layout != "flat"
        assert first.runner == second.runner
        assert first.parameters == second.parameters
        assert converted(made.value).value == made.value
    assert seen == {True, False}


def test_half_moved_parts_follow_unless_their_place_is_taken() -> None:
    value = {
        "name": "half",
        "runner": {"flow": {"systemPromptPath": "a.md"}, "logging": {"directory": "logs"}},
        "behavior": {"systemPromptPath": "b.md", "defaultModel": "opus"},
        "logging": {"directory": "logs", "format": "text"},
        "github": {"enabled": True},
    }
    made = converted(value)
    runner = made.value["runner"]
    assert runner["flow"] == {"systemPromptPath": "a.md", "defaultModel": "opus"}
    assert runner["logging"] == {"directory": "logs", "format": "text"}
    assert runner["integrations"] == {"github": {"enabled": True}}
    assert made.taken == (("/behavior/systemPromptPath", "/runner/flow/systemPromptPath"),)
    assert made.value["behavior"] == {"systemPromptPath": "b.md"}
    assert "logging" not in made.value


def test_the_older_name_of_the_verdict_and_of_those_inside() -> None:
    inner = {"type": "iterate", "config": {"maxIterations": 3}}
    value = {"runner": {"completion": {"type": "composite", "config": {"operator": "or", "conditions": [inner]}}}}
    made = converted(value).value["runner"]
    assert list(made) == ["verdict"]
    assert made["verdict"]["type"] == "meta:composite"
    assert made["verdict"]["config"]["conditions"][0]["type"] == "count:iteration"


def test_the_change_keeps_the_parts_own_text_and_lists_what_stays(tmp_path: Path) -> None:
    agent, path = agent_with(tmp_path, FLAT_TEXT)
    done = agent.done(ConvertAgent(path))
    text = done.agent.text(path)
    assert '"allowedTools": ["Read",\n        "Write"]' in text
    assert "1e1" in text
    assert "\\u53e4\\u3044" in text
    assert '"verdictKeyword": "DONE"' in text
    assert '"labels": { "x": "y" }' in text
    assert done.plan.notes == ("“behavior.preCloseValidation” has no place in the current layout: it stays as it is",)
    assert json.loads(text)["note"] == [1, 2]
    check_undo(agent, done)
    assert done.agent.refused(ConvertAgent(path)).reason == "“agent.json” has the current layout already"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"behavior": {}, }', "has a syntax error"),
        ('{"name": "a", "name": "b", "behavior": {"completionType": "iterate"}}', "appears twice"),
        ('["behavior"]', "is not an object"),
        ('{"runner": 3, "logging": {"format": "text"}}', "is not an object"),
    ],
)
def test_what_cant_be_converted_without_loss_is_refused(tmp_path: Path, text: str, said: str) -> None:
    agent, path = agent_with(tmp_path, text)
    assert said in agent.refused(ConvertAgent(path)).reason
