"""Real pieces: those that upstream ships have no error, and known defects are found before their fix and gone after."""

import json
from pathlib import Path

import pytest

from stepflow_gui.lint.config.selecting import RuleSelection, SelectionLayer
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.engine import lint
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
