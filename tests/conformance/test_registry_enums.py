"""registry.json, `check: enums`: the enum that upstream reads from a step's schema is the one that we read."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.registry import read_registry
from stepflow_gui.formats.climpt.schema_merge import Resolver
from stepflow_gui.formats.climpt.schemas import StepSchema, resolve_step
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source
from tests.conformance.cases import case_file

UNREADABLE = {
    "name-missing",
    "name-malformed",
    "file-missing",
    "file-invalid",
    "ref-dangling",
    "ref-cycle",
    "remote-ref",
    "too-deep",
}
NO_ENUM = {"pointer-dangling", "no-enum"}
RECURSIVE_IS_REFUSED = {"001", "0408", "HEAD"}  # before, a reference cycle became {}


def test_enums(conformance: Path, subtests: pytest.Subtests) -> None:
    for case in case_file(conformance, "registry.json")["cases"]:
        for version in case["version"] if case["check"] == "enums" else ():
            with subtests.test(f"{case['id']} at {version}", tag=case.get("tag")):
                assert problems(case, version) == expected(case)


def expected(case: dict[str, Any]) -> list[Any]:
    return sorted(
        (
            [problem["kind"], problem["stepId"], problem.get("missingInSchema", []), problem.get("extraInSchema", [])]
            for problem in case["expect"].get("problems", [])
        ),
        key=str,
    )


def problems(case: dict[str, Any], version: str) -> list[Any]:
    registry = ParsedFile.read(Path("/demo/steps_registry.json"), Source(json.dumps(case["registry"])))
    files = {
        name: ParsedFile.read(
            Path("/demo/schemas") / name, Source(value if isinstance(value, str) else json.dumps(value))
        )
        for name, value in case["schemas"].items()
    }

    def load(file: str, beside: ParsedFile | None) -> ParsedFile | ReadProblem:
        return files.get(file) or ReadProblem("missing", Path("/demo/schemas") / file)

    found: list[Any] = []
    for step in read_registry(registry, "closing").steps.values():
        ref = step.gate.intent_schema_ref if step.gate else None
        if step.gate is None or step.schema_ref is None or ref is None or not ref.value.startswith("#/"):
            continue
        kind = trouble(resolve_step(step, registry, Resolver(load)), version)
        if kind:
            found.append([kind, step.id, [], []])
            continue
        listed = {value.value for value in resolve_step(step, registry, Resolver(load)).intents}
        allowed = {intent.value for intent in step.gate.intents}
        if listed != allowed:
            found.append(["intent_enum_mismatch", step.id, sorted(allowed - listed), sorted(listed - allowed)])
    return sorted(found, key=str)


def trouble(schema: StepSchema, version: str) -> str | None:
    kinds = {fault.kind for fault in schema.faults} | ({schema.problem.kind} if schema.problem else set())
    if version not in RECURSIVE_IS_REFUSED:
        kinds.discard("ref-cycle")
    if kinds & UNREADABLE:
        return "schema_load_failed"
    return "intent_schema_ref_no_enum" if kinds & NO_ENUM else None
