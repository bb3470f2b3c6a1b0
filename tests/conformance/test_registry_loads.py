"""registry.json (load, load_full, load_missing, entry): what the loader by itself refuses, and for what."""

import json
from pathlib import Path

import pytest

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.machine.loading import load
from stepflow_gui.text.files.store import ReadProblem
from tests.conformance.cases import Case, case_file, each_version

KINDS = {
    "missing_required_top_level": "missing_field",
    "agent_id_mismatch": "agent_id_mismatch",
    "kind_intent_mismatch": "kind_intents",
    "entry_missing": "entry_missing",
    "entry_step_not_found": "entry_unknown",
    "entry_mapping_invalid": "entry_unknown",
    "intent_schema_ref_invalid": "intent_reference",
}
UNREAD = {"registry_not_found", "invalid_json"}
ON_REQUEST = {"structure_invalid"}  # which no run looks at
LATER = {"enum", "incomplete", "no_gates"}  # this check ends before schemas and flow are looked at
CHECKS = {"load", "load_full", "load_missing", "entry"}


def test_what_the_loader_refuses(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    for number, (label, era, case) in enumerate(each_version(case_file(conformance, "registry.json"))):
        if case["check"] in CHECKS and not case.get("quirk"):
            with subtests.test(label, tag=case.get("tag")):
                _compare(case, era, tmp_path / str(number))


def _compare(case: Case, era: Era, folder: Path) -> None:
    error = case["expect"].get("error")
    registry = folder / "steps_registry.json"
    folder.mkdir()
    if case["check"] != "load_missing":
        registry.write_text(case["rawText"] if "rawText" in case else json.dumps(case["registry"]), "utf-8")
    agent = open_agent(registry, format_id="closing")
    if error in UNREAD:
        assert isinstance(agent, ReadProblem) or not agent.registry.tree.valid
        return
    assert isinstance(agent, AgentFolder)
    name = case.get("agentId", "demo") if case["check"] != "entry" else None
    found = load(agent, era, None, name).error
    kind = found.kind if found is not None and found.kind not in LATER else None
    if error in ON_REQUEST or (case["check"] == "entry" and kind is not None and not kind.startswith("entry_")):
        return
    assert kind == KINDS.get(error or "")
