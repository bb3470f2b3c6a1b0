"""registry.json (intent_ref, enums), loads.json: what a loader refuses has an error, what it takes none of those."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.rule import GATE
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.conftest import Thin

from .cases import case_file, each_version
from .rule_codes import ENUMS, INTENT_REF, LOADS

Case = dict[str, Any]


def test_intent_schema_refs(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    for label, case, era, folder in cases(conformance, "intent_ref", tmp_path):
        with subtests.test(label, tag=case.get("tag")):
            found = lint_registry(case, folder, era)
            assert steps_of(found, set().union(*INTENT_REF.values())) == steps_refused(case)


def test_enums(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    """At the same step, by the kind; a schema or enum that is taken has no such error."""
    for label, case, era, folder in cases(conformance, "enums", tmp_path):
        with subtests.test(label, tag=case.get("tag")):
            found = lint_registry(case, folder, era)
            problems = case["expect"].get("problems", [])
            assert not [each for each in problems if each["stepId"] not in steps_of(found, ENUMS[each["kind"]])]
            steps = steps_of(found, set().union(*ENUMS.values()))
            assert {step for step in steps if step and is_looked_at(case, step)} == steps_refused(case)


def test_what_a_loader_refuses_has_an_error_and_what_it_takes_has_none_of_those(
    conformance: Path, corpus: Path, thin: Thin, subtests: pytest.Subtests
) -> None:
    """Under each era; other errors may stop a run later. At 2026-03-14 the loader doesn't report why.

    Of one snapshot in three; --full: of each.
    """
    taken = {*thin(sorted((corpus / "climpt").glob("*/*")), 3)}
    for label, era, case in each_version(case_file(conformance, "loads.json")):
        folder = corpus / "climpt" / case["snapshot"]
        if folder not in taken:
            continue
        agent = opened(folder)
        if agent.format not in GATE:
            continue
        with subtests.test(label, snapshot=case["snapshot"]):
            found = codes_under(era.name, agent.registry.path)
            code = case["expect"].get("code")
            expected = LOADS[code] if code else set().union(*LOADS.values())
            assert bool(found & expected) == ("error" in case["expect"]), found


@cache
def codes_under(era: str, registry: Path) -> set[str]:
    """A loader's cases name a snapshot more than once."""
    return steps_codes(lint(opened(registry.parent), LintSettings(era)))


@cache
def opened(folder: Path) -> AgentFolder:
    agent = open_agent(folder / "steps_registry.json")
    assert isinstance(agent, AgentFolder)
    return agent


def is_looked_at(case: Case, step: str) -> bool:
    """This check leaves a pointer into another file to the one before."""
    ref: str = case["registry"]["steps"][step]["structuredGate"].get("intentSchemaRef", "")
    return ref.startswith("#/")


def steps_refused(case: Case) -> set[str]:
    return {problem["stepId"] for problem in case["expect"].get("problems", [])}


def steps_of(found: list[Diagnostic], codes: set[str]) -> set[str | None]:
    return {each.step for each in found if each.severity == "error" and each.code in codes}


def steps_codes(found: list[Diagnostic]) -> set[str]:
    return {each.code for each in found if each.severity == "error"}


def cases(conformance: Path, check: str, folder: Path) -> Iterator[tuple[str, Case, Era, Path]]:
    """Each case of a check under each of its versions, with a folder of its own; crashes of upstream are left out."""
    data = case_file(conformance, "registry.json")
    for number, (label, era, case) in enumerate(each_version(data)):
        if case["check"] == check and not case.get("quirk"):
            yield label, case, era, folder / str(number)


def lint_registry(case: Case, folder: Path, era: Era) -> list[Diagnostic]:
    (folder / "schemas").mkdir(parents=True)
    (folder / "steps_registry.json").write_text(json.dumps(case["registry"]), "utf-8")
    for name, schema in case.get("schemas", {}).items():
        text = schema if isinstance(schema, str) else json.dumps(schema)
        (folder / "schemas" / name).write_text(text, "utf-8")
    agent = open_agent(folder, format_id="closing")
    assert isinstance(agent, AgentFolder)
    return lint(agent, LintSettings(era.name))
