"""The report as workflow commands of GitHub Actions, which shows them beside the lines of a pull request."""

from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.lint.engine.outcome import LintOutcome
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def github_lines(outcome: LintOutcome, folder: Path) -> Iterator[str]:
    """One command a finding; paths are relative to `folder`, which is the checkout."""
    for found in outcome.diagnostics:
        start, end = found.range
        where = {"file": shown_path(found.file, folder), "line": str(start.line), "endLine": str(end.line)}
        if start.line == end.line:
            where |= {"col": str(start.column), "endColumn": str(end.column)}
        where["title"] = f"{found.code} {found.name}"
        properties = ",".join(f"{name}={_property(text)}" for name, text in where.items())
        yield f"::{_COMMANDS[found.severity]} {properties}::{_data(found.message)}"


def _data(text: str) -> str:
    return printable(text.replace("%", "%25"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
