"""Where TAKT refuses to load or to run a file the linter finds an error in it, and none where it runs."""

from pathlib import Path

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent

from .takt_comparing import Case, each_row, files_beside, recorded

ABORTS = {"SF303", "T007", "T021", "T026"}  # what loads and can't end well, or not at all


PIECES, WORKFLOWS = LintSettings("takt-2026-02-07"), LintSettings("takt-2026-08-23")


def findings_of(case: Case, piece: Path, settings: LintSettings) -> list[Diagnostic]:
    """The linter's findings for a case's file, under the release that it was recorded with."""
    piece.write_text(case["yaml"], encoding="utf-8", newline="")
    agent = open_agent(piece)
    assert isinstance(agent, AgentFolder)
    return lint(agent, settings)


def errors_of(case: Case, piece: Path, settings: LintSettings) -> set[str]:
    """The codes of the errors."""
    return {found.code for found in findings_of(case, piece, settings) if found.severity == "error"}


def laid_out(conformance: Path, name: str, home: Path, folder: str) -> Path:
    """The files beside the cases; gives the place of the pieces, where TAKT takes every file for one."""
    for file, text in files_beside(conformance, name).items():
        (home / file).parent.mkdir(parents=True, exist_ok=True)
        (home / file).write_text(text, encoding="utf-8", newline="")
    (home / folder).mkdir(parents=True, exist_ok=True)
    return home / folder


def test_pieces(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    pieces = laid_out(conformance, "seed/validate.json", tmp_path / ".takt", "pieces")

    def check(case: Case) -> None:
        errors = errors_of(case, pieces / "case.yaml", PIECES)
        assert errors <= ABORTS if case["expect"]["ok"] else errors

    each_row(subtests, recorded(conformance, "seed/validate.json"), check)


def test_workflows(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    workflows = laid_out(conformance, "head/validate.json", tmp_path / ".takt", "workflows")

    def check(case: Case) -> None:
        errors, expected = errors_of(case, workflows / "demo.yaml", WORKFLOWS), case["expect"]
        loads = expected["load"]["ok"] and expected.get("engine", {"ok": True})["ok"]
        assert errors <= ABORTS if loads else errors

    each_row(subtests, recorded(conformance, "head/validate.json"), check)


FOUND_BY = {
    "unreachable": {"SF302", "T004"},  # T004: what only the missing target goes to isn't reported again
    "unknown_next": {"T004"},
    "duplicate_sub_step": {"T003"},
    "monitor_unknown_next": {"T018"},
    "monitor_cycle_unknown": {"T018"},
    "monitor_ignore_unknown": {"T018"},
    "report_not_guaranteed": {"T017"},
    "missing_resource": {"T013", "T014"},
    "unused_entry": {"T015"},
}


def test_the_findings_of_the_doctor(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    """What `takt workflow doctor` reports for a file that loads has a finding of ours, whatever its severity."""
    workflows = laid_out(conformance, "head/validate.json", tmp_path / ".takt", "workflows")

    def check(case: Case) -> None:
        wanted = {each["kind"] for each in case["expect"]["doctor_command"]}
        if "load_failed" in wanted:
            assert errors_of(case, workflows / "demo.yaml", WORKFLOWS)
            return
        codes = {each.code for each in findings_of(case, workflows / "demo.yaml", WORKFLOWS)}
        missed = {kind for kind in wanted if not FOUND_BY[kind] & codes}
        assert not missed, codes

    each_row(subtests, recorded(conformance, "head/validate.json"), check)


def test_what_cant_be_loaded_of_the_corpus(conformance: Path, corpus: Path, subtests: pytest.Subtests) -> None:
    """Workflows that TAKT refuses, or its doctor has errors in, are refused or have an error."""

    def check(case: Case) -> None:
        expected = case["expect"]
        reasons = [expected.get("load_error", ""), *(m["message"] for m in expected["doctor"] if m["level"] == "error")]
        if not any(reasons):
            return
        found = open_agent(corpus / "takt" / "head" / case["piece"])
        diagnostics = lint(found, WORKFLOWS) if isinstance(found, AgentFolder) else None
        told = diagnostics is None or any(each.severity == "error" or each.code == "T013" for each in diagnostics)
        if not told and all("missing resource" in reason for reason in filter(None, reasons)):
            pytest.xfail("names that no map has may be bundled")
        assert told, reasons

    each_row(subtests, recorded(conformance, "head/graph.json"), check)
