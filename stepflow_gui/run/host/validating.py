"""Runs a validator: a preset result, else its command or file check, judged as the era judges it."""

from collections.abc import Sequence

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.effects import Commands, NoAnswer
from stepflow_gui.run.machine.closure_checks import validators_of
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.state import RunValidator, State, Validated
from stepflow_gui.run.validators.command_result import CommandResult
from stepflow_gui.run.validators.extracting import extract
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
from stepflow_gui.text.json.tree import JsonValue


def validate(machine: Machine, state: State, request: RunValidator, commands: Commands) -> Validated | NoAnswer:
    """How a validator goes; `NoAnswer` where its command can't be run now."""
    era, validators = machine.era, validators_of(machine.flow)
    want = wanted(validators, request.validator, request.params, era)
    if isinstance(want, ValidatorFault):
        return Validated(passed=False, fault=want.message)
    known = commands.preset_result(request, state)
    if isinstance(known, Validated):
        return _with_params(known, validators.get(request.validator), era)
    if isinstance(known, NoAnswer):
        return known
    found: Passed | Failed | ValidatorFault = Passed()
    match want:
        case ShellCommand(text):
            result = known or commands.command(text)
            if isinstance(result, NoAnswer):
                return result
            found = judge(validators[request.validator], result, era)
        case FileCheck(paths):
            missing = _missing(paths, commands)
            if isinstance(missing, NoAnswer):
                return missing
            found = judge_files(want, missing)
    match found:
        case ValidatorFault(message=message):
            return Validated(passed=False, fault=message)
        case Failed(error, params, recoverable):
            return Validated(passed=False, error=error, params=params, recoverable=recoverable is not False)
    return Validated(passed=True)


def _missing(paths: Sequence[str], commands: Commands) -> list[str] | NoAnswer:
    missing = []
    for path in paths:
        exists = commands.exists(path)
        if isinstance(exists, NoAnswer):
            return exists
        if not exists:
            missing.append(path)
    return missing


def _with_params(outcome: Validated, validator: JsonValue, era: Era) -> Validated:
    """A failure described in text, with what its validator's extractors find in it."""
    if outcome.passed or outcome.params or not outcome.error or not isinstance(validator, dict):
        return outcome
    result = CommandResult(1, outcome.error, outcome.error)
    return outcome._replace(params=extract(validator.get("extractParams"), result, era))
