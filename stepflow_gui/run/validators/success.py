"""Whether a command's result is a success, as `successWhen` has it."""

import re

from stepflow_gui.run.javascript.regular_expression import compiled
from stepflow_gui.run.javascript.values import trimmed
from stepflow_gui.run.validators.command_result import CommandResult

_INTEGER = re.compile(r"[+-]?[0-9]+")


def succeeds(success_when: str, result: CommandResult) -> bool | None:
    """Whether the result is a success; None where the regular expression is none. An unknown form never succeeds."""
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
        return None if pattern is None else pattern.search(result.stdout) is not None
    return False
