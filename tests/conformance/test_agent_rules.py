"""agent.json: what the runner refuses in an agent.json the rules call an error, and nothing that it takes."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.agent.check import check_complete
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.conformance.cases import case_file, each_version
from tests.conformance.rule_codes import AGENT

REGISTRY = {"agentId": "demo", "version": "1.0.0", "steps": {"a": {"stepId": "a", "structuredGate": {}}}}
# These ask what the runner doesn't: whether files are there, names agree, words are right that it never looks at.
OF_OUR_OWN = {"SF807", "SF808"}
MILDER = {"legacy_format"}


def test_the_runner_and_the_rules_agree(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    for label, era, case in each_version(case_file(conformance, "agent.json")):
        with subtests.test(label, tag=case.get("tag")):
            refused = [each["kind"] for each in case["expect"]["validate"]["errors"]]
            errors = errors_in(case["input"], era, tmp_path / label.replace(" ", "-"))
            assert not [kind for kind in refused if kind not in MILDER and not errors & AGENT[kind]], errors
            kinds = {*refused, *(problem.kind for problem in check_complete(case["input"], era))}
            allowed = set().union(*(AGENT[kind] for kind in kinds)) | by_the_guide(case)
            assert errors & set().union(*AGENT.values()) <= allowed


def by_the_guide(case: dict[str, Any]) -> set[str]:
    """What the guide forbids, and with it the JSON Schema: words of a list, and the verdicts inside a composite."""
    schema = case["expect"]["schema"]["errors"]
    words = {"SF805"} if any(each["kind"] == "enum" for each in schema) else set()
    return words | ({"SF802", "SF803"} if '"meta:composite"' in json.dumps(case["input"]) else set())


def errors_in(value: Any, era: Era, folder: Path) -> set[str]:
    folder.mkdir()
    (folder / "steps_registry.json").write_text(json.dumps(REGISTRY), "utf-8")
    (folder / "agent.json").write_text(json.dumps(value), "utf-8")
    agent = open_agent(folder / "steps_registry.json", format_id="c3l")
    assert isinstance(agent, AgentFolder)
    found = lint(agent, LintSettings(runtime=era.name))
    return {each.code for each in found if each.severity == "error" and each.file.name == "agent.json"} - OF_OUR_OWN
