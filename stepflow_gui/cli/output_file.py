"""The file that a report is written to, as the user names it: a file, a device or a pipe."""

import os
import stat
from pathlib import Path

from stepflow_gui.text.files.store import Saved, SaveFailed, SaveResult, reason_of, save
from stepflow_gui.text.source import Source

_SYSTEM = ("/dev/", "/proc/")  # files there are doors to other things, even where they look like plain ones


def write_output(path: Path, text: str) -> SaveResult:
    """Replace a file in one stroke; what isn't a file, such as /dev/stdout or a named pipe, is written to."""
    source = Source(text)
    if not _is_door(path):
        return save(path, source, None)
    try:
        with path.open("wb") as file:
            file.write(source.encode())
    except (OSError, ValueError) as error:
        return SaveFailed(path, reason_of(error))
    return Saved(path)


def _is_door(path: Path) -> bool:
    if os.path.normpath(path.absolute()).startswith(_SYSTEM):
        return True
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):  # not there yet, or not to be: saving says why
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
