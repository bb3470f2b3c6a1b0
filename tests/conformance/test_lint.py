"""lint.json: what upstream's linter of variables and inputs reports, ours reports at the same steps."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.pointer import split
from tests.conformance.cases import case_file
from tests.conformance.rule_codes import INPUTS, VARIABLES

Case = dict[str, Any]
Found = set[tuple[str, str]]  # a step with its variable or input


def test_variables_and_inputs_are_found_where_upstream_finds_them(
    conformance: Path, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for case in case_file(conformance, "lint.json")["cases"]:
        with subtests.test(case["id"], tag=case.get("tag")):
            said = ours(case, tmp_path / case["id"])
            uv = case["expect"]["uv"]
            may_lack = {(each["stepId"], each["variable"]) for each in uv["warnings"] if VARIABLES[each["kind"]]}
            observed = (variables(said, case, "warning"), variables(said, case, "info"), inputs(said))
            stops = {(each["stepId"], each["variable"]) for each in uv["errors"]}
            odd = {(each["stepId"], each["input"]) for each in problems(case["expect"]["handoffInputs"])}
            assert observed == (stops, may_lack, odd)


def problems(expected: Case) -> list[Case]:
    return [*expected["errors"], *expected["warnings"]]


def ours(case: Case, folder: Path) -> list[Diagnostic]:
    folder.mkdir()
    (folder / "steps_registry.json").write_text(json.dumps(case["registry"]), "utf-8")
    agent_json = case["agent"] or {"parameters": {}}  # of an empty one we say no more than that all is missing
    (folder / "agent.json").write_text(json.dumps(agent_json), "utf-8")
    agent = open_agent(folder / "steps_registry.json", format_id="c3l")
    assert isinstance(agent, AgentFolder)
    codes = set().union(*VARIABLES.values(), *INPUTS.values())
    return [each for each in lint(agent) if each.code in codes or _is_cause(each)]


def _is_cause(found: Diagnostic) -> bool:
    """Whether an input waits for a finding about the fields that its source hands over, as a place of that."""
    return found.code == "SF004" and (found.pointer or "").endswith("/handoffFields")


def variables(said: list[Diagnostic], case: Case, severity: str) -> Found:
    found = set()
    for each in said:
        for pointer in (each.pointer, *(related.pointer for related in each.related)):
            keys = split(pointer or "")
            if each.severity == severity and keys[2:3] == ["uvVariables"]:
                found.add((keys[1], case["registry"]["steps"][keys[1]]["uvVariables"][int(keys[3])]))
    return found


def inputs(said: list[Diagnostic]) -> Found:
    places = (pointer for each in said for pointer in (each.pointer, *(side.pointer for side in each.related)))
    keys = [split(pointer or "") for pointer in places]
    return {(key[1], key[3]) for key in keys if key[2:3] == ["inputs"]}
