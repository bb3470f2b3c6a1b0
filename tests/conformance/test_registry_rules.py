"""registry.json, cross references of flow.json: what upstream's checks refuse, our rules find at the same step."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.rules.table import MODULES
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.pointer import split

from .cases import case_file, each_version
from .rule_codes import CROSS_REFERENCES, FLOW_REQUIRED, JSON_SCHEMA, KIND_INTENTS, STRUCTURE

Problem = dict[str, Any]
OF_VALIDATORS = {"unknown_validator", "unknown_failure_pattern"}


def test_structure(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    """What is taken has none of the findings; SF004 and SF107 are about more than this check looks at."""
    others = set().union(*STRUCTURE.values()) - {"SF004", "SF107"}
    for label, case, era, folder in cases(conformance, "structure", tmp_path):
        with subtests.test(label, tag=case.get("tag")):
            found = lint_registry(case["registry"], folder, era)
            assert_found(case["expect"].get("problems", []), STRUCTURE, found)
            assert "ok" not in case["expect"] or not others & {each.code for each in found}


def test_kinds_and_intents(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    codes = set().union(*KIND_INTENTS.values())
    for label, case, era, folder in cases(conformance, "kind_intents", tmp_path):
        with subtests.test(label, tag=case.get("tag")):
            errors = [each for each in lint_registry(case["registry"], folder, era) if each.severity == "error"]
            assert_found(case["expect"].get("problems", []), KIND_INTENTS, errors)
            assert "ok" not in case["expect"] or not codes & {each.code for each in errors}


def test_what_a_flow_needs(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    for label, case, era, folder in cases(conformance, "flow_required", tmp_path):
        if not any("structuredGate" in step for step in case["registry"]["steps"].values()):
            continue  # the loader asks for these as soon as one step has a gate; the check by itself always does
        with subtests.test(label, tag=case.get("tag")):
            found = lint_registry(case["registry"], folder, era)
            expected = {step for problem in case["expect"].get("problems", []) for step in problem["steps"]}
            assert {each.step for each in found if each.code in FLOW_REQUIRED["flow_steps_missing"]} == expected


def test_json_schema(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    for label, case, era, folder in cases(conformance, "json_schema", tmp_path):
        with subtests.test(label, tag=case.get("tag")):
            found = lint_registry(case["registry"], folder, era)
            missed = []
            for error in case["expect"]["errors"]:
                codes = JSON_SCHEMA[error["kind"]] & MODULES.keys()
                asked = codes and not is_later(error, codes)
                if asked and not any(each.code in codes and concerns(each, error) for each in found):
                    missed.append(error)
            assert not missed, [(each.code, each.pointer) for each in found]
            assert not case["expect"]["valid"] or not [each.message for each in found if each.code == "SF004"]


def is_later(error: Problem, codes: set[str]) -> bool:
    """A rule of its own, still to come."""
    own = {"targetMode": "SF229", "fallbackKey": "SF503"}.get(error["path"].rpartition(".")[2])
    return own is not None and own not in codes


def concerns(found: Diagnostic, error: Problem) -> bool:
    """Whether a finding is at the place of an error, inside it, or names the key that its object lacks."""
    path: str = error["path"]
    names_it = path.startswith(dotted(found.pointer)) and path.rpartition(".")[2] in found.message
    return names_it or dotted(found.pointer).startswith(path)


def dotted(pointer: str | None) -> str:
    keys = split(pointer or "")
    return "".join(f"[{key}]" if key.isdecimal() else f".{key}" for key in keys).removeprefix(".")


def test_cross_references_of_validators(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    for number, (label, era, case) in enumerate(each_version(case_file(conformance, "flow.json"))):
        with subtests.test(label):
            problems = [each for each in case["expect"]["crossRef"]["errors"] if each["kind"] in OF_VALIDATORS]
            found = lint_registry(case["registry"], tmp_path / str(number), era)
            said = [(each.code, each.pointer) for each in found if each.code in {"SF601", "SF602"}]
            assert sorted(said) == sorted(map(place, problems))


def place(problem: Problem) -> tuple[str, str]:
    (code,) = CROSS_REFERENCES[problem["kind"]]
    if code == "SF602":
        return code, f"/validators/{problem['validator']}/failurePattern"
    holder = f"/validationSteps/{problem['validationStep']}/validationConditions"
    return code, f"{holder}/{problem['index']}/validator"


def cases(conformance: Path, check: str, folder: Path) -> Iterator[tuple[str, Problem, Era, Path]]:
    """Each case of a check under each of its versions, with a folder of its own; crashes of upstream are left out."""
    data = case_file(conformance, "registry.json")
    for number, (label, era, case) in enumerate(each_version(data)):
        if case["check"] == check and not case.get("quirk"):
            yield label, case, era, folder / str(number)


def lint_registry(registry: Problem, folder: Path, era: Era) -> list[Diagnostic]:
    folder.mkdir()
    (folder / "steps_registry.json").write_text(json.dumps(registry), "utf-8")
    agent = open_agent(folder, format_id="closing")
    assert isinstance(agent, AgentFolder)
    return lint(agent, LintSettings(era.name))


def assert_found(problems: list[Problem], codes: dict[str, set[str]], found: list[Diagnostic]) -> None:
    missed = []
    for problem in problems:
        near = [each for each in found if each.code in codes[problem["kind"]] and each.step == problem.get("stepId")]
        named = str(problem.get("field", problem.get("intent", "")))
        if not any(named in each.message for each in near):
            missed.append(problem)
    assert not missed, [(each.code, each.message) for each in found]
