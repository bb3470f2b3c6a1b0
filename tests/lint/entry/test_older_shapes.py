"""Registries in shapes of before there were entries: what a runtime that asks for one makes of them."""

import json
from pathlib import Path

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.finding.locate import REGISTRY

BEFORE = ("c3l-flat", "c3l-completion", "flow-array", "prompt-path")


@pytest.mark.parametrize(
    ("runtime", "told"),
    [
        (None, False),
        ("guide", False),
        ("climpt-2026-01-18", False),
        ("climpt-2026-03-14", True),
        ("climpt-2026-04-20", True),
    ],
)
def test_a_chosen_runtime_that_asks_for_an_entry_says_so(runtime: str | None, told: bool, tmp_path: Path) -> None:
    step = {"stepId": "initial.issue", "name": "Issue", "c2": "initial", "c3": "issue", "edition": "default"}
    registry = {"agentId": "older", "version": "1.0.0", "c1": "steps", "steps": {"initial.issue": step}}
    (tmp_path / "steps_registry.json").write_text(json.dumps(registry), "utf-8")
    agent = open_agent(tmp_path, None, "c3l-flat")
    assert isinstance(agent, AgentFolder)
    found = [each for each in lint(agent, LintSettings(runtime)) if each.code == "SF401"]
    assert [(each.severity, len(each.fixes)) for each in found] == ([("error", 1)] if told else [])


def test_real_ones_are_refused_for_it_where_upstream_refuses_them(corpus: Path, conformance: Path) -> None:
    cases = json.loads((conformance / "climpt" / "loads.json").read_text("utf-8"))["cases"]
    looked_at = 0
    for case in cases:
        agent = open_agent(corpus / "climpt" / case["snapshot"] / REGISTRY)
        if case["version"] == ["HEAD"] and isinstance(agent, AgentFolder) and agent.format in BEFORE:
            looked_at += 1
            codes = {each.code for each in lint(agent, LintSettings("climpt-2026-04-20"))}
            assert ("SF401" in codes) is (case["expect"].get("code") == "SR-ENTRY-001"), case["snapshot"]
    assert looked_at > 15


@pytest.mark.parametrize(("single", "severity"), [("initial.issue", "warning"), ("gone", "error"), (None, "error")])
def test_without_an_agent_json_older_runners_begin_at_the_entry_step(
    single: str | None, severity: str, tmp_path: Path
) -> None:
    """No verdict type is known then: the mapping's entries for types are not where a run begins."""
    step = {"stepId": "initial.issue", "name": "Issue", "c2": "initial", "c3": "issue", "transitions": {}}
    gate = {"allowedIntents": ["complete"], "intentField": "next_action.action"}
    registry = {
        "agentId": "older",
        "version": "1.0.0",
        "c1": "steps",
        **({"entryStep": single} if single else {}),
        "entryStepMapping": {"externalState": "gone.too"},
        "steps": {"initial.issue": {**step, "structuredGate": gate}},
    }
    (tmp_path / "steps_registry.json").write_text(json.dumps(registry), "utf-8")
    agent = open_agent(tmp_path, None, "complete")
    assert isinstance(agent, AgentFolder)
    found = [each for each in lint(agent, LintSettings("climpt-2026-01-18")) if each.code == "SF402"]
    assert {each.pointer: each.severity for each in found}["/entryStepMapping/externalState"] == severity
