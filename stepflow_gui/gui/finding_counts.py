"""Numbers of findings in words."""

from stepflow_gui.messages import ngettext


def count_texts(errors: int, warnings: int) -> list[str]:
    """Errors and warnings, each where there are any."""
    parts = []
    if errors:
        parts.append(ngettext("{count} error", "{count} errors", errors).format(count=errors))
    if warnings:
        parts.append(ngettext("{count} warning", "{count} warnings", warnings).format(count=warnings))
    return parts
