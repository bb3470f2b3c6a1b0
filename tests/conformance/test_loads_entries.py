"""Real registries that an upstream loader refuses for their entries: an error of ours says so under that era."""

from functools import cache
from pathlib import Path

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
    conformance: Path, corpus: Path, thin: Thin, full: bool
) -> None:
    """In one registry in three; --full: in each."""
    registries = {*thin(sorted((corpus / "climpt").glob("*/*/steps_registry.json")), 3)}
    refused, taken, wrong = 0, 0, []
    for label, era, case in each_version(case_file(conformance, "loads.json")):
        registry = corpus / "climpt" / case["snapshot"] / "steps_registry.json"
        if registry not in registries:
            continue
        agent = opened(registry)
        code = case["expect"].get("code", "")
        if agent.format not in LOOKED_AT or not (code in LOADING or "ok" in case["expect"]):
            continue
        found = {each.code for each in lint(agent, LintSettings(era.name)) if each.severity == ERROR}
        if code in LOADING:
            refused += 1
            right = bool(found & LOADING[code])
        else:
            taken += 1
            right = not found & ENTRIES
        if not right:
            wrong.append((label, case["snapshot"], code, found))
    assert not wrong, "\n".join(map(str, wrong))
    assert refused > (60 if full else 5)
    assert taken > (100 if full else 10)
