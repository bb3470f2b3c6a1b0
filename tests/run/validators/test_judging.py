"""What is run for a validator, and what its outcome means."""

from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import CLIMPT_2026_03_14, CLIMPT_2026_04_08, GUIDE
from stepflow_gui.run.validators.command_result import CommandResult
from stepflow_gui.run.validators.judging import (
    Failed,
    FileCheck,
    Passed,
    ShellCommand,
    ValidatorFault,
    judge,
    judge_files,
    wanted,
)

VALIDATORS: dict[str, Any] = {
    "clean": {"type": "command", "command": "git -C ${folder} status", "successWhen": "empty"},
    "there": {"type": "file", "path": "out.txt"},
    "free": {"type": "custom"},
    "meant": {"type": "semantic"},
    "bare": {"type": "command"},
    "odd": 7,
}


def test_values_of_a_condition_are_filled_into_the_command() -> None:
    assert wanted(VALIDATORS, "clean", {"folder": "a"}, GUIDE) == ShellCommand("git -C a status")
    assert wanted(VALIDATORS, "clean", None, GUIDE) == ShellCommand("git -C ${folder} status")
    assert wanted(VALIDATORS, "clean", {"folder": "a"}, CLIMPT_2026_04_08) == ShellCommand("git -C ${folder} status")


def test_each_type_wants_its_own() -> None:
    assert wanted(VALIDATORS, "there", None, GUIDE) == FileCheck(("out.txt",))
    assert wanted(VALIDATORS, "free", None, GUIDE) == Passed()
    assert wanted(VALIDATORS, "meant", None, GUIDE) == Passed()


@pytest.mark.parametrize(
    ("name", "kind"), [("bare", "command_missing"), ("odd", "validator_not_found"), ("gone", "validator_not_found")]
)
def test_what_is_wrong_is_reported(name: str, kind: str) -> None:
    found = wanted(VALIDATORS, name, None, GUIDE)
    assert isinstance(found, ValidatorFault)
    assert found.kind == kind
    assert name in found.message


def test_earlier_runners_go_over_unknown_validators_but_not_over_unknown_types() -> None:
    assert wanted(VALIDATORS, "gone", None, CLIMPT_2026_04_08) == Passed(skipped=True)
    found = wanted(VALIDATORS, "meant", None, CLIMPT_2026_03_14)
    assert isinstance(found, ValidatorFault)


def test_a_failure_reports_what_was_written_and_extracted() -> None:
    validator = {"successWhen": "empty", "extractParams": {"files": "parseChangedFiles", "x": "nobody"}}
    found = judge(validator, CommandResult(0, " M a.ts\n"), GUIDE)
    assert found == Failed(" M a.ts\n", {"files": ["a.ts"], "x": None}, recoverable=True)
    assert judge({"successWhen": 3}, CommandResult(), GUIDE) == Failed("", {}, recoverable=True)


def test_a_missing_file_is_named() -> None:
    check = FileCheck(("in.txt", "out.txt"))
    assert judge_files(check, []) == Passed()
    assert judge_files(check, ["out.txt"]) == Failed(
        "Missing files: out.txt", {"missingFiles": ["out.txt"], "expectedPath": "in.txt"}, None
    )


@pytest.mark.parametrize(
    ("validator", "params", "paths"),
    [
        ({"path": "own"}, {"paths": ["a", 3, "b"]}, ("a", "b", "own")),
        ({}, {"paths": ["a"]}, ("a",)),
        ({"path": ""}, {"paths": "a"}, ()),
        ({}, None, ()),
    ],
)
def test_a_file_check_asks_for_the_files_of_its_condition_too(
    validator: dict[str, Any], params: Any, paths: tuple[str, ...]
) -> None:
    for era in (CLIMPT_2026_03_14, CLIMPT_2026_04_08, GUIDE):
        found = wanted({"it": {"type": "file"} | validator}, "it", params, era)
        assert found == (FileCheck(paths) if paths else Passed())
