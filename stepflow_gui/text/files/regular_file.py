"""Reads the bytes of regular files, and of nothing else: a pipe or a device could go on for ever."""

import errno
import os
import stat
from pathlib import Path

from stepflow_gui.messages import _


def read_bytes(path: Path) -> bytes:
    """What a file holds. Raises OSError, also for what is not a regular file, and ValueError for an impossible name."""
    # Opened without waiting, so that a pipe nobody writes to doesn't hang before it can be told.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        refuse_odd(path, os.fstat(file.fileno()).st_mode)
        return file.read()


def refuse_odd(path: Path, mode: int) -> None:
    """Raise IsADirectoryError for a folder, and OSError for a pipe, a device and whatever else is no regular file."""
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, _("not a regular file"), str(path))
