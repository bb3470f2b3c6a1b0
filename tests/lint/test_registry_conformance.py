"""What upstream's loader refuses for its intents or entry, the rules call an error, and nothing that it takes."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent

Case = dict[str, Any]

INTENTS = {"SF205", "SF206", "SF207", "SF223", "SF224"}
CODES = {
    "kind_intents": INTENTS | {"SF004"},
    "entry": {"SF004", "SF401", "SF402"},
    "flow_required": {"SF107"},
}
# A rule of its own: an entry that is not a text.
LATER = {"null"}


def problems(case: Case) -> list[Case]:
    found = case["expect"].get("problems", [])
    assert isinstance(found, list)
    return found


def is_later(case: Case) -> bool:
    return any(problem["kind"] in LATER or problem.get("target") in LATER for problem in problems(case))


@pytest.mark.parametrize("check", CODES)
def test_the_loader_and_the_rules_agree(check: str, conformance: Path, tmp_path: Path) -> None:
    cases = json.loads((conformance / "climpt" / "registry.json").read_text("utf-8"))["cases"]
    chosen = [case for case in cases if case["check"] == check and not is_later(case)]
    assert chosen
    for number, case in enumerate(chosen):
        found = error_codes(case, tmp_path / str(number))
        if found is not None:
            assert bool(found & CODES[check]) == ("error" in case["expect"]), (case["id"], found)


def error_codes(case: Case, folder: Path) -> set[str] | None:
    """The codes of the errors; None for a registry without any gate, which these rules don't check."""
    (folder / "schemas").mkdir(parents=True)
    (folder / "steps_registry.json").write_text(json.dumps(case["registry"]), "utf-8")
    for name, schema in case.get("schemas", {}).items():
        (folder / "schemas" / name).write_text(json.dumps(schema), "utf-8")
    agent = open_agent(folder)
    assert isinstance(agent, AgentFolder)
    if not any(step.gate for step in agent.flow.steps.values()):
        return None
    return {each.code for each in lint(agent) if each.severity == "error"}
