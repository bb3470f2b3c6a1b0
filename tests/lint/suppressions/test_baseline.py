"""Baselines: what is known stays known however lines move, and what is new is reported."""

import json
from pathlib import Path

import pytest

from stepflow_gui.lint.config.file import ConfigProblem
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.outcome import judge
from stepflow_gui.lint.suppressions.baseline import Baseline, read_baseline, write_baseline
from stepflow_gui.messages import use_language
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.lint.conftest import Open

STEP = "/steps/initial.issue"
BROKEN = {
    f"{STEP}/fallbackKey": "initial.issue",
    f"{STEP}/structuredGate/allowedIntents": ["next", "repeat", "nxt"],
    "/entryStepMapping/poll:state": "initial.isue",
}


def written(agent: AgentFolder, path: Path) -> Baseline:
    outcome = judge([agent])
    assert outcome.diagnostics
    assert write_baseline(path, outcome.diagnostics, outcome.sources) == (path, len(outcome.diagnostics))
    baseline = read_baseline(path)
    assert isinstance(baseline, Baseline)
    return baseline


def new(agent: AgentFolder, baseline: Baseline) -> list[Diagnostic]:
    outcome = judge([agent])
    return baseline.split(outcome.diagnostics, outcome.sources).new


def edited(agent: AgentFolder, old: str, text: str) -> AgentFolder:
    path = agent.registry.path
    before = path.read_text("utf-8")
    assert old in before
    path.write_text(before.replace(old, text, 1), "utf-8")
    return agent.reread([path])


def test_what_is_known_is_not_new(open_example: Open, tmp_path: Path) -> None:
    agent = open_example(BROKEN)
    baseline = written(agent, tmp_path / "baseline.json")
    outcome = judge([agent])
    assert baseline.split(outcome.diagnostics, outcome.sources) == ([], len(outcome.diagnostics))


def test_lines_may_move_and_lists_be_reordered(open_example: Open, tmp_path: Path) -> None:
    agent = open_example(BROKEN)
    baseline = written(agent, tmp_path / "baseline.json")
    agent = edited(agent, "{", "{\n\n\n")
    text = agent.registry.source.text
    start = text.index('"allowedIntents"')
    listed = text[start : text.index("]", start)]
    agent = edited(agent, listed, '"allowedIntents": ["nxt", "repeat", "next"')
    assert new(agent, baseline) == []


def test_the_language_may_change(open_example: Open, tmp_path: Path) -> None:
    agent = open_example(BROKEN)
    use_language("ja")
    baseline = written(agent, tmp_path / "baseline.json")
    use_language("en")
    assert new(agent, baseline) == []


def test_another_mistake_of_the_same_kind_is_new(open_example: Open, tmp_path: Path) -> None:
    agent = open_example(BROKEN)
    baseline = written(agent, tmp_path / "baseline.json")
    agent = edited(agent, '"nxt"', '"nxt", "rpt"')
    found = new(agent, baseline)
    assert {each.code for each in found} == {"SF205"}
    assert all("rpt" in each.message for each in found)


def test_a_file_may_be_renamed(open_example: Open, tmp_path: Path) -> None:
    agent = open_example(BROKEN)
    baseline = written(agent, tmp_path / "baseline.json")
    moved = agent.registry.path.rename(agent.registry.path.with_name("flow_registry.json"))
    found = open_agent(moved)
    assert isinstance(found, AgentFolder)
    assert [each for each in new(found, baseline) if each.file == moved] == []


def test_a_copy_of_a_file_that_is_still_there_is_new(open_example: Open, tmp_path: Path) -> None:
    agent = open_example(BROKEN)
    baseline = written(agent, tmp_path / "baseline.json")
    copy = agent.registry.path.with_name("flow_registry.json")
    copy.write_bytes(agent.registry.path.read_bytes())
    found = open_agent(copy)
    assert isinstance(found, AgentFolder)
    assert new(found, baseline)


def test_a_baseline_is_one_finding_a_line_without_line_numbers(open_example: Open, tmp_path: Path) -> None:
    agent = open_example({**BROKEN, f"{STEP}/name": 7})
    path = tmp_path / "baseline.json"
    written(agent, path)
    text = path.read_text("utf-8")
    content = json.loads(text)
    assert content["version"] == 1
    assert len(text.splitlines()) == len(content["findings"]) + 5
    assert content["findings"] == sorted(content["findings"], key=lambda entry: (entry["file"], entry["code"]))
    assert {"file": ".agent/issue-flow/steps_registry.json", "code": "SF501", "step": "initial.issue"}.items() <= (
        next(entry for entry in content["findings"] if entry["code"] == "SF501").items()
    )
    assert not {"line", "range", "message"} & set().union(*content["findings"])


def test_of_nothing_an_empty_baseline_is_written(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    assert write_baseline(path, [], {}) == (path, 0)
    baseline = read_baseline(path)
    assert isinstance(baseline, Baseline)
    assert not baseline.entries


def test_what_can_not_be_read_is_reported(tmp_path: Path) -> None:
    odd = tmp_path / "odd.json"
    odd.write_bytes(b"\xff\xfe")
    for path, reason in ((tmp_path, "it is a folder"), (odd, "not UTF-8 text")):
        found = read_baseline(path)
        assert isinstance(found, ConfigProblem)
        assert found.message == f"the baseline can't be read ({reason})"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "file not found"),
        ("{", "this is not a baseline"),
        ("[]", "this is not a baseline"),
        ('{"findings": []}', "this is not a baseline"),
        ('{"version": 99, "findings": []}', "has version 99, but this Stepflow reads version 1"),
        ('{"version": 1,\n "findings": [\n  {"code": 7}]}', "this is not a finding"),
        ('{"version": 1,\n "findings": [\n  {"code": "SF301", "file": "a", "count": -1}]}', "this is not a finding"),
        ('{"version": 1,\n "findings": [\n  {"code": "SF301", "file": "a", "count": true}]}', "this is not a finding"),
        ('{"version": 1}', "has no list “findings”"),
        ('{"version": 1, "findings": {}}', "has no list “findings”"),
    ],
)
def test_what_is_no_baseline_is_reported(text: str | None, says: str, tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    if text is not None:
        path.write_text(text, "utf-8")
    found = read_baseline(path)
    assert isinstance(found, ConfigProblem)
    assert says in found.message
    assert found.line == (3 if "finding" in says and "code" in (text or "") else None)
