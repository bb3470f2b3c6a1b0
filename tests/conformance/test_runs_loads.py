"""What each era's loader makes of real registries, as a run finds out before it begins."""

from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.machine.loading import load
from tests.conformance.cases import case_file, each_version, report


@cache
def opened(registry: Path) -> AgentFolder:
    agent = open_agent(registry)
    assert isinstance(agent, AgentFolder)
    return agent


def test_registries_are_taken_and_refused_as_upstream_does(
    conformance: Path, corpus: Path, subtests: pytest.Subtests
) -> None:
    data = case_file(conformance, "loads.json")
    report(
        subtests,
        (
            (label, case | {"tag": case["snapshot"], "expect": _expected(case)}, partial(_observed, corpus, case, era))
            for label, era, case in each_version(data)
        ),
    )


def _expected(case: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in case["expect"].items() if key != "note"}


def _observed(corpus: Path, case: dict[str, Any], era: Era) -> dict[str, Any]:
    agent = opened(corpus / "climpt" / case["snapshot"] / "steps_registry.json")
    found = load(agent, era, None, agent.flow.agent_id.value if agent.flow.agent_id else None)
    if found.error is None:
        return {"ok": True} if found.routes else {"error": True}
    return {"error": True} | ({"code": found.error.code} if era.load_errors == "stop" else {})
