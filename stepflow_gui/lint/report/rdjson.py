"""The report in reviewdog's diagnostic format, whose columns count bytes of UTF-8."""

from pathlib import Path
from typing import Any

from stepflow_gui.lint.diagnostic import Diagnostic, Fix, Range
from stepflow_gui.lint.engine.outcome import LintOutcome
from stepflow_gui.lint.report.json_text import json_text
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.text.source import Position, Source

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "info": "INFO"}


def rdjson_report(outcome: LintOutcome, folder: Path) -> str:
    """The findings; paths are relative to `folder`, which is the checkout."""
    found = [_diagnostic(each, outcome, folder) for each in outcome.diagnostics]
    return json_text({"source": {"name": "stepflow lint"}, "diagnostics": found}, indent=2)


def _diagnostic(found: Diagnostic, outcome: LintOutcome, folder: Path) -> dict[str, Any]:
    source = outcome.sources.get(found.file)
    shown: dict[str, Any] = {
        "message": printable(found.message),
        "location": _location(found.file, found.range, outcome, folder),
        "severity": _SEVERITIES[found.severity],
        "code": {"value": found.code},
    }
    suggestions = [each for fix in found.fixes for each in _suggestion(fix, found, source)]
    if suggestions:
        shown["suggestions"] = suggestions
    if found.related:
        shown["relatedLocations"] = [
            {"message": printable(related.message), "location": _location(related.file, related.range, outcome, folder)}
            for related in found.related
        ]
    return shown


def _location(file: Path, where: Range, outcome: LintOutcome, folder: Path) -> dict[str, Any]:
    return {"path": printable(shown_path(file, folder)), "range": _range(where, outcome.sources.get(file))}


def _suggestion(fix: Fix, found: Diagnostic, source: Source | None) -> list[dict[str, Any]]:
    """A fix of one edit in the file itself: the format can't express more."""
    if len(fix.edits) != 1 or fix.edits[0].file != found.file:
        return []
    return [{"range": _range(fix.edits[0].range, source), "text": fix.edits[0].text}]


def _range(where: Range, source: Source | None) -> dict[str, Any]:
    return {"start": _position(where.start, source), "end": _position(where.end, source)}


def _position(position: Position, source: Source | None) -> dict[str, int]:
    before = source.line_text(position.line)[: position.column - 1] if source else ""
    column = len(before.encode("utf-8", "surrogatepass")) + 1 if source else position.column
    return {"line": position.line, "column": column}
