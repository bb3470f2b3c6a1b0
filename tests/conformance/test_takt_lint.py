"""Where TAKT refuses to load or to run a file the linter finds an error in it, and none where it runs."""

from pathlib import Path
from typing import Any

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent

from .takt_comparing import files_beside, recorded

ABORTS = {"SF303", "T007", "T021", "T026"}  # what loads and can't end well, or not at all


def errors_of(case: dict[str, Any], piece: Path) -> set[str]:
    """The codes of the errors."""
    piece.write_text(case["yaml"], encoding="utf-8", newline="")
    agent = open_agent(piece)
    assert isinstance(agent, AgentFolder), case["id"]
    return {found.code for found in lint(agent) if found.severity == "error"}


def laid_out(conformance: Path, name: str, home: Path, folder: str) -> Path:
    """The files beside the cases; gives the place of the pieces, where TAKT takes every file for one."""
    for file, text in files_beside(conformance, name).items():
        (home / file).parent.mkdir(parents=True, exist_ok=True)
        (home / file).write_text(text, encoding="utf-8", newline="")
    (home / folder).mkdir(parents=True, exist_ok=True)
    return home / folder


def test_pieces(conformance: Path, tmp_path: Path) -> None:
    pieces = laid_out(conformance, "seed/validate.json", tmp_path / ".takt", "pieces")
    refused = 0
    for case in recorded(conformance, "seed/validate.json"):
        errors = errors_of(case, pieces / "case.yaml")
        if case["expect"]["ok"]:
            assert errors <= ABORTS, (case["id"], errors)
        else:
            refused += 1
            assert errors, case["id"]
    assert refused > 40


def test_workflows(conformance: Path, tmp_path: Path) -> None:
    workflows = laid_out(conformance, "head/validate.json", tmp_path / ".takt", "workflows")
    refused = 0
    for case in recorded(conformance, "head/validate.json"):
        errors = errors_of(case, workflows / "demo.yaml")
        expected = case["expect"]
        if expected["load"]["ok"] and expected.get("engine", {"ok": True})["ok"]:
            assert errors <= ABORTS, (case["id"], errors)
        else:
            refused += 1
            assert errors, case["id"]
    assert refused > 40
