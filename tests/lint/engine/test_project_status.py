"""The agents of a project are found and looked at one by one, and again only where something changed."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepflow_gui.lint.engine.configured_lint import lint_as_configured
from stepflow_gui.lint.engine.outcome import sources_of
from stepflow_gui.lint.engine.project_status import CheckedAgent, Health, ProjectChecker
from stepflow_gui.lint.suppressions.baseline import write_baseline
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.files.store import ReadProblem, read
from stepflow_gui.text.source import Source
from tests.project.conftest import Project

LONG_AGO = 1_600_000_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "repository"
    for name in ("billing", "webapp"):
        copy_example(into=made / name)
    age(made)
    return made


def age(folder: Path) -> None:
    """As if all had been written long ago."""
    for path in (folder, *folder.rglob("*")):
        os.utime(path, (LONG_AGO, LONG_AGO))


def registry(root: Path, name: str) -> Path:
    return next((root / name).rglob("steps_registry.json"))


def keys(examiner: ProjectChecker) -> list[Path]:
    return sorted(key for found, _problems in examiner.find() for key in found)


def changed(examiner: ProjectChecker) -> Iterator[Path]:
    examiner.begin()
    return (key for key in keys(examiner) if examiner.changed(key))


def look(root: Path) -> dict[str, CheckedAgent]:
    examiner = ProjectChecker(root)
    return {key.relative_to(root).parts[0]: examiner.examine(key) for key in keys(examiner)}


def test_the_health_is_the_linters(root: Path) -> None:
    broken = registry(root, "billing")
    broken.write_text(broken.read_text("utf-8").replace('"closure.issue"', '"closure.isue"', 1), "utf-8")
    said = lint_as_configured(broken)
    assert isinstance(said, list)
    told = look(root)
    assert told["billing"].health.errors == sum(found.severity == "error" for found in said) > 0
    assert sum(each.errors for each in told["billing"].files.values()) == told["billing"].health.errors
    assert told["webapp"].health == Health()
    assert told["webapp"].health.worst is None


def test_files_that_arent_there_are_as_severe_as_in_the_linter(root: Path) -> None:
    folder = registry(root, "billing").parent
    shutil.rmtree(folder / "prompts" / "steps" / "closure")
    (folder / "schemas" / "issue.schema.json").unlink()
    told = look(root)["billing"]
    assert {path.name: severity for path, severity in told.missing.items()} == {
        "f_default.md": "warning",
        "f_failed_git-dirty.md": "warning",
        "f_failed_type-error.md": "warning",
        "issue.schema.json": "error",
    }
    assert told.listing is not None
    assert {file.path for file in told.listing.files if not file.there} == set(told.missing)


def test_agents_without_registry_or_of_broken_files_are_reported_too(root: Path) -> None:
    (root / "webapp" / "package").mkdir()
    (root / "webapp" / "package" / "agent.json").write_text('{"name": "no agent at all"}', "utf-8")
    lost = root / "lost"
    lost.mkdir()
    (lost / "agent.json").write_text(json.dumps({"name": "Lost", "runner": {"flow": {}}}), "utf-8")
    registry(root, "billing").write_bytes(b'{"steps": \xff}')
    examiner = ProjectChecker(root)
    told = {key.parent.name: examiner.examine(key) for key in keys(examiner)}
    assert len(told) == 2 + (registry(root, "webapp").parent.name != registry(root, "billing").parent.name)
    bare = told["lost"]
    assert (bare.problem and bare.problem.kind, bare.listing and bare.listing.name) == ("no-registry", "Lost")
    assert list(bare.missing.values()) == ["error"]
    broken = examiner.examine(registry(root, "billing"))
    assert broken.problem is not None
    assert broken.problem.kind == "not-utf8"


def test_only_what_changed_is_looked_at_again(root: Path) -> None:
    examiner = ProjectChecker(root)
    assert len(list(changed(examiner))) == 2
    for key in keys(examiner):
        examiner.examine(key)
    assert list(changed(examiner)) == []
    billing = registry(root, "billing")
    (billing.parent / "prompts" / "steps" / "new").mkdir()
    (billing.parent / "prompts" / "steps" / "new" / "f_default.md").write_text("x", "utf-8")
    assert list(changed(examiner)) == [billing]
    examiner.examine(billing)
    age(root)
    assert list(changed(examiner)) == [billing]  # what has only just changed may change again within a tick
    examiner.examine(billing)
    assert list(changed(examiner)) == []
    (root / "stepflow.toml").write_text('ignore = ["SF506"]\n', "utf-8")
    assert len(list(changed(examiner))) == 2


def test_what_a_baseline_holds_doesnt_count(root: Path) -> None:
    for name in ("billing", "webapp"):
        shutil.rmtree(registry(root, name).parent / "prompts" / "steps" / "closure")
    agent = open_agent(registry(root, "billing"))
    assert isinstance(agent, AgentFolder)
    found = lint_as_configured(agent.registry.path)
    assert isinstance(found, list)
    write_baseline(root / "known.json", found, sources_of(agent, found))
    for config in root.rglob("stepflow.toml"):
        config.unlink()
    (root / "stepflow.toml").write_text('baseline = "known.json"\n', "utf-8")
    told = look(root)
    assert told["billing"].health.warnings == 0
    assert told["webapp"].health.warnings > 0


def test_the_work_grows_with_the_agents_and_not_faster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []
    scandir = os.scandir

    def noted_read(path: Path) -> Source | ReadProblem:
        looked.append(path)
        return read(path)

    def noted_scandir(path: str) -> object:
        looked.append(path)
        return scandir(path)

    monkeypatch.setattr("stepflow_gui.project.files.read", noted_read)
    monkeypatch.setattr(os, "scandir", noted_scandir)

    def work(count: int) -> int:
        root = tmp_path / str(count)
        for number in range(count):
            Project(root / f"p{number}")
        (root / ".git").mkdir()
        suppression = '[[suppress]]\nrule = "SF506"\nreason = "known"\n'
        (root / "stepflow.toml").write_text(suppression, "utf-8")
        looked.clear()
        look(root)
        return len(looked)

    assert work(40) <= 4.2 * work(10)
