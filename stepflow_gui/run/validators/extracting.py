"""Takes the parameters of a retry prompt out of a command's result: the extractors by name."""

from collections.abc import Callable, Mapping

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.validators.command_result import CommandResult
from stepflow_gui.run.validators.error_places import (
    format_summary,
    lint_errors,
    lint_files,
    mentioned_files,
    type_errors,
    unformatted_files,
)
from stepflow_gui.run.validators.porcelain import changed, staged, unstaged, untracked
from stepflow_gui.run.validators.test_report import error_output, failed_tests
from stepflow_gui.text.json.tree import JsonValue

_EXTRACTORS: Mapping[str, Callable[[CommandResult], JsonValue]] = {
    "parseChangedFiles": lambda result: changed(result.stdout),
    "parseUntrackedFiles": lambda result: untracked(result.stdout),
    "parseStagedFiles": lambda result: staged(result.stdout),
    "parseUnstagedFiles": lambda result: unstaged(result.stdout),
    "parseTestOutput": failed_tests,
    "failedTests": failed_tests,
    "errorOutput": error_output,
    "extractFiles": lambda result: mentioned_files(result.output),
    "files": lambda result: mentioned_files(result.output),
    "parseLintErrors": lambda result: lint_errors(result.output),
    "lintErrors": lambda result: lint_errors(result.output),
    "lintFiles": lambda result: lint_files(result.output),
    "parseFormatOutput": lambda result: unformatted_files(result.stdout),
    "formatFiles": lambda result: unformatted_files(result.stdout),
    "generateDiff": lambda result: format_summary(result.stdout),
    "diff": lambda result: format_summary(result.stdout),
    "stdout": lambda result: result.stdout,
    "stderr": lambda result: result.stderr,
    "exitCode": lambda result: result.exit_code,
    "missingPaths": lambda _result: [],
    "expectedPath": lambda _result: "",
}
_TYPE_ERRORS = ("parseTypeErrors", "errors")


def extract(extract_params: JsonValue, result: CommandResult, era: Era) -> dict[str, JsonValue]:
    """Each parameter with the value that its extractor finds; an unknown extractor gives None."""
    if not isinstance(extract_params, dict):
        return {}
    return {name: _extracted(extractor, result, era) for name, extractor in extract_params.items()}


def _extracted(extractor: JsonValue, result: CommandResult, era: Era) -> JsonValue:
    if extractor in _TYPE_ERRORS:
        return type_errors(result.stderr, cut=era.attempts == "unread")
    found = _EXTRACTORS.get(extractor) if isinstance(extractor, str) else None
    return None if found is None else found(result)
