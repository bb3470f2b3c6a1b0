"""The file that a report is written to, as the user names it."""

from pathlib import Path

from stepflow_gui.project.finding.locate import marked_root
from stepflow_gui.text.files import output
from stepflow_gui.text.files.store import Saved, SaveFailed, reason_of
from stepflow_gui.text.source import Source


def write_output(path: Path, text: str) -> Saved | SaveFailed:
    """Replace a file in one stroke, a device or pipe is written to; no link is followed out of a project."""
    try:
        data = Source(text).encode()
    except ValueError as error:
        return SaveFailed(path, reason_of(error))
    return output.write_output(path, data, marked_root(path))
