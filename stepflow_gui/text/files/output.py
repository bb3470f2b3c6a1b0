"""What a person asked to have in a file that they named: a file, a device or a pipe."""

import os
import stat
from pathlib import Path

from stepflow_gui.text.files.staging import Staged, flush_folder
from stepflow_gui.text.files.store import Saved, SaveFailed, reason_of

_SYSTEM = ("/dev/", "/proc/")  # files there are doors to other things, even where they look like plain ones


def write_output(path: Path, data: bytes, root: Path | None = None) -> Saved | SaveFailed:
    """Replace a file in one stroke; what isn't a file, such as /dev/stdout or a named pipe, is written to.

    No link is followed out of `root`, the folder of the project that the path lies in.
    """
    try:
        if _is_door(path):
            with path.open("wb") as file:
                file.write(data)
            return Saved(path)
        staged = Staged(path, data, root=root)
        staged.commit()
    except (OSError, ValueError) as error:
        return SaveFailed(path, reason_of(error))
    flush_folder(staged.target.parent)
    return Saved(path)


def _is_door(path: Path) -> bool:
    if os.path.normpath(path.absolute()).startswith(_SYSTEM):
        return True
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):  # doesn't exist yet, or can't: writing reports why
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
