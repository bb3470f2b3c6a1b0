"""A file's new content, written in full beside it before it takes its place in one stroke.

All that is written over what is there goes through `Staged`; what is new, through `new_files`.
"""

import errno
import os
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

from stepflow_gui.text.files import temporary
from stepflow_gui.text.files.boundary import refuse_outside
from stepflow_gui.text.files.locking import hold
from stepflow_gui.text.files.regular_file import open_regular, read_bytes, refuse_odd
from stepflow_gui.text.files.swapping import swap, wait_for_writers

_ABANDONED = 3600  # seconds after which a file of ours counts as left over even if its lock doesn't show it
_TRIES = 5  # another program may look at a new file just before it is held
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

    __slots__ = ("_data", "_held", "_new", "_read_as", "backup", "beside", "existed", "target")

    def __init__(
        self, path: Path, data: bytes, read_as: bytes | None = None, root: Path | None = None, *, new: bool = False
    ) -> None:
        refuse_outside(path, root)
        self.target = Path(os.path.realpath(path))
        self.backup: Path | None = None
        self._data = data
        self._read_as = read_as
        self._new = new
        before = self.target.stat() if self.target.exists() else None
        self.existed = before is not None
        if before is not None:
            refuse_odd(self.target, before.st_mode)
            if not may_write(self.target) and os.path.lexists(self.target):
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
                self._take_place()
        except BaseException:
            self.discard()
            raise
        temporary.end(self.beside)
        if self.backup is None:
            self._held.close()

    def look_back(self) -> None:
        """After `commit`: put the old file back where another program wrote into it until the last.

        Raises FileChangedError then.
        """
        try:
            if self.backup is not None and self._read_as is not None:
                wait_for_writers(self.backup)
                _compare(self.backup, self._read_as)
        except FileChangedError:
            self.restore()
            raise

    def discard(self) -> None:
        """Undo what was not committed, and the copy of the old content."""
        self._held.close()
        self.beside.unlink(missing_ok=True)
        temporary.end(self.beside)
        if self.backup is not None:
            self.backup.unlink(missing_ok=True)
            temporary.end(self.backup)

    def keep_old(self) -> None:
        """Before `commit`: hold on to the old file, so that `restore` needs no space on the disk.

        Raises FileChangedError where it is gone by now.
        """
        if self.existed:
            self.backup = _kept_old(self.target, self.beside, self._read_as)

    def restore(self) -> None:
        """After `commit`: put the old file back; one that wasn't there before goes again.

        What another program has written since stays.
        """
        if self.backup is None:
            self.target.unlink()
            return
        if os.path.lexists(self.target) and self._swapped_back(self.backup):
            self.backup.unlink()
        else:
            self.backup.replace(self.target)
        temporary.end(self.backup)
        self.backup = None

    def _swapped_back(self, backup: Path) -> bool:
        """Swap the old file with ours, and back again as long as what comes out was written to meanwhile."""
        coming_out, going_in = self._data, read_bytes(backup)
        for _attempt in range(_TRIES):
            if not swap(backup, self.target):
                return False
            wait_for_writers(backup)
            out = read_bytes(backup)
            if out == coming_out:
                break
            coming_out, going_in = going_in, out
        return True

    def _take_place(self) -> None:
        """Swap the two files where that can be done, so that what was there until the last is at hand afterwards."""
        try:
            swapped = self.backup is not None and swap(self.beside, self.target)
        except FileNotFoundError:
            raise FileChangedError(self.target, removed=True) from None
        if self.backup is None or not swapped:
            self.beside.replace(self.target)
        elif self.beside.samefile(self.backup):
            self.beside.unlink()
        else:
            self.beside.replace(self.backup)

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
        _compare(path, self._read_as)


class StagedRemoval:
    """A file that goes together with others' new content, and is used as `Staged` is. A link goes itself.

    `read_as` is what it must still hold then; None: whatever is there. Making it, too, raises OSError.
    """

    __slots__ = ("_held", "_read_as", "backup", "target")

    beside = None  # nothing takes its place
    existed = True

    def __init__(self, path: Path, read_as: bytes | None = None, root: Path | None = None) -> None:
        refuse_outside(path.parent, root)
        self.target = Path(os.path.realpath(path.parent)) / path.name
        self.backup: Path | None = None
        self._read_as = read_as
        self._held = open_regular(self.target)
        hold(self._held)  # what sweeps the folder must not take the copy

    def keep_old(self) -> None:
        """Before `commit`: hold on to the file, so that `restore` needs no space on the disk."""
        self.backup = _kept_old(self.target, temporary.name_beside(self.target), self._read_as)

    def commit(self) -> None:
        """Remove the file. Raises FileChangedError where it holds another text by now."""
        _compare(self.target, self._read_as)
        if os.name == "nt":
            self._held.close()  # an open file can't be removed there
        self.target.unlink()

    def look_back(self) -> None:
        """After `commit`: as `Staged` does."""
        try:
            if self.backup is not None:
                _compare(self.backup, self._read_as)
        except FileChangedError:
            self.restore()
            raise

    def restore(self) -> None:
        """After `commit`: put the file back."""
        if self.backup is not None:
            self.backup.replace(self.target)
            temporary.end(self.backup)
            self.backup = None

    def discard(self) -> None:
        """Remove the copy of the file."""
        self._held.close()
        if self.backup is not None:
            self.backup.unlink(missing_ok=True)
            temporary.end(self.backup)


def _compare(path: Path, read_as: bytes | None) -> None:
    if read_as is None:
        return
    try:
        now = read_bytes(path)
    except FileNotFoundError:
        raise FileChangedError(path, removed=True) from None
    if now != read_as:
        raise FileChangedError(path, removed=False)


def _kept_old(target: Path, beside: Path, read_as: bytes | None) -> Path:
    """The old content under a name of its own."""
    backup = beside.with_name(beside.name.removesuffix(".tmp") + f"{_OLD}.tmp")
    temporary.begin(backup)
    try:
        os.link(target, backup, follow_symlinks=False)
    except (OSError, NotImplementedError):  # not every file system has links
        try:
            _filled(backup, target.read_bytes(), target.stat()).close()
        except FileNotFoundError:
            temporary.end(backup)
            if read_as is None:
                raise
            raise FileChangedError(target, removed=True) from None
    return backup


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


def _written(target: Path, data: bytes, before: os.stat_result | None) -> tuple[Path, IO[bytes]]:
    for _attempt in range(_TRIES):
        path = temporary.beside(target)
        file = _filled(path, data, before)
        if path.exists():
            return path, file
        file.close()
        temporary.end(path)
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))


def _filled(path: Path, data: bytes, before: os.stat_result | None) -> IO[bytes]:
    """A new file with that content, flushed and held by a lock as long as it is open."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    except BaseException:
        temporary.end(path)
        raise
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
        temporary.end(path)
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
        by_stem = {temporary.stem(path): path for path in (*children, *targets)}
        for child in children:
            ours = temporary.OURS.fullmatch(child.name)
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
