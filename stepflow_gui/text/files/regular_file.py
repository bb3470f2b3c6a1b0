"""Reads the bytes of regular files, and of nothing else: a pipe or a device could go on for ever."""

import errno
import os
import stat
from pathlib import Path
from typing import IO

from stepflow_gui.messages import _


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """What a file holds. Raises OSError, also for what is not a regular file, and ValueError for an impossible name.

    So it does for a file of more than `most` bytes, of which nothing is read.
    """
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if most is not None and size > most:
            message = _("it has {size} MB; files over {most} MB aren't read")
            message = message.format(size=size // 1_000_000, most=most // 1_000_000)
            raise OSError(errno.EFBIG, message, str(path))
        return file.read()


def open_regular(path: Path) -> IO[bytes]:
    """Open a file to read it. Raises as `read_bytes`."""
    # Opened without waiting, so a pipe without a writer doesn't hang before it is detected.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        refuse_odd(path, os.fstat(handle).st_mode)
    except OSError:
        os.close(handle)
        raise
    return os.fdopen(handle, "rb")


def refuse_odd(path: Path, mode: int) -> None:
    """Raise IsADirectoryError for a folder, and OSError for a pipe, a device or any other special file."""
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, _("not a regular file"), str(path))
