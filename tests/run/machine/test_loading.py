"""What a runner refuses before the first iteration."""

from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.lint.examples.agent import files_of
from stepflow_gui.lint.examples.example import changed
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.agent_run import AgentRun, RunOptions


@pytest.mark.parametrize(
    ("named", "runtime", "code"),
    [
        ("steps_registry.json", "climpt-2026-04-20", "AC-VERDICT-011"),
        ("steps_registry.json", "climpt-2026-04-01", "AC-VERDICT-011"),
        ("steps_registry.json", "climpt-2026-03-14", "AGENT_QUERY_ERROR"),
        ("steps_registry.json", "guide", None),
        (".agent/issue-flow/steps_registry.json", "climpt-2026-04-20", None),
        (".agent/issue-flow/steps_registry.json", "climpt-2026-03-14", None),
    ],
)
def test_the_registry_of_a_graph_is_read_from_the_working_directory(
    named: str, runtime: str, code: str | None, tmp_path: Path
) -> None:
    verdict = {"type": "detect:graph", "config": {"registryPath": named}}
    assert refusal({"agent.json#/runner/verdict": verdict}, runtime, tmp_path) == code


@pytest.mark.parametrize(
    ("kind", "runtime", "code"),
    [
        ("wrok", "climpt-2026-04-20", "Error"),
        ("wrok", "climpt-2026-03-14", "NO_ENTRY_STEP"),
        (5, "climpt-2026-04-20", "Error"),
        ("", "climpt-2026-04-20", None),
        ("wrok", "guide", None),
    ],
)
def test_a_kind_that_does_not_exist(kind: object, runtime: str, code: str | None, tmp_path: Path) -> None:
    assert refusal({"/steps/continuation.issue/stepKind": kind}, runtime, tmp_path) == code


def refusal(changes: dict[str, Any], runtime: str, root: Path) -> str | None:
    """The code by which a runner refuses the example with changes."""
    folder = root / ".agent" / "issue-flow"
    for name, text in files_of(changed(changes)).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    agent = open_agent(folder)
    assert isinstance(agent, AgentFolder)
    refused = AgentRun(agent, RunOptions(era=runtime)).machine.config.refused
    return refused.code if refused else None
