"""Real registries that an upstream loader refuses for their entries: an error of ours reports it under that era."""

from functools import cache
from pathlib import Path

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import ERROR
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.rule import GATE
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.conftest import Thin

from .cases import case_file, each_version
from .rule_codes import LOADING

LOOKED_AT = (*GATE, "entry-pair", "adt-kind-address")
ENTRIES = LOADING["SR-ENTRY-001"] | LOADING["SR-ENTRY-003"]


@cache
def opened(registry: Path) -> AgentFolder:
    agent = open_agent(registry)
    assert isinstance(agent, AgentFolder)
    return agent


def test_what_is_refused_for_its_entries_has_an_error_there(
    conformance: Path, corpus: Path, thin: Thin, subtests: pytest.Subtests
) -> None:
    """In one registry in three; --full: in each."""
    registries = {*thin(sorted((corpus / "climpt").glob("*/*/steps_registry.json")), 3)}
    for label, era, case in each_version(case_file(conformance, "loads.json")):
        registry = corpus / "climpt" / case["snapshot"] / "steps_registry.json"
        code = case["expect"].get("code", "")
        if registry not in registries or not (code in LOADING or "ok" in case["expect"]):
            continue
        agent = opened(registry)
        if agent.format not in LOOKED_AT:
            continue
        with subtests.test(label, snapshot=case["snapshot"]):
            found = {each.code for each in lint(agent, LintSettings(era.name)) if each.severity == ERROR}
            assert found & LOADING[code] if code in LOADING else not found & ENTRIES
