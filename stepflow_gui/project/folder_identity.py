"""What distinguishes a folder from a later one at the same path, its number on the disk included."""

import ctypes
import os
import sys
from pathlib import Path
from typing import NamedTuple

_HERE = -100  # AT_FDCWD: from the working directory
_BIRTH = 0x800  # STATX_BTIME
_MASK_AT, _BIRTH_AT, _STATX_SIZE = 0, 80, 256  # bytes, of `struct statx`


class FolderIdentity(NamedTuple):
    """A folder's number on its disk, and when it was made: nanoseconds since 1970, None if that is unknown.

    A file system gives the number of a folder that was removed to the next one. The disk's own number is left out: it
    may be another after the next start of the machine.
    """

    number: int
    born: int | None


def identity_of(folder: Path) -> FolderIdentity | None:
    """What a folder is known by; None where there is none."""
    try:
        found = folder.stat()
        return FolderIdentity(found.st_ino, _birth(folder, found)) if folder.is_dir() else None
    except (OSError, ValueError):
        return None


def _birth(folder: Path, found: os.stat_result) -> int | None:
    if sys.platform == "linux":
        return _birth_on_linux(folder)
    if sys.platform == "win32":
        return found.st_ctime_ns
    seconds = getattr(found, "st_birthtime", None)
    return None if seconds is None else round(seconds * 1_000_000_000)


def _birth_on_linux(folder: Path) -> int | None:
    """Python's own `stat` leaves it out."""
    try:
        statx = ctypes.CDLL(None).statx
    except (AttributeError, OSError):
        return None
    room = ctypes.create_string_buffer(_STATX_SIZE)
    if statx(_HERE, os.fsencode(folder), 0, _BIRTH, room):
        return None
    bytes_of = bytes(room)
    if not int.from_bytes(bytes_of[_MASK_AT : _MASK_AT + 4], sys.byteorder) & _BIRTH:
        return None
    seconds = int.from_bytes(bytes_of[_BIRTH_AT : _BIRTH_AT + 8], sys.byteorder, signed=True)
    return seconds * 1_000_000_000 + int.from_bytes(bytes_of[_BIRTH_AT + 8 : _BIRTH_AT + 12], sys.byteorder)
