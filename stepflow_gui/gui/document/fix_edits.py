"""A linter's fix as edits of texts. Knows no Qt."""

from pathlib import Path

from stepflow_gui.lint.diagnostic import Fix
from stepflow_gui.text.edit import TextEdit


def edits_of(fix: Fix) -> dict[Path, list[TextEdit]]:
    """The edits by file; their offsets count in the texts that were linted."""
    edits: dict[Path, list[TextEdit]] = {}
    for change in fix.edits:
        place = TextEdit(change.range.start.offset, change.range.end.offset, change.text)
        edits.setdefault(change.file, []).append(place)
    return edits
