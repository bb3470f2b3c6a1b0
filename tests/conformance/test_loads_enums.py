"""loads.json: upstream refuses a snapshot for its enums exactly where we read other enums than it allows."""

import json
from pathlib import Path

from stepflow_gui.project.agent_folder import AgentFolder, open_agent

NO_LONGER_LOGGED = {"001", "0408", "HEAD"}  # the eras whose loader says why it refuses
ENUMS = "SR-VALID-003"
AFTER_ENUMS = {None, ENUMS, "SR-GATE-003"}  # what is found when the enums have been looked at, or nothing


def test_enums_of_snapshots(conformance: Path, corpus: Path) -> None:
    cases = json.loads((conformance / "climpt" / "loads.json").read_text(encoding="utf-8"))["cases"]
    checked = 0
    for case in cases:
        code = case["expect"].get("code")
        if not NO_LONGER_LOGGED & set(case["version"]) or code not in AFTER_ENUMS:
            continue
        agent = open_agent(corpus / "climpt" / case["snapshot"])
        assert isinstance(agent, AgentFolder)
        assert (code == ENUMS) == enums_differ(agent), (case["id"], case["snapshot"])
        checked += 1
    assert checked > 0


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
