"""The report as GitLab's Code Quality reads it."""

from collections import Counter
from hashlib import sha256
from pathlib import Path

from stepflow_gui.lint.engine.outcome import LintOutcome
from stepflow_gui.lint.report.json_text import json_text
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.lint.suppressions.fingerprint import Fingerprint, fingerprint

_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def gitlab_report(outcome: LintOutcome, folder: Path) -> str:
    """A list of findings; paths are relative to `folder`, which is the checkout."""
    seen: Counter[Fingerprint] = Counter()
    entries = []
    for found in outcome.diagnostics:
        mark = fingerprint(found, folder, outcome.sources)
        seen[mark] += 1
        start, end = found.range
        entries.append(
            {
                "description": printable(found.message),
                "check_name": found.code,
                "fingerprint": digest(mark, seen[mark]),
                "severity": _SEVERITIES[found.severity],
                "location": {
                    "path": printable(shown_path(found.file, folder)),
                    "positions": {
                        "begin": {"line": start.line, "column": start.column},
                        "end": {"line": end.line, "column": end.column},
                    },
                },
            }
        )
    return json_text(entries, indent=2)


def digest(mark: Fingerprint, number: int) -> str:
    """A short text for the `number`th finding of a fingerprint."""
    text = "\0".join((*mark, str(number)))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]
