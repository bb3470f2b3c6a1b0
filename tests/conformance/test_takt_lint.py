"""Where TAKT refuses to load or to run a file the linter finds an error in it, and none where it runs."""

from pathlib import Path
from typing import Any

from stepflow_gui.lint.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.store import ReadProblem

from .takt_comparing import files_beside, recorded

ABORTS = {"SF303", "T007", "T021", "T026"}  # what loads and can't end well, or not at all
NO_PIECES = {"err-root-list", "raw-empty", "h-raw-dup-key"}  # nothing tells that they were meant as pieces


def errors_of(case: dict[str, Any], piece: Path) -> set[str] | None:
    """The codes of the errors; None for a file that isn't opened."""
    piece.write_text(case["yaml"], encoding="utf-8", newline="")
    agent = open_agent(piece)
    if isinstance(agent, ReadProblem):
        return None
    assert isinstance(agent, AgentFolder), case["id"]
    return {found.code for found in lint(agent) if found.severity == "error"}


def test_pieces(conformance: Path, tmp_path: Path) -> None:
    for name, text in files_beside(conformance, "seed/validate.json").items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    (tmp_path / "pieces").mkdir(exist_ok=True)
    refused = 0
    for case in recorded(conformance, "seed/validate.json"):
        errors = errors_of(case, tmp_path / "pieces" / "case.yaml")
        if case["expect"]["ok"]:
            assert errors is not None, case["id"]
            assert errors <= ABORTS, (case["id"], errors)
        elif case["id"] in NO_PIECES:
            assert errors is None, case["id"]
        else:
            refused += 1
            assert errors, case["id"]
    assert refused > 40


def test_workflows(conformance: Path, tmp_path: Path) -> None:
    for name, text in files_beside(conformance, "head/validate.json").items():
        (tmp_path / ".takt" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / ".takt" / name).write_text(text, encoding="utf-8", newline="")
    (tmp_path / ".takt" / "workflows").mkdir(parents=True, exist_ok=True)
    refused = 0
    for case in recorded(conformance, "head/validate.json"):
        errors = errors_of(case, tmp_path / ".takt" / "workflows" / "demo.yaml")
        expected = case["expect"]
        if expected["load"]["ok"] and expected.get("engine", {"ok": True})["ok"]:
            assert errors is not None, case["id"]
            assert errors <= ABORTS, (case["id"], errors)
        elif case["id"] in NO_PIECES:
            assert errors is None, case["id"]
        else:
            refused += 1
            assert errors, case["id"]
    assert refused > 40
