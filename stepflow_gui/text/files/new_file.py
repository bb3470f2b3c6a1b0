"""A new file, written in one stroke where none is: never over one that is there, never half."""

import os
from pathlib import Path

from stepflow_gui.text.files.new_files import FilesCreated, make_files
from stepflow_gui.text.files.store import ChangedOnDisk, Saved, SaveFailed, SaveResult, reason_of
from stepflow_gui.text.source import Source


def create(path: Path, source: Source, root: Path | None = None) -> SaveResult:
    """Write a file that doesn't exist, and the folders that it lies in. `ChangedOnDisk` where there is one meanwhile.

    If it fails, no file and no folder is left behind; it also fails if a link goes out of `root`, the project's folder.
    """
    try:
        made = make_files({path: source.encode()}, root)
    except ValueError as error:
        return SaveFailed(path, reason_of(error))
    if isinstance(made, FilesCreated):
        return Saved(path)
    return ChangedOnDisk(path, removed=False) if os.path.lexists(path) else SaveFailed(path, made.reason)
