"""Reads what a test run wrote: which tests failed, and with what error."""

import re

from stepflow_gui.run.javascript.values import trimmed
from stepflow_gui.run.validators.command_result import CommandResult
from stepflow_gui.text.json.tree import JsonValue

UNKNOWN = "Unknown error"
_NAMED = re.compile(r"FAILED\s*\|\s*([^\n\r\u2028\u2029]+)")
_FILE = re.compile(r"(\S+\.tsx?)\s+\.\.\.\s+FAILED")
_ASSERTION = re.compile(r"AssertionError:\s*([^\n\r\u2028\u2029]+)")
_STOPS = ("---", "ok |", "FAILED |")
_ERROR_LINES = 9

Failure = dict[str, JsonValue]


def failed_tests(result: CommandResult) -> list[Failure]:
    """The failed tests, each with name, error and, where it is known, file."""
    text = result.output
    found: list[Failure] = []
    for match in _NAMED.finditer(text):
        name = trimmed(match[1])
        found.append({"name": name, "error": _error_of(name, text)})
    for match in _FILE.finditer(text):
        file = match[1]
        if all(failure.get("file") != file for failure in found):
            found.append({"name": file, "file": file, "error": _error_of(file, text)})
    if not found:
        found = [{"name": "AssertionError", "error": trimmed(match[1])} for match in _ASSERTION.finditer(text)]
    return found


def error_output(result: CommandResult) -> str:
    """The part of the output that contains errors."""
    if trimmed(result.stderr):
        return trimmed(result.stderr)
    lines = result.stdout.split("\n")
    first = next((at for at, line in enumerate(lines) if "FAILED" in line or "error:" in line), 0)
    return trimmed("\n".join(lines[first:]))


def _error_of(name: str, text: str) -> str:
    lines = text.split("\n")
    first = next((at for at, line in enumerate(lines) if name in line), None)
    if first is None:
        return UNKNOWN
    kept = []
    for line in lines[first + 1 : first + 1 + _ERROR_LINES]:
        if any(stop in line for stop in _STOPS):
            break
        if trimmed(line):
            kept.append(trimmed(line))
    return "\n".join(kept) or UNKNOWN
