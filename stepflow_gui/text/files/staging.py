"""A file's new content, written in full beside it before it takes its place in one stroke.

All that is written over what is there goes through `Staged`; what is new, through `new_files`.
"""

import errno
import os
import re
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

from stepflow_gui.text.files.boundary import refuse_outside
from stepflow_gui.text.files.locking import hold
from stepflow_gui.text.files.regular_file import open_regular, read_bytes, refuse_odd

_LONGEST = 200  # bytes
_ABANDONED = 3600  # seconds after which a file of ours counts as left over even if its lock doesn't show it
_TRIES = 5  # another program may look at a new file just before it is held
_OURS = re.compile(r"\.(.+)\.[0-9a-f]{12}(?:\.old)?\.tmp", re.DOTALL)
_OLD = ".old"  # in the name of the copy of the old content


class FileChangedError(OSError):
    """Another program changed a file, or removed it, since it was read."""

    def __init__(self, path: Path, *, removed: bool) -> None:
        super().__init__(errno.EAGAIN, os.strerror(errno.EAGAIN), str(path))
        self.removed = removed


class Staged:
    """New content of a file, flushed to disk under another name in its folder. `commit` it if need be, then `discard`.

    Links are followed. `read_as` is what the file must still hold when the content takes its place; None: whatever is
    there, or nothing; with `new`: nothing. Making, committing and restoring raise OSError, and leave the file as it was
    and nothing beside it; so does a link out of `root`, the project's folder.
    """

    __slots__ = ("_held", "_new", "_read_as", "backup", "beside", "existed", "target")

    def __init__(
        self, path: Path, data: bytes, read_as: bytes | None = None, root: Path | None = None, *, new: bool = False
    ) -> None:
        refuse_outside(path, root)
        self.target = Path(os.path.realpath(path))
        self.backup: Path | None = None
        self._read_as = read_as
        self._new = new
        before = self.target.stat() if self.target.exists() else None
        self.existed = before is not None
        if before is not None:
            refuse_odd(self.target, before.st_mode)
            if not may_write(self.target):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self.target))
        sweep(self.target.parent, self.target)
        self.beside, self._held = _written(self.target, data, before)

    def commit(self) -> None:
        """Put the new content in the file's place. Raises FileChangedError where that holds another text by now."""
        try:
            self._look(self.target)
            if os.name == "nt":
                self._held.close()  # an open file can't be renamed there
            if self._new:
                self._link()
            else:
                self.beside.replace(self.target)
        except BaseException:
            self.discard()
            raise
        if self.backup is None:
            self._held.close()

    def look_back(self) -> None:
        """After `commit`: put the old file back where another program wrote into it until the last.

        Raises FileChangedError then.
        """
        try:
            if self.backup is not None:
                self._look(self.backup)
        except FileChangedError:
            self.restore()
            raise

    def discard(self) -> None:
        """Take back what was not committed, and the copy of the old content."""
        self._held.close()
        self.beside.unlink(missing_ok=True)
        if self.backup is not None:
            self.backup.unlink(missing_ok=True)

    def keep_old(self) -> None:
        """Before `commit`: hold on to the old file, so that `restore` needs no space on the disk."""
        if not self.existed:
            return
        backup = self.beside.with_name(self.beside.name.removesuffix(".tmp") + f"{_OLD}.tmp")
        try:
            os.link(self.target, backup)
        except OSError:  # not every file system has links
            held = _filled(backup, self.target.read_bytes(), self.target.stat())
            held.close()
        self.backup = backup

    def restore(self) -> None:
        """After `commit`: put the old file back; one that wasn't there before goes again."""
        if self.backup is not None:
            self.backup.replace(self.target)
            self.backup = None
        else:
            self.target.unlink()

    def _link(self) -> None:
        try:
            os.link(self.beside, self.target)  # refuses what is there, where a renaming would take its place
        except FileExistsError:
            raise FileChangedError(self.target, removed=False) from None
        except OSError:  # not every file system has links
            self.beside.replace(self.target)
        else:
            self.beside.unlink()

    def _look(self, path: Path) -> None:
        if self._new and os.path.lexists(self.target):
            raise FileChangedError(path, removed=False)
        if self._read_as is None:
            return
        try:
            now = read_bytes(path)
        except FileNotFoundError:
            raise FileChangedError(path, removed=True) from None
        if now != self._read_as:
            raise FileChangedError(path, removed=False)


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


def may_write(target: Path) -> bool:
    """Whether this process may write a file or folder: its rights may be others than those of who started it."""
    return os.access(target, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def beside(target: Path) -> Path:
    """A new name in a file's or folder's own folder, by which it is known to be ours."""
    return target.with_name(f".{_stem(target)}.{secrets.token_hex(6)}.tmp")


def _stem(target: Path) -> str:
    """So much of a file's name that another may begin with it: names end at 255 bytes, not letters."""
    return os.fsencode(target.name)[:_LONGEST].decode("utf-8", "ignore")


def _written(target: Path, data: bytes, before: os.stat_result | None) -> tuple[Path, IO[bytes]]:
    for _attempt in range(_TRIES):
        path = beside(target)
        file = _filled(path, data, before)
        if path.exists():
            return path, file
        file.close()
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))


def _filled(path: Path, data: bytes, before: os.stat_result | None) -> IO[bytes]:
    """A new file with that content, flushed and held by a lock as long as it is open."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    file = os.fdopen(handle, "wb")
    try:
        hold(file)
        if before is not None:
            _take_on(path, before)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    except BaseException:
        with suppress(OSError):
            file.close()  # on a full disk it fails as well: what wasn't written yet is tried once more
        path.unlink(missing_ok=True)
        raise
    return file


def _take_on(path: Path, before: os.stat_result) -> None:
    path.chmod(stat.S_IMODE(before.st_mode))
    if hasattr(os, "chown") and (before.st_uid, before.st_gid) != (path.stat().st_uid, path.stat().st_gid):
        try:
            os.chown(path, before.st_uid, before.st_gid)
        except OSError:
            pass  # only the owner's name is lost, as with every editor that saves by renaming


def sweep(folder: Path, *targets: Path) -> None:
    """Remove what processes that were killed while they saved files of a folder, or these, left beside them."""
    try:
        children = list(folder.iterdir())
        by_stem = {_stem(path): path for path in (*children, *targets)}
        for child in children:
            ours = _OURS.fullmatch(child.name)
            target = by_stem.get(ours[1]) if ours is not None else None
            if target is not None and _is_left_over(child, target):
                child.unlink(missing_ok=True)
    except OSError:
        pass


def _is_left_over(child: Path, target: Path) -> bool:
    """Whether the process that made a file has ended: it holds the new content, wherever that is by now."""
    if time.time() - child.lstat().st_ctime > _ABANDONED:
        return True
    new = child.with_name(child.name.replace(f"{_OLD}.tmp", ".tmp"))
    try:
        with open_regular(new if new.exists() else target) as file:
            return hold(file)
    except OSError:
        return False
