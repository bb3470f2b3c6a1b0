"""A file's new content, written in full beside it before it takes its place in one stroke."""

import errno
import os
import re
import secrets
import stat
import time
from pathlib import Path

from stepflow_gui.messages import _

_LONGEST = 200  # bytes
_ABANDONED = 3600  # seconds after which a file of ours beside the target is what a killed process left


class Staged:
    """New content of a file, flushed to disk under another name in its folder. Either `commit` or `discard` it.

    Making, committing and restoring raise OSError, and leave the file as it was and nothing beside it.
    """

    __slots__ = ("_backup", "_beside", "existed", "target")

    def __init__(self, target: Path, data: bytes) -> None:
        self.target = target
        self._backup: Path | None = None
        before = target.stat() if target.exists() else None
        self.existed = before is not None
        if before is not None and not stat.S_ISREG(before.st_mode):
            raise _not_a_file(target, before.st_mode)
        if before is not None and not may_write(target):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
        _sweep(target)
        self._beside = _written(target, data, before)

    def commit(self) -> None:
        """Put the new content in the file's place."""
        try:
            self._beside.replace(self.target)
        except BaseException:
            self.discard()
            raise

    def discard(self) -> None:
        """Take back what was not committed, and the copy of the old content."""
        self._beside.unlink(missing_ok=True)
        if self._backup is not None:
            self._backup.unlink(missing_ok=True)

    def keep_old(self) -> None:
        """Before `commit`: hold on to the old file, so that `restore` needs no space on the disk."""
        if not self.existed:
            return
        backup = _beside(self.target)
        try:
            os.link(self.target, backup)
        except OSError:  # not every file system has links
            backup = _written(self.target, self.target.read_bytes(), self.target.stat())
        self._backup = backup

    def restore(self) -> None:
        """After `commit`: put the old file back; one that wasn't there before goes again."""
        if self._backup is not None:
            self._backup.replace(self.target)
            self._backup = None
        else:
            self.target.unlink()


def flush_folder(folder: Path) -> None:
    """See to it that new names in a folder survive a power cut, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def _not_a_file(target: Path, mode: int) -> OSError:
    """A folder, or a device or pipe: taking its place would take it from everybody who uses it."""
    if stat.S_ISDIR(mode):
        return IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    return OSError(errno.EINVAL, _("not a regular file"), str(target))


def may_write(target: Path) -> bool:
    """Whether this process may write a file or folder: its rights may be others than those of who started it."""
    return os.access(target, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _beside(target: Path) -> Path:
    return target.with_name(f".{_stem(target)}.{secrets.token_hex(6)}.tmp")


def _stem(target: Path) -> str:
    """So much of a file's name that another may begin with it: names end at 255 bytes, not letters."""
    return os.fsencode(target.name)[:_LONGEST].decode("utf-8", "ignore")


def _written(target: Path, data: bytes, before: os.stat_result | None) -> Path:
    beside = _beside(target)
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            if before is not None:
                _take_on(beside, before)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    return beside


def _take_on(path: Path, before: os.stat_result) -> None:
    path.chmod(stat.S_IMODE(before.st_mode))
    if hasattr(os, "chown") and (before.st_uid, before.st_gid) != (path.stat().st_uid, path.stat().st_gid):
        try:
            os.chown(path, before.st_uid, before.st_gid)
        except OSError:
            pass  # only the owner's name is lost, as with every editor that saves by renaming


def _sweep(target: Path) -> None:
    """Remove what a process that was killed while saving this file left beside it."""
    ours = re.compile(re.escape(f".{_stem(target)}.") + r"[0-9a-f]{12}\.tmp")
    try:
        left = [child for child in target.parent.iterdir() if ours.fullmatch(child.name)]
        for child in left:
            if time.time() - child.stat().st_mtime > _ABANDONED:
                child.unlink(missing_ok=True)
    except OSError:
        pass
