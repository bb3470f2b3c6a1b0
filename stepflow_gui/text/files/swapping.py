"""What the system can do so that no writing of another program is lost: swap two files, wait for who writes to one."""

import errno
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

_HERE = -100  # AT_FDCWD: names count from the working directory
_EXCHANGE = 2  # RENAME_EXCHANGE
_CANNOT = (errno.EINVAL, errno.ENOSYS, errno.EPERM, errno.ENOTSUP)
_MOST, _STEP = 0.3, 0.002  # seconds


def swap(one: Path, other: Path) -> bool:
    """Exchange two files in one stroke; False where the system or the file system can't. Raises OSError."""
    if sys.platform != "linux":
        return False
    import ctypes  # only who saves needs it

    library = ctypes.CDLL(None, use_errno=True)
    exchange = getattr(library, "renameat2", None)
    if exchange is None:
        return False
    if exchange(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _CANNOT:
        return False
    raise OSError(code, os.strerror(code), str(one), None, str(other))


def wait_for_writers(path: Path) -> None:
    """Wait until no program has a file open for writing, for a moment; not at all where the system can't tell.

    A file that has lost its name may still be written to by who opened it before.
    """
    if sys.platform != "linux":
        return
    from fcntl import F_RDLCK, F_SETLEASE, F_UNLCK, fcntl

    def has_writer() -> bool:
        """A lease on reading is refused as long as somebody may write."""
        try:
            fcntl(handle, F_SETLEASE, F_RDLCK)
        except OSError as error:
            return error.errno == errno.EAGAIN
        fcntl(handle, F_SETLEASE, F_UNLCK)
        return False

    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            end = time.monotonic() + _MOST
            while has_writer() and time.monotonic() < end:
                time.sleep(_STEP)
        finally:
            os.close(handle)
