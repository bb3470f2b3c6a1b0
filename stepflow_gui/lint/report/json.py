"""The report for programs: JSON of a fixed shape, described in the documentation; it only ever grows."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stepflow_gui.lint.diagnostic import Diagnostic, FileEdit, Fix, Range, Related
from stepflow_gui.lint.engine.outcome import LintOutcome
from stepflow_gui.lint.report.json_text import json_text
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.text.source import Position

VERSION = 1


def json_report(outcome: LintOutcome, folder: Path) -> str:
    """The outcome as JSON text; paths are relative to `folder`. No character in it is one that UTF-8 can't hold."""
    errors, warnings, infos = outcome.counts
    counts = {"errors": errors, "warnings": warnings, "infos": infos, "suppressed": len(outcome.suppressed)}
    ranges = {shown_path(file, folder): releases for file, releases in sorted(outcome.releases.items())}
    evidence = {
        file: {"narrowedBy": list(each.narrowed_by), "against": list(each.against)}
        for file, each in ranges.items()
        if each.narrowed_by or each.against
    }
    report = {
        "version": VERSION,
        "files": [shown_path(file, folder) for file in outcome.files],
        **({"releases": {file: each.text for file, each in ranges.items()}} if ranges else {}),  # registries have none
        **({"evidence": evidence} if evidence else {}),  # of these releases: what lies around pieces
        "diagnostics": [_diagnostic(diagnostic, folder) for diagnostic in outcome.diagnostics],
        "summary": {**counts, "files": len(outcome.files)},
    }
    return json_text(report, indent=2)


def json_lines(outcome: LintOutcome, folder: Path) -> Iterator[str]:
    """The diagnostics alone, each in one line, as they are in the JSON report."""
    for diagnostic in outcome.diagnostics:
        yield json_text(_diagnostic(diagnostic, folder))


def _diagnostic(diagnostic: Diagnostic, folder: Path) -> dict[str, Any]:
    return {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "file": shown_path(diagnostic.file, folder),
        "format": diagnostic.format,
        "pointer": diagnostic.pointer,
        "step": diagnostic.step,
        "range": _range(diagnostic.range),
        "related": [_related(related, folder) for related in diagnostic.related],
        "fixes": [_fix(fix, folder) for fix in diagnostic.fixes],
    }


def _related(related: Related, folder: Path) -> dict[str, Any]:
    return {
        "file": shown_path(related.file, folder),
        "pointer": related.pointer,
        "range": _range(related.range),
        "message": related.message,
    }


def _fix(fix: Fix, folder: Path) -> dict[str, Any]:
    edits = [_edit(edit, folder) for edit in fix.edits]
    shown = {"title": fix.title, "safe": fix.safe, "guess": fix.guess, "edits": edits}
    if fix.unmarked:  # no edit of a text can express it
        shown["withoutByteOrderMark"] = [shown_path(path, folder) for path in fix.unmarked]
    return shown


def _edit(edit: FileEdit, folder: Path) -> dict[str, Any]:
    return {"file": shown_path(edit.file, folder), "range": _range(edit.range), "text": edit.text}


def _range(where: Range) -> dict[str, Any]:
    return {"start": _position(where.start), "end": _position(where.end)}


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column, "offset": position.offset}
