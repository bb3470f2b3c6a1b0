"""The linter's findings for registries with checks, compared with the results of upstream's runs of them."""

from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import CLIMPT_2026_01_09
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.conformance.cases import case_file, each_version
from tests.conformance.run_cases import put

OF_FILES = {"SF506", "SF801"}  # prompts and agent.json are not part of a registry
ENDS_EARLY = {"SF903", "SF904"}  # the run ends as a success, but not where its author thinks
STOPPED_BY = {
    "step_not_found": {"SF301", "SF402", "SF902"},
    "no_check_and_max_iterations": {"SF902"},
    "total_limit": {"SF902"},
    "prompt_missing": {"SF903"},
}


def errors_of(registry: dict[str, Any], folder: Path) -> set[str]:
    put(folder / "steps_registry.json", registry)
    agent = open_agent(folder / "steps_registry.json")
    assert isinstance(agent, AgentFolder)
    assert agent.flow.format == "checks"
    return {found.code for found in lint(agent) if found.severity == "error"} - OF_FILES


def test_only_what_stops_or_ends_a_run_too_early_is_an_error(
    conformance: Path, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for label, era, case in each_version(case_file(conformance, "runs.json")):
        if era is not CLIMPT_2026_01_09:
            continue
        with subtests.test(label, name=case.get("name")):
            expected = case["expect"]
            errors = errors_of(case["setup"]["registry"], tmp_path / label.replace(" ", "-"))
            assert errors <= (ENDS_EARLY if expected["success"] else STOPPED_BY[expected["error"]])
            assert errors or expected["success"] or expected["error"] == "prompt_missing"
