"""Locks on files that the system lets go of when the program that holds them ends, however it ends."""

import sys
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def hold(lock: IO[bytes]) -> bool:
        """Acquire a lock, if it is free, until the file is closed."""
        try:
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def hold(lock: IO[bytes]) -> bool:
        """Acquire a lock, if it is free, until the file is closed."""
        try:
            fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
