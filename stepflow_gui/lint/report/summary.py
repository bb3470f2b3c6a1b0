"""The last line of the reports for people: how many findings in how many files."""

from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.engine.outcome import LintOutcome
from stepflow_gui.messages import _, ngettext

COLORS = {"error": "1;31", "warning": "1;33", "info": "1;34"}  # of severities, as a terminal wants them


def painted(text: str, color: str) -> str:
    """A text in a colour of the terminal."""
    return f"\x1b[{color}m{text}\x1b[0m"


def summary(outcome: LintOutcome) -> str:
    """The sum, and how many findings are known from a baseline or suppressed."""
    errors, warnings, infos = outcome.counts
    files = ngettext("{count} file", "{count} files", len(outcome.files)).format(count=len(outcome.files))
    if outcome.known:
        known = ngettext("{count} known finding", "{count} known findings", outcome.known).format(count=outcome.known)
        files = _("{files}, {known} left out").format(files=files, known=known)
    count = len(outcome.suppressed)
    if count:
        text = ngettext("{files}, {count} suppressed", "{files}, {count} suppressed", count)
        files = text.format(files=files, count=count)
    if not outcome.diagnostics:
        return _("No problems in {files}").format(files=files)
    parts = [
        ngettext("{count} error", "{count} errors", errors).format(count=errors),
        ngettext("{count} warning", "{count} warnings", warnings).format(count=warnings),
        ngettext("{count} info", "{count} infos", infos).format(count=infos),
    ]
    counts = [part for part, count in zip(parts, (errors, warnings, infos), strict=True) if count]
    return _("{counts} in {files}").format(counts=_(", ").join(counts), files=files)


def severity_name(severity: Severity) -> str:
    """A severity in the language in use."""
    return {"error": _("error"), "warning": _("warning"), "info": _("info")}[severity]
