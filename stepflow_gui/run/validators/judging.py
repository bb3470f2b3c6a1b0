"""A validator of the registry: what has to be run for it, and whether what came of that passes."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.climpt.validation import LATER_TYPES, validator_types
from stepflow_gui.messages import _
from stepflow_gui.run.javascript.values import text_of, trimmed
from stepflow_gui.run.validators.command_result import CommandResult
from stepflow_gui.run.validators.extracting import extract
from stepflow_gui.text.expressions.matching import compiled
from stepflow_gui.text.json.tree import JsonValue

FaultKind = Literal["validator_not_found", "unknown_validator_type", "command_missing", "bad_regex"]
_PARAMETER = re.compile(r"\$\{(\w+)\}", re.ASCII)
_NO_SUCH_PROGRAM = (126, 127)
_FORBIDDEN = ("EACCES", "Permission denied")
_INTEGER = re.compile(r"[+-]?[0-9]+")


class ShellCommand(NamedTuple):
    """A shell command, for `sh -c` in the working directory."""

    text: str


class FileCheck(NamedTuple):
    """Files that must all exist, from the working directory; at least one."""

    paths: tuple[str, ...]


class Passed(NamedTuple):
    """The validator passes; `skipped` where the era goes over it as it doesn't know it."""

    skipped: bool = False


class Failed(NamedTuple):
    """The validator fails. `error` is what it wrote; `recoverable` None where the era doesn't ask."""

    error: str
    params: Mapping[str, JsonValue]
    recoverable: bool | None


class ValidatorFault(NamedTuple):
    """The validator itself is wrong."""

    kind: FaultKind
    message: str


def wanted(
    validators: JsonValue, name: str, params: JsonValue, era: Era
) -> ShellCommand | FileCheck | Passed | ValidatorFault:
    """What is to be run for a validator. `params` are those of its condition."""
    found = validators.get(name) if isinstance(validators, dict) else None
    if not isinstance(found, dict):
        if not era.stops_at_unknown_validator:
            return Passed(skipped=True)
        message = _("The registry has no validator “{name}”. Add it, or step back.")
        return ValidatorFault("validator_not_found", message.format(name=name))
    kind, command = found.get("type"), found.get("command")
    if kind == "file":
        paths = _paths(found, params)
        return FileCheck(paths) if paths else Passed()
    if kind not in validator_types(era):
        message = _("The validator “{name}” has the type “{type}”, which the runner doesn't know.")
        return ValidatorFault("unknown_validator_type", message.format(name=name, type=text_of(kind)))
    if kind in LATER_TYPES or (kind == "custom" and not command):
        return Passed()
    if not isinstance(command, str) or not command:
        message = _("The validator “{name}” has no command. Add one, or step back.")
        return ValidatorFault("command_missing", message.format(name=name))
    return ShellCommand(_filled(command, params) if era.command_params else command)


def judge(validator: Mapping[str, Any], result: CommandResult, era: Era) -> Passed | Failed | ValidatorFault:
    """Whether a command's result passes."""
    success_when = validator.get("successWhen")
    passed = succeeds(success_when, result) if isinstance(success_when, str) else False
    if passed is None:
        message = _(
            "“{pattern}” is not a valid JavaScript regular expression, or takes too many steps. Correct successWhen,"
            " or step back."
        )
        return ValidatorFault("bad_regex", message.format(pattern=success_when))
    if passed:
        return Passed()
    params = extract(validator.get("extractParams"), result, era)
    recoverable = None if era.attempts == "unread" else is_recoverable(result.exit_code, result.stderr)
    return Failed(result.stderr or result.stdout, params, recoverable)


def judge_files(check: FileCheck, missing: Sequence[str]) -> Passed | Failed:
    """Whether a file check passes."""
    if not missing:
        return Passed()
    params: dict[str, JsonValue] = {"missingFiles": list(missing), "expectedPath": check.paths[0]}
    return Failed(f"Missing files: {', '.join(missing)}", params, None)


def is_recoverable(exit_code: int, stderr: str, by_default: JsonValue = None) -> bool:
    """Whether another try may help. `by_default` is the failure pattern's `recoverableByDefault`."""
    if exit_code in _NO_SUCH_PROGRAM or any(text in stderr for text in _FORBIDDEN):
        return False
    return by_default if isinstance(by_default, bool) else True


def _paths(validator: dict[str, JsonValue], params: JsonValue) -> tuple[str, ...]:
    """The files of a check: those that its condition names, then its own."""
    named = params.get("paths") if isinstance(params, dict) else None
    listed = [*(named if isinstance(named, list) else []), validator.get("path")]
    return tuple(path for path in listed if isinstance(path, str) and path)


def _filled(command: str, params: JsonValue) -> str:
    values = params if isinstance(params, dict) else {}
    return _PARAMETER.sub(lambda found: text_of(values[found[1]]) if found[1] in values else found[0], command)


def succeeds(success_when: str, result: CommandResult) -> bool | None:
    """Whether the result is a success; None where the regular expression can't decide. Unknown forms never succeed."""
    if success_when == "empty":
        return not trimmed(result.stdout)
    form, _colon, rest = success_when.partition(":")
    if not _colon:
        return False
    if form == "exitCode":
        found = _INTEGER.match(trimmed(rest.partition(":")[0]))
        return found is not None and result.exit_code == int(found[0])
    if form == "contains":
        return rest in result.stdout
    if form == "matches":
        pattern = compiled(rest)
        return None if pattern is None else pattern.is_in(result.stdout)
    return False
