"""Linting by the configuration, for callers that show findings elsewhere than on the command line."""

import json
from pathlib import Path

from stepflow_gui.lint.engine.configured_lint import lint_as_configured
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source
from tests.lint.conftest import Open

BROKEN = {"/steps/initial.issue/fallbackKey": "initial-issue", "/entryStepMapping/poll:state": "gone"}


def codes(path: Path, unsaved: dict[Path, Source] | None = None) -> list[str]:
    found = lint_as_configured(path, unsaved)
    assert isinstance(found, list)
    return sorted(each.code for each in found)


def test_rules_formats_and_baselines_are_heeded(open_example: Open) -> None:
    agent = open_example(BROKEN)
    path = agent.registry.path
    config = agent.folder / "stepflow.toml"
    assert codes(path) == ["SF402", "SF501"]
    config.write_text('ignore = ["SF402"]', "utf-8")
    assert codes(path) == ["SF501"]
    config.write_text('baseline = "known.json"', "utf-8")
    known = {"file": path.name, "code": "SF402", "pointer": "/entryStepMapping/poll:state"}
    (agent.folder / "known.json").write_text(json.dumps({"version": 1, "findings": [known]}), "utf-8")
    assert codes(path) == ["SF501"]
    (agent.folder / "known.json").write_text("{", "utf-8")
    assert codes(path) == ["SF402", "SF501"]
    config.write_text('format = "c3l"\nselect = ["SF501", "SF504"]', "utf-8")
    assert set(codes(path)) == {"SF504"}


def test_unsaved_texts_are_what_is_linted(open_example: Open) -> None:
    agent = open_example()
    text = agent.registry.source.text.replace('"poll:state": "initial.issue"', '"poll:state": "gone"')
    assert codes(agent.registry.path, {agent.registry.path: Source(text)}) == ["SF402"]


def test_what_is_not_there_is_reported(tmp_path: Path) -> None:
    assert isinstance(lint_as_configured(tmp_path / "gone.json"), ReadProblem)
