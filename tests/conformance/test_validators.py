"""Validators against what upstream makes of the same commands and outputs."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.validators.command_result import CommandResult
from stepflow_gui.run.validators.extracting import extract
from stepflow_gui.run.validators.judging import (
    Failed,
    FileCheck,
    Passed,
    ValidatorFault,
    is_recoverable,
    judge,
    judge_files,
    succeeds,
    wanted,
)
from stepflow_gui.run.validators.summary import summarize
from tests.conformance.cases import case_file, each_version, report
from tests.conformance.shell import shell

Observe = Callable[[dict[str, Any], Era, Path], Any]


def test_validators_judge_as_upstream_does(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    data = case_file(conformance, "validators.json")
    report(
        subtests,
        (
            (label, case | {"expect": _comparable(case)}, partial(_observed, case, era, tmp_path))
            for label, era, case in each_version(data)
        ),
    )


def _observed(case: dict[str, Any], era: Era, folder: Path) -> Any:
    return _FUNCTIONS[case["fn"]](case["input"], era, folder)


def _comparable(case: dict[str, Any]) -> Any:
    """The expectation without the words that are ours to choose."""
    expected = case["expect"]
    if case["fn"] != "semantic" or "none" in expected:
        return expected
    kept = {key: expected[key] for key in ("severity", "relatedFiles", "rootCause") if key in expected}
    return kept | {"numbers": _numbers(expected["summary"])}


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+", text)


def _result(given: dict[str, Any]) -> CommandResult:
    return CommandResult(given["exitCode"], given["stdout"], given["stderr"])


def _success(given: dict[str, Any], _era: Era, _folder: Path) -> Any:
    found = succeeds(given["successWhen"], _result(given["result"]))
    return {"error": "bad_regex"} if found is None else found


def _extract(given: dict[str, Any], era: Era, _folder: Path) -> Any:
    return extract(given["extractParams"], _result(given["result"]), era)


def _semantic(given: dict[str, Any], _era: Era, _folder: Path) -> Any:
    found = summarize(given["extractParams"], _result(given["result"]))
    if found is None:
        return {"none": True}
    cause = {"rootCause": found.cause} if found.cause is not None else {}
    numbers = _numbers(found.text)
    return {"severity": found.severity, "relatedFiles": list(found.files), "numbers": numbers} | cause


def _recoverable(given: dict[str, Any], _era: Era, _folder: Path) -> Any:
    return is_recoverable(given["exitCode"], given["stderr"], given.get("recoverableByDefault"))


def _sequence(given: dict[str, Any], era: Era, folder: Path) -> Any:
    for condition in given["conditions"]:
        name = condition["validator"]
        want = wanted(given["validators"], name, condition.get("params"), era)
        if isinstance(want, ValidatorFault):
            return {"error": want.kind}
        if isinstance(want, Passed):
            continue
        validator = given["validators"][name]
        found: Passed | Failed | ValidatorFault
        if isinstance(want, FileCheck):
            found = judge_files(want, [path for path in want.paths if not (folder / path).exists()])
        else:
            found = judge(validator, shell(want.text, folder), era)
        if isinstance(found, ValidatorFault):
            return {"error": found.kind}
        if isinstance(found, Failed):
            told = {} if found.recoverable is None else {"recoverable": found.recoverable}
            failed = {"valid": False, "pattern": validator.get("failurePattern"), "params": found.params}
            return failed | {"error": found.error} | told
    return {"valid": True}


_FUNCTIONS: dict[str, Observe] = {
    "successWhen": _success,
    "extract": _extract,
    "semantic": _semantic,
    "recoverable": _recoverable,
    "sequence": _sequence,
}
