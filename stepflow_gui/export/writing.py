"""Writes an export: whole or not at all, and over nothing that isn't an export itself."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.export.formats import FORMATS
from stepflow_gui.messages import _
from stepflow_gui.project.finding.locate import marked_root
from stepflow_gui.text.files.output import write_output
from stepflow_gui.text.files.presence import is_folder, real_path
from stepflow_gui.text.files.store import SaveFailed, reason_of

_HEAD = 65_536  # bytes in which the mark of a format is


class ExportRefusal(NamedTuple):
    """Why nothing was written, in one line."""

    message: str


def write_file(path: Path, data: bytes, protected: Iterable[Path], *, force: bool) -> ExportRefusal | None:
    """Write it; `force`: over any other file, except those of the agent, which are `protected`."""
    shown = str(path)
    if is_folder(path):
        return ExportRefusal(_("{path}: this is a folder").format(path=shown))
    if real_path(path) in map(real_path, protected):
        return ExportRefusal(_("{path}: belongs to the agent and isn't overwritten").format(path=shown))
    try:
        if path.is_file() and not force and not is_export(path):
            return ExportRefusal(
                _("{path}: not written by stepflow export; use --force to overwrite it").format(path=shown)
            )
    except (OSError, ValueError) as error:
        return _unwritable(path, reason_of(error))
    written = write_output(path, data, marked_root(path))
    return _unwritable(path, written.reason) if isinstance(written, SaveFailed) else None


def _unwritable(path: Path, reason: str) -> ExportRefusal:
    return ExportRefusal(_("{path}: can't be written ({reason})").format(path=path, reason=reason))


def is_export(path: Path) -> bool:
    """Whether a file is empty or was made by an export. Raises OSError where it can't be read."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return not head or any(each.mark in head for each in FORMATS.values())
