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
    "aggregate_arity": "T011",
    "aggregate_gap": "T012",
    "monitor_cycle_not_walkable": "T018",
    "persona_file_missing": "T014",
    "report_reference_unknown": "T017",
    "section_file_missing": "T014",
    "unknown_key": "T025",
    "unmonitored_loop": "T023",
    "unused_section_key": "T015",
    "yaml_parse": "SF001",
}
# Older releases read the keys that these dropped: the file alone doesn't say for which it was meant.
RUNTIME_OF_KIND = {"unknown_key": "takt-0.11"}
# What no file shows.
UNTOLD_KINDS = {
    "loop_cannot_progress": "what a review writes, and whether a judge goes on, is for its author to say",
    "loop_restart": "going back to the plan is sound, and a file without any monitor wants none (T023)",
    "missing_recovery_route": "that an end is too early is for its author to say",
}


@pytest.mark.parametrize("folder", SHIPPED)
def test_pieces_that_upstream_ships_have_no_error(corpus: Path, folder: str) -> None:
    pieces = sorted((corpus / "takt" / folder).glob("*.yaml"))[:: 3 if folder.startswith("head") else 1]
    assert pieces
    for piece in pieces:
        assert [each.message for each in linted(piece) if each.severity == "error"] == [], piece


def test_labelled_defects_are_found_and_gone_once_fixed(corpus: Path, tmp_path: Path) -> None:
    folder = corpus / "takt" / "defects"
    wrong = []
    for pair in json.loads((folder / "defects.json").read_text("utf-8"))["pairs"]:
        if pair["kind"] in UNTOLD_KINDS:
            continue
        code = CODES_OF_KIND[pair["kind"]]
        choice = RuleSelection([SelectionLayer("test", select=(code,))])
        only = LintSettings(RUNTIME_OF_KIND.get(pair["kind"]), choice=choice)
        found = {}
        for side in ("before", "after"):
            piece = tmp_path / pair["id"] / side / "pieces" / "piece.yaml"
            piece.parent.mkdir(parents=True)
            piece.write_bytes((folder / pair[side]).read_bytes())
            for named, there in pair[f"referenced_files_exist_{side}"].items():
                path = piece.parent / named
                path.parent.mkdir(parents=True, exist_ok=True)
                if there:
                    path.touch()
            found[side] = sum(1 + len(each.related) for each in lint(opened(piece), only))
        if not found["after"] < found["before"]:
            wrong.append((pair["id"], found))
    assert wrong == []


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
