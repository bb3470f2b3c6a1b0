"""What a failed validator found, in a sentence, with the files and the cause: the semantic summary of 2026-04-20."""

import re
from collections import Counter
from typing import Literal, NamedTuple

from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.validators.command_result import CommandResult
from stepflow_gui.run.validators.error_places import UNKNOWN_FILE, type_errors
from stepflow_gui.run.validators.porcelain import changed, staged, untracked
from stepflow_gui.run.validators.test_report import failed_tests
from stepflow_gui.text.json.tree import JsonValue

_GIT = frozenset({"parseChangedFiles", "parseUntrackedFiles", "parseStagedFiles", "parseUnstagedFiles"})
_TESTS = frozenset({"parseTestOutput", "failedTests"})
_TYPES = frozenset({"parseTypeErrors", "errors"})
_FAILED = re.compile(r"([0-9]+)\s+failed")
_PASSED = re.compile(r"([0-9]+)\s+passed")


class Summary(NamedTuple):
    """A failure in short."""

    text: str
    severity: Literal["error", "warning"]
    files: tuple[str, ...] = ()
    cause: str | None = None
    advice: str = ""


def summarize(extract_params: JsonValue, result: CommandResult) -> Summary | None:
    """The summary by the first family of extractors that the validator uses; None where it uses none of them."""
    named = extract_params.values() if isinstance(extract_params, dict) else ()
    used = {name for name in named if isinstance(name, str)}
    if used & _GIT:
        return _of_git(result)
    if used & _TESTS:
        return _of_tests(result)
    return _of_types(result) if used & _TYPES else None


def _of_git(result: CommandResult) -> Summary:
    modified, unknown, ready = changed(result.stdout), untracked(result.stdout), staged(result.stdout)
    parts = []
    if modified:
        count = len(modified)
        parts.append(ngettext("{count} file is changed", "{count} files are changed", count).format(count=count))
    if unknown:
        count = len(unknown)
        parts.append(ngettext("{count} file is untracked", "{count} files are untracked", count).format(count=count))
    advice = _("Commit the changes.") if modified or ready else _("Add or remove the untracked files.")
    return Summary(
        ", ".join(parts) or _("nothing is changed"),
        "error" if modified or ready else "warning",
        tuple(dict.fromkeys([*modified, *ready])),
        advice=advice,
    )


def _of_tests(result: CommandResult) -> Summary:
    failures = failed_tests(result)
    count = len(failures) or _number(_FAILED, result.output)
    text = ngettext("{count} of {total} test failed", "{count} of {total} tests failed", count)
    files = (failure.get("file") or failure["name"] for failure in failures)
    return Summary(
        text.format(count=count, total=count + _number(_PASSED, result.output)),
        "error",
        tuple(dict.fromkeys(files)),
        failures[0]["error"] if failures else None,
        _("Correct what the failed tests find."),
    )


def _of_types(result: CommandResult) -> Summary:
    errors = type_errors(result.stderr, cut=False)
    causes = Counter(error["message"] for error in errors)  # the first wins a tie, as it was counted first
    return Summary(
        ngettext("{count} type error", "{count} type errors", len(errors)).format(count=len(errors)),
        "error",
        tuple(dict.fromkeys(error["file"] for error in errors if error["file"] != UNKNOWN_FILE)),
        causes.most_common(1)[0][0] if causes else None,
        _("Correct the types."),
    )


def _number(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return int(found[1]) if found else 0
