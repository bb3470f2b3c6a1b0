"""Changes of agent.json: a verdict set in one go, a first file, keys and elements, whatever the registry is like."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.changes import BeginAgent, Change, MoveItem, RemoveField, RenameKey, SetField, SetVerdict
from stepflow_gui.formats.climpt.agent.check import check_raw
from stepflow_gui.formats.climpt.eras import GUIDE
from tests.formats.agent.agents import CODE_IMPROVER, ITERATOR
from tests.formats.changes.hand import Agent, check_undo

REGISTRY = '{"agentId": "it", "version": "1.0.0", "c1": "s", "entryStepMapping": {"poll:state": "a"}, "steps": {}}'


def opened(tmp_path: Path, value: Any, registry: str = REGISTRY) -> tuple[Agent, Path]:
    folder = tmp_path / ".agent" / "it"
    folder.mkdir(parents=True)
    (folder / "steps_registry.json").write_text(registry)
    if value is not None:
        text = value if isinstance(value, str) else json.dumps(value, indent=2)
        (folder / "agent.json").write_text(text)
    return Agent.open(folder), folder / "agent.json"


def after(agent: Agent, path: Path, change: Change) -> Any:
    done = agent.done(change)
    check_undo(agent, done)
    return json.loads(done.agent.text(path))


def changed_lines(before: str, text: str) -> int:
    lines, others = before.split("\n"), text.split("\n")
    return sum(line not in lines for line in others)


def test_a_verdict_is_set_with_its_settings(tmp_path: Path) -> None:
    agent, path = opened(tmp_path, ITERATOR)
    change = SetVerdict(path, "/runner/verdict", "detect:keyword", (("verdictKeyword", "DONE"),), ("maxIterations",))
    made = after(agent, path, change)
    assert made["runner"]["verdict"] == {"type": "detect:keyword", "config": {"verdictKeyword": "DONE"}}
    assert changed_lines(agent.text(path), agent.done(change).agent.text(path)) == 2


def test_a_verdict_is_begun_where_there_is_none(tmp_path: Path) -> None:
    agent, path = opened(tmp_path, {"name": "it", "runner": {"flow": {}, "boundaries": {}}})
    made = after(agent, path, SetVerdict(path, "/runner/verdict", "count:check", (("maxChecks", 3),)))
    assert list(made["runner"]) == ["flow", "verdict", "boundaries"]
    assert made["runner"]["verdict"] == {"type": "count:check", "config": {"maxChecks": 3}}


def test_a_verdict_of_the_older_layout_and_inside_a_composite(tmp_path: Path) -> None:
    agent, path = opened(tmp_path, CODE_IMPROVER)
    change = SetVerdict(
        path, "/behavior", "count:iteration", (("maxIterations", 4),), (), "completionType", "completionConfig"
    )
    made = after(agent, path, change)
    assert made["behavior"]["completionType"] == "count:iteration"
    assert made["behavior"]["completionConfig"] == {"maxIterations": 4}


def test_a_verdict_cant_be_set_in_what_is_no_object(tmp_path: Path) -> None:
    agent, path = opened(tmp_path, {"name": "it", "runner": []})
    assert agent.refused(SetVerdict(path, "/runner/verdict", "count:check")).reason == "“runner” is not an object"


def test_agent_json_can_be_edited_beside_a_broken_or_strange_registry(tmp_path: Path) -> None:
    agent, path = opened(tmp_path, ITERATOR, '{"agentId": ')
    assert after(agent, path, SetField("/runner/verdict/config/maxIterations", 7, path))
    assert agent.refused(SetField("/agentId", "x")).reason


def test_a_parameter_is_renamed_and_its_users_are_named(tmp_path: Path) -> None:
    registry = json.loads(REGISTRY) | {"steps": {"a": {"stepId": "a", "uvVariables": ["issue"]}}}
    agent, path = opened(tmp_path, ITERATOR, json.dumps(registry))
    done = agent.done(RenameKey("/parameters/issue", "ticket", path))
    made = json.loads(done.agent.text(path))
    assert list(made["parameters"]) == ["ticket", "iterateMax", "resume"]
    assert done.plan.notes == ("These steps still ask for “issue” in their uvVariables: “a”",)
    assert agent.done(RenameKey("/parameters/resume", "again", path)).plan.notes == ()
    assert "already" in agent.refused(RenameKey("/parameters/issue", "resume", path)).reason


def test_elements_move_and_fields_go(tmp_path: Path) -> None:
    agent, path = opened(tmp_path, ITERATOR)
    made = after(agent, path, MoveItem("/runner/actions/types/0", 2, path))
    assert made["runner"]["actions"]["types"] == ["project-plan", "review-result", "issue-action"]
    made = after(agent, path, RemoveField("/runner/execution/worktree/root", path))
    assert made["runner"]["execution"] == {"worktree": {"enabled": True}}


@pytest.mark.parametrize("key", ["poll:state", "iterate", "meta:composite", "count:check", "strange", None])
def test_a_first_agent_json_lacks_only_what_a_person_knows(tmp_path: Path, key: str | None) -> None:
    registry = json.loads(REGISTRY) | {"entryStepMapping": {key: "a"} if key else {}}
    agent, path = opened(tmp_path, None, json.dumps(registry))
    made = after(agent, path, BeginAgent(path))
    kinds = {problem.kind for problem in check_raw(made, GUIDE) if not problem.is_warning}
    assert kinds <= {"verdict_config_required"}
    assert made["name"] == "it"
    known = key not in {"strange", None}
    wanted = {"iterate": "count:iteration"}.get(key or "", key) if known else "count:iteration"
    assert made["runner"]["verdict"]["type"] == wanted
    assert ("issue" in made["parameters"]) == (key == "poll:state")


def test_a_file_that_is_there_isnt_begun(tmp_path: Path) -> None:
    agent, path = opened(tmp_path, ITERATOR)
    assert "already" in agent.refused(BeginAgent(path)).reason
