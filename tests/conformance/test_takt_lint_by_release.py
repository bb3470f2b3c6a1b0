"""Whichever release of TAKT the settings name: what it refuses has an error and isn't run, what it loads has none."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.takt.detect import is_piece
from stepflow_gui.formats.takt.releases import sets
from stepflow_gui.formats.takt.releases.loading import held_against_releases
from stepflow_gui.formats.takt.releases.table import GENERATIONS, RELEASES
from stepflow_gui.formats.takt.runners import runner_named
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.configured_lint import fix_all_as_configured
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.engine.outcome import judge_one
from stepflow_gui.lint.fixing import Choosing, Fixed, any_fixes, safe_fixes
from stepflow_gui.lint.release_guard import release_guard
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.run.takt.opening import piece_in
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import YamlTree, read_yaml_tree
from tests.conftest import Thin

ABORTS = {"SF303", "T005", "T007", "T026"}  # runs of what loads end there
LAST = [RELEASES[RELEASES.index(first) - 1] for first in list(GENERATIONS.values())[1:]] + ["head"]
OF_THE_PROJECT = {  # what a project's own configuration would allow, or holds
    "steps-step-provider-options-extends",
}


def _cases(conformance: Path) -> list[dict[str, Any]]:
    folder = conformance / "takt" / "versions" / "cases"
    if not folder.is_dir():
        pytest.skip("no cases by release there")
    return [case for path in sorted(folder.glob("*.json")) for case in json.loads(path.read_text("utf-8"))]


def _folder(release: str) -> str:
    old = RELEASES.index(release) <= RELEASES.index("0.4.1") or RELEASES.index(release) >= RELEASES.index("0.34.0")
    return "workflows" if old else "pieces"


def _loads(case: dict[str, Any], release: str) -> bool:
    at = RELEASES.index(release)
    runs = case["by_release"]
    return any(run["loads"] for run in runs if RELEASES.index(run["from"]) <= at <= RELEASES.index(run["to"]))


def _errors(found: list[Diagnostic]) -> list[str]:
    errors = [each for each in found if each.severity == "error" and each.code not in ABORTS]
    return [f"{each.code} {each.message}" for each in errors if not each.message.endswith("the run ends there")]


@pytest.mark.slow
def test_what_a_release_refuses_has_an_error_and_what_it_loads_has_none(
    conformance: Path, tmp_path: Path, full: bool
) -> None:
    cases = _cases(conformance)
    tree = json.loads((conformance / "takt" / "versions" / "tree.json").read_text("utf-8"))
    for folder in ("pieces", "workflows"):
        for name, text in tree.items():
            path = tmp_path / name.replace("{dir}", folder)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    wrong = []
    for number, case in enumerate(cases):
        for release in LAST if full else LAST[number % 5 :: 5]:
            path = tmp_path / ".takt" / _folder(release) / "case.yaml"
            path.write_text(case["yaml"], encoding="utf-8", newline="")
            agent = open_agent(path)
            assert isinstance(agent, AgentFolder)
            errors, loads = _errors(lint(agent, LintSettings(f"takt-{release}"))), _loads(case, release)
            runner = runner_named(f"takt-{release}")
            assert runner is not None
            runs = isinstance(piece_in(agent, runner), Piece)
            path.unlink()
            if (loads == bool(errors) or loads != runs) and not (case["id"] in OF_THE_PROJECT and not loads):
                wrong.append((case["id"], release, runs, errors))
    assert not wrong, "\n".join(map(str, wrong[:20]))


def _pieces(paths: list[Path]) -> list[Path]:
    found = []
    for path in paths:
        tree = read_yaml_tree(Source(path.read_text(encoding="utf-8-sig")))
        if tree.root is not None and is_piece(tree.root.value):
            found.append(path)
    return found


def test_a_real_file_has_no_error_under_a_release_that_loads_it(corpus: Path, thin: Thin) -> None:
    """One file in sixteen; --full: each."""
    wrong, looked = [], 0
    for path in _pieces(thin(sorted((corpus / "takt").rglob("*.yaml")), 16)):
        agent = open_agent(path)
        assert isinstance(agent, AgentFolder)
        loads = held_against_releases(agent.registry.tree).loads
        for release in [*LAST, None]:
            if loads & (sets.between(release, release) if release else sets.ALL):
                looked += 1
                found = lint(agent, LintSettings(f"takt-{release}" if release else None))
                wrong += [(path.name, release, error) for error in _errors(found)]
    assert not wrong, wrong
    assert looked > 10


def test_no_fix_that_is_offered_harms_a_release(corpus: Path, thin: Thin) -> None:
    """One file in eight; --full: each."""
    wrong = []
    for path in _pieces(thin(sorted((corpus / "takt").rglob("*.yaml")), 8)):
        agent = open_agent(path)
        assert isinstance(agent, AgentFolder)
        tree = agent.registry.tree
        guard = release_guard(tree) if isinstance(tree, YamlTree) else None
        for found in judge_one(agent, None).diagnostics:
            for fix in found.fixes:
                edits = [
                    TextEdit(edit.range.start.offset, edit.range.end.offset, edit.text)
                    for edit in fix.edits
                    if edit.file == path
                ]
                after = read_yaml_tree(Source(apply(agent.registry.source.text, edits)))
                if edits and guard is not None and guard.harmed(after):
                    wrong.append((path.name, found.code, fix.title))
    assert not wrong, wrong


@pytest.mark.parametrize("choosing", [safe_fixes, any_fixes], ids=["fix", "unsafe-fixes"])
def test_after_all_fixes_every_release_that_loaded_a_case_still_does(
    conformance: Path, tmp_path: Path, choosing: Choosing, full: bool
) -> None:
    path = tmp_path / ".takt" / "pieces" / "case.yaml"
    path.parent.mkdir(parents=True)
    wrong, changed = [], 0
    for case in _cases(conformance)[:: 1 if full else 6]:
        path.write_text(case["yaml"], encoding="utf-8", newline="")
        before = held_against_releases(read_yaml_tree(Source(case["yaml"])))
        fixed = fix_all_as_configured(path, choosing)
        if not isinstance(fixed, Fixed) or not fixed.changes:
            continue
        changed += 1
        (after,) = [each.after.text for each in fixed.changes if each.path.name == path.name] or [case["yaml"]]
        lost = before.loads & before.range & ~held_against_releases(read_yaml_tree(Source(after))).loads
        if lost:
            wrong.append((case["id"], sets.written(lost)))
    assert not wrong, wrong
    assert changed or choosing is safe_fixes
