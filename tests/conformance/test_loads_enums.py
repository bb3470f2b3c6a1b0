"""loads.json: upstream refuses a snapshot for its enums exactly where we read other enums than it allows."""

from pathlib import Path

import pytest

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.conformance.cases import case_file

NO_LONGER_LOGGED = {"001", "0408", "HEAD"}  # the eras whose loader reports why it refuses
ENUMS = "SR-VALID-003"
AFTER_ENUMS = {None, ENUMS, "SR-GATE-003"}  # what is found when the enums have been looked at, or nothing


def test_enums_of_snapshots(conformance: Path, corpus: Path, subtests: pytest.Subtests) -> None:
    for case in case_file(conformance, "loads.json")["cases"]:
        code = case["expect"].get("code")
        if not NO_LONGER_LOGGED & set(case["version"]) or code not in AFTER_ENUMS:
            continue
        with subtests.test(case["id"], snapshot=case["snapshot"]):
            agent = open_agent(corpus / "climpt" / case["snapshot"])
            assert isinstance(agent, AgentFolder)
            assert (code == ENUMS) == enums_differ(agent)


def enums_differ(agent: AgentFolder) -> bool:
    for step in agent.flow.steps.values():
        ref = step.gate.intent_schema_ref if step.gate else None
        if step.gate is None or step.schema_ref is None or ref is None or not ref.value.startswith("#/"):
            continue
        schema = agent.schema(step)
        listed = {value.value for value in schema.intents}
        if schema.problem or schema.faults or listed != {intent.value for intent in step.gate.intents}:
            return True
    return False
