"""What a runner refuses before the first iteration."""

from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import CLIMPT_1_14
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.agent import files_of
from stepflow_gui.lint.examples.example import REMOVED, changed
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.agent_run import AgentRun, RunOptions
from stepflow_gui.run.machine.loading import start
from stepflow_gui.run.machine.state import START, Start


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


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/displayName", REMOVED),
        ("/name", "Not A Name"),
        ("/runner", "text"),
        ("/runner/flow", []),
        ("/runner/flow/systemPromptPath", ""),
        ("/runner/flow/prompts/registry", ""),
        ("/runner/boundaries/allowedTools", False),
        ("/runner/boundaries/permissionMode", "all"),
        ("/runner/verdict/type", "graph"),
    ],
)
@pytest.mark.parametrize(
    ("runtime", "code"),
    [("climpt-2026-04-20", "AC-VALID-001"), ("climpt-2026-03-14", "Error"), ("guide", None)],
)
def test_an_agent_that_its_runner_refuses_does_not_start(
    pointer: str, value: Any, runtime: str, code: str | None, tmp_path: Path
) -> None:
    assert refusal({f"agent.json#{pointer}": value}, runtime, tmp_path) == code


_BY_MAPPING = {
    "/entryStepMapping": {"detect:graph": "initial.issue"},
    "agent.json#/runner/verdict/type": "detect:graph",
}


@pytest.mark.parametrize(
    ("changes", "runtime", "code"),
    [
        ({"/entryStep": REMOVED}, "climpt-2026-04-20", "SR-ENTRY-004"),
        ({"/entryStep": REMOVED}, "climpt-2026-04-01", "SR-ENTRY-004"),
        ({"/entryStep": REMOVED}, "climpt-2026-03-14", "NO_ENTRY_STEP"),
        ({"/entryStep": ""}, "climpt-2026-04-20", "SR-ENTRY-004"),
        ({"/entryStep": REMOVED}, "guide", None),
        ({"/entryStep": "initial.issue"}, "climpt-2026-04-20", None),
        ({"agent.json#/runner/verdict/config": {"entryStep": "initial.issue"}}, "climpt-2026-04-20", None),
    ],
)
def test_a_graph_looks_its_entry_up_by_itself(
    changes: dict[str, Any], runtime: str, code: str | None, tmp_path: Path
) -> None:
    assert refusal({"/entryStep": REMOVED} | _BY_MAPPING | changes, runtime, tmp_path) == code


@pytest.mark.parametrize("named", [{"a": 1}, {"initial": "initial.issue", "continuation": "initial.issue"}, None, []])
@pytest.mark.parametrize("runtime", ["climpt-2026-01-18", "climpt-2026-03-14", "climpt-2026-04-20"])
def test_an_entry_that_is_not_the_name_of_a_step_begins_no_run(named: object, runtime: str, tmp_path: Path) -> None:
    changes = {"/entryStepMapping": {"count:iteration": named}, "/entryStep": "initial.issue"}
    verdict = {"agent.json#/runner/verdict": {"type": "count:iteration", "config": {"maxIterations": 5}}}
    run = AgentRun(opened(changes | verdict, tmp_path), RunOptions(era=runtime))
    state = run.machine.step(START, Start())[0]
    assert state.waits == "start"
    assert state.error is not None


def refusal(changes: dict[str, Any], runtime: str, root: Path) -> str | None:
    """The code by which a runner refuses the example with changes."""
    refused = AgentRun(opened(changes, root), RunOptions(era=runtime)).machine.config.refused
    return refused.code if refused else None


def opened(changes: dict[str, Any], root: Path) -> AgentFolder:
    """The example with changes, from its files."""
    folder = root / ".agent" / "issue-flow"
    for name, text in files_of(changed(changes)).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    agent = open_agent(folder)
    assert isinstance(agent, AgentFolder)
    return agent


@pytest.mark.parametrize(
    ("gate", "runtime", "code"),
    [
        ("x", "climpt-2026-04-20", "SR-VALID-002"),
        ([], "climpt-2026-04-01", "SR-VALID-002"),
        ("x", "climpt-2026-03-14", "NO_ENTRY_STEP"),
        (0, "climpt-2026-04-20", "SR-GATE-003"),
        ("x", "guide", None),
    ],
)
def test_a_gate_of_another_type_has_no_references(gate: object, runtime: str, code: str | None, tmp_path: Path) -> None:
    assert refusal({"/steps/closure.issue/structuredGate": gate}, runtime, tmp_path) == code


@pytest.mark.parametrize(
    ("pointer", "value", "code"),
    [
        ("transitions/next", {"target": ""}, "S2"),
        ("transitions/next", {"target": 7}, "S2"),
        ("transitions/next", {"target": "ghost"}, "S2"),
        ("transitions/next", {"target": None}, None),
        ("transitions/next", {"condition": "x", "targets": {"a": "ghost"}}, None),
        ("outputSchemaRef", {"file": "issue.schema.json", "schema": ""}, "SR-VALID-003"),
        ("adaptationChain", ["a/b"], "S9"),
        ("adaptationChain", "ab", None),  # letter by letter, as a run reads it
        ("adaptationChain", "a/b", "S9"),
        ("adaptationChain", 5, "S9"),
        ("adaptationChain", {}, "S9"),
        ("adaptationChain", None, None),
    ],
)
def test_boot_looks_at_each_target_as_written(pointer: str, value: Any, code: str | None, tmp_path: Path) -> None:
    folder = tmp_path / ".agent" / "issue-flow"
    example = changed({f"/steps/initial.issue/{pointer}": value}, base="adt-kind-address")
    for name, text in files_of(example).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    agent = open_agent(folder)
    assert isinstance(agent, AgentFolder)
    error = start(agent, CLIMPT_1_14, None).error
    assert (error and error.code) == code
    if code == "S2":
        assert [found.code for found in lint(agent) if found.severity == "error"] != []
