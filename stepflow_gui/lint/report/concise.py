"""The report of one line a finding, and a sum at the end."""

from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.lint.engine.outcome import LintOutcome
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.lint.report.summary import COLORS, painted, severity_name, summary


def concise_lines(outcome: LintOutcome, folder: Path, color: bool = False) -> Iterator[str]:
    """The lines of the report; paths are relative to `folder`."""
    for found in outcome.diagnostics:
        start = found.range.start
        place = f"{printable(shown_path(found.file, folder))}:{start.line}:{start.column}"
        label = f"{severity_name(found.severity)} {found.code}"
        if color:
            label = painted(label, COLORS[found.severity])
        yield f"{place}: {label}: {printable(found.message)}"
    yield summary(outcome)
