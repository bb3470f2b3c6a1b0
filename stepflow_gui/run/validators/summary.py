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
_TESTS = frozenset({"parseTestOutput", "failedTests", "errorOutput"})
_TYPES = frozenset({"parseTypeErrors", "errors", "extractFiles", "files"})
_TOTALS = re.compile(r"([0-9]+)\s+passed[^\n\r\u2028\u2029]*?([0-9]+)\s+failed")


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
    totals = _TOTALS.search(result.output)
    passed, failed = (int(totals[1]), int(totals[2])) if totals else (0, 0)
    count = len(failures) or failed
    if count + passed:
        text = ngettext("{count} of {total} test failed", "{count} of {total} tests failed", count)
    else:
        text = ngettext("{count} test failed", "{count} tests failed", count)
    files = (failure.get("file") or failure["name"] for failure in failures)
    return Summary(
        text.format(count=count, total=count + passed),
        "error",
        tuple(dict.fromkeys(files)),
        failures[0]["error"] if failures else None,
        _("Correct what the failed tests find."),
    )


def _of_types(result: CommandResult) -> Summary:
    errors = type_errors(result.stderr, cut=False)
    files = tuple(dict.fromkeys(error["file"] for error in errors if error["file"] != UNKNOWN_FILE))
    causes = Counter(error["message"] for error in errors)  # the first wins a tie, as it was counted first
    text = _("no type errors")
    if errors:
        found = ngettext("{count} type error", "{count} type errors", len(errors)).format(count=len(errors))
        places = ngettext("{count} file", "{count} files", len(files)).format(count=len(files))
        text = _("{errors} in {files}").format(errors=found, files=places)
    return Summary(
        text,
        "error",
        files,
        causes.most_common(1)[0][0] if causes else None,
        _("Correct the types."),
    )
