"""The report in SARIF 2.1.0, which code scanning services read."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from stepflow_gui import __version__
from stepflow_gui.lint.diagnostic import Diagnostic, Fix, Range
from stepflow_gui.lint.engine.outcome import LintOutcome
from stepflow_gui.lint.examples.rule_docs import docs_of, first_sentence
from stepflow_gui.lint.report.gitlab import digest
from stepflow_gui.lint.report.json_text import json_text
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.lint.suppressions.fingerprint import Fingerprint, fingerprint

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "SRCROOT"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_PLACEHOLDER = re.compile(r"[{}]")
_LINK = re.compile(r"(?<!\\)([\[\]])")


def sarif_report(outcome: LintOutcome, folder: Path) -> str:
    """One run; paths are relative to `folder`, which the log calls SRCROOT."""
    codes = sorted({found.code for found in outcome.diagnostics})
    seen: dict[Fingerprint, int] = {}
    results = []
    for found in outcome.diagnostics:
        mark = fingerprint(found, folder, outcome.sources)
        seen[mark] = seen.get(mark, 0) + 1
        results.append(_result(found, codes.index(found.code), digest(mark, seen[mark]), folder))
    run = {
        "tool": {
            "driver": {
                "name": "Stepflow",
                "semanticVersion": __version__,
                "rules": [_rule(code) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "originalUriBaseIds": {ROOT: {"uri": folder.as_uri().rstrip("/") + "/"}},
        "artifacts": [{"location": _artifact(file, folder)} for file in dict.fromkeys(outcome.files)],
        "results": results,
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(code: str) -> dict[str, Any]:
    docs = docs_of(code)
    text = f"{docs.what}\n\n{docs.why}\n\n{docs.fix}"
    return {
        "id": code,
        "name": docs.name,
        "shortDescription": {"text": first_sentence(docs.what)},
        "fullDescription": {"text": docs.what},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": _LEVELS[docs.rule.severity]},
    }


def _result(found: Diagnostic, index: int, mark: str, folder: Path) -> dict[str, Any]:
    location: dict[str, Any] = {"physicalLocation": _place(found.file, found.range, folder)}
    logical = [{"fullyQualifiedName": printable(found.pointer), "kind": "member"}] if found.pointer else []
    if logical:
        location["logicalLocations"] = logical
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": index,
        "level": _LEVELS[found.severity],
        "message": _message(found.message),
        "locations": [location],
        "partialFingerprints": {"stepflow/v1": mark},
    }
    if found.related:
        result["relatedLocations"] = _each_once(
            {
                "physicalLocation": _place(related.file, related.range, folder),
                "message": _message(related.message),
            }
            for related in found.related
        )
    fixes = _each_once(_fix(fix, folder) for fix in found.fixes if fix.edits)
    if fixes:
        result["fixes"] = fixes
    return result


def _each_once(objects: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """SARIF wants such a list to hold nothing twice."""
    kept: list[dict[str, Any]] = []
    for each in objects:
        if each not in kept:
            kept.append(each)
    return kept


def _message(text: str) -> dict[str, str]:
    """Braces are placeholders and brackets links in SARIF, unless they are doubled or escaped."""
    plain = _PLACEHOLDER.sub(lambda brace: brace[0] * 2, printable(text))
    return {"text": _LINK.sub(r"\\\1", plain)}


def _place(file: Path, where: Range, folder: Path) -> dict[str, Any]:
    return {"artifactLocation": _artifact(file, folder), "region": _region(where)}


def _artifact(file: Path, folder: Path) -> dict[str, str]:
    shown = shown_path(file, folder)
    if file.is_relative_to(folder):
        return {"uri": quote(shown, errors="surrogateescape"), "uriBaseId": ROOT}
    return {"uri": file.as_uri()}


def _region(where: Range) -> dict[str, int]:
    return {
        "startLine": where.start.line,
        "startColumn": where.start.column,
        "endLine": where.end.line,
        "endColumn": where.end.column,
    }


def _fix(fix: Fix, folder: Path) -> dict[str, Any]:
    by_file: dict[Path, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        by_file.setdefault(edit.file, []).append(
            {"deletedRegion": _region(edit.range), "insertedContent": {"text": edit.text}}
        )
    changes = [
        {"artifactLocation": _artifact(file, folder), "replacements": replacements}
        for file, replacements in by_file.items()
    ]
    return {"description": _message(fix.title), "artifactChanges": changes}
