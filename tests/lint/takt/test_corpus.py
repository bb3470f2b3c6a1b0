"""Real pieces: those that upstream ships have no error, and known defects are found before their fix and gone after."""

import json
from pathlib import Path

import pytest

from stepflow_gui.formats.takt.releases.sets import runs
from stepflow_gui.lint.config.selecting import RuleSelection, SelectionLayer
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.finding.takt_releases import releases_of_piece
from tests.conftest import Thin
from tests.real_agents import linted, opened

SHIPPED = ("seed-era/builtins/en/pieces", "seed-era/builtins/ja/pieces", "head/builtins/en/workflows")
CODES_OF_KIND = {
    "yaml_parse": "SF001",
    "section_file_missing": "T014",
    "persona_file_missing": "T014",
    "report_reference_unknown": "T017",
    "aggregate_arity": "T011",
    "monitor_cycle_not_walkable": "T018",
}


@pytest.mark.parametrize("folder", SHIPPED)
def test_pieces_that_upstream_ships_have_no_error(corpus: Path, folder: str) -> None:
    pieces = sorted((corpus / "takt" / folder).glob("*.yaml"))[:: 3 if folder.startswith("head") else 1]
    assert pieces
    for piece in pieces:
        assert [each.message for each in linted(piece) if each.severity == "error"] == [], piece


def test_labelled_defects_are_found_and_gone_once_fixed(corpus: Path, tmp_path: Path) -> None:
    folder = corpus / "takt" / "defects"
    looked_at = 0
    for pair in json.loads((folder / "defects.json").read_text("utf-8"))["pairs"]:
        code = CODES_OF_KIND.get(pair["kind"])
        if code is None or not pair["structural_findings_fixed"]:
            continue
        looked_at += 1
        found = {}
        only = LintSettings(choice=RuleSelection([SelectionLayer("test", select=(code,))]))
        for side in ("before", "after"):
            piece = tmp_path / pair["id"] / side / "pieces" / "piece.yaml"
            piece.parent.mkdir(parents=True)
            piece.write_bytes((folder / pair[side]).read_bytes())
            for named, there in pair[f"referenced_files_exist_{side}"].items():
                path = piece.parent / named
                path.parent.mkdir(parents=True, exist_ok=True)
                if there:
                    path.touch()
            found[side] = lint(opened(piece), only)
        assert found["before"], pair["id"]
        assert len(found["after"]) < len(found["before"]), pair["id"]
    assert looked_at > 4


def test_a_runtime_that_names_the_releases_of_a_piece_finds_nothing_more(corpus: Path, thin: Thin) -> None:
    """One piece in four; --full: each."""
    looked_at = 0
    for piece in thin(sorted((corpus / "takt").rglob("*.yaml")), 4):
        agent = open_agent(piece)
        if not isinstance(agent, AgentFolder) or agent.format != "takt":
            continue  # a facet, or a configuration
        releases = list(runs(releases_of_piece(agent.registry.path, agent.registry.tree).releases))
        if len(releases) == 1:
            looked_at += 1
            named = lint(agent, LintSettings(runtime="takt-" + "..".join(releases[0])))
            found = {(each.code, each.pointer, each.message) for each in linted(piece)}
            assert {(each.code, each.pointer, each.message) for each in named} <= found, piece
    assert looked_at > 30
