"""A journal of saves of several files, so that one that was cut off between two files is brought to an end.

An entry is written before the first file is renamed, and goes once all is done. It is held by a lock that the system
releases when the program exits, however it exits: an entry without a lock was interrupted.
"""

import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

from stepflow_gui.text.files.locking import hold
from stepflow_gui.text.files.regular_file import open_regular, read_bytes
from stepflow_gui.text.files.staging import Staged, StagedRemoval, flush_folder
from stepflow_gui.text.files.temporary import OURS, clear_left

_VERSION = 1


class SettledSave(NamedTuple):
    """What became of a save that was cut off. `kept`: another program wrote meanwhile, so nothing was touched."""

    outcome: Literal["completed", "undone", "kept"]
    files: tuple[Path, ...]


class SaveJournal:
    """Saves of several files in progress, each an entry in a folder of the user."""

    __slots__ = ("folder",)

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def begin(self, staged: Sequence[Staged | StagedRemoval]) -> "SaveEntry | None":
        """Write down what is about to be renamed or removed; None where that can't be, which stops no save."""
        entry = self.folder / f"{secrets.token_hex(8)}.json"
        files = [
            {
                "file": str(each.target),
                "beside": None if each.beside is None else str(each.beside),
                "backup": None if each.backup is None else str(each.backup),
                "new": None if each.beside is None else _digest(each.beside),
                "old": None if each.backup is None else _digest(each.backup),
            }
            for each in staged
        ]
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            begun = SaveEntry(entry, entry.open("xb"))
        except OSError:
            return None
        if begun.write(json.dumps({"version": _VERSION, "files": files}).encode("ascii")):
            return begun
        begun.end()
        return None

    def settle(self) -> list[SettledSave]:
        """Complete each save that was cut off, or undo it where that can't be; nothing of another program is lost.

        Its files beside the others go, and so does what else killed programs left. A save of which nothing was done
        yet is undone silently. Two programs that start at once don't do it both.
        """
        settled: list[SettledSave] = []
        try:
            with self.folder.with_name(f"{self.folder.name}.lock").open("wb") as lock:
                if hold(lock):
                    settled = list(self._settled())
                    clear_left(self.folder)
        except OSError:
            pass
        return settled

    def _settled(self) -> Iterator[SettledSave]:
        for entry in sorted(self.folder.glob("*.json")):
            try:
                with open_regular(entry) as file:
                    if not hold(file):
                        continue
            except OSError:
                continue
            done = _settle(entry)
            with suppress(OSError):
                entry.unlink(missing_ok=True)
            if done is not None:
                yield done


class SaveEntry:
    """The record of a save in progress."""

    __slots__ = ("_file", "_path")

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self._path = path
        self._file = file

    def write(self, data: bytes) -> bool:
        """Write it down, so a power cut doesn't lose it; whether that could be done."""
        try:
            hold(self._file)
            self._file.write(data)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError:
            return False
        flush_folder(self._path.parent)
        return True

    def end(self) -> None:
        """All is done, or undone."""
        try:
            self._path.unlink(missing_ok=True)
            self._file.close()  # only now: no one may find it unlocked
        except OSError:
            pass


class _Cut(NamedTuple):
    """A file of a save that was cut off. `new` and `old` are digests; None: it isn't to be there, or wasn't."""

    file: Path
    beside: Path | None
    backup: Path | None
    new: str | None
    old: str | None

    @property
    def is_new(self) -> bool:
        return self._is(self.new)

    @property
    def is_old(self) -> bool:
        return self._is(self.old)

    @property
    def can_be_done(self) -> bool:
        return self.beside is None or _digest(self.beside) == self.new

    def do(self) -> None:
        if self.beside is not None:
            self.beside.replace(self.file)
        else:
            self.file.unlink()

    def _is(self, digest: str | None) -> bool:
        return not os.path.lexists(self.file) if digest is None else _digest(self.file) == digest


def _settle(entry: Path) -> SettledSave | None:
    cut = _read(entry)
    if cut is None:
        return None
    files = tuple(each.file for each in cut)
    done = [each for each in cut if each.is_new]
    waiting = [each for each in cut if not each.is_new]
    try:
        if not done or not waiting:
            return None
        if any(not each.is_old for each in waiting):
            return SettledSave("kept", files)
        if all(each.can_be_done for each in waiting):
            for each in waiting:
                each.do()
            return SettledSave("completed", files)
        return _undone(done, files)
    except OSError:
        return SettledSave("kept", files)
    finally:
        _clear(cut)


def _undone(renamed: Sequence[_Cut], files: tuple[Path, ...]) -> SettledSave:
    if any(each.old is not None and (each.backup is None or _digest(each.backup) != each.old) for each in renamed):
        return SettledSave("kept", files)
    for each in renamed:
        if each.backup is not None:
            each.backup.replace(each.file)
        else:
            each.file.unlink()
    return SettledSave("undone", files)


def _clear(cut: Sequence[_Cut]) -> None:
    for each in cut:
        for path in (each.beside, each.backup):
            if path is not None and OURS.fullmatch(path.name):
                with suppress(OSError):
                    path.unlink(missing_ok=True)
        flush_folder(each.file.parent)


def _read(entry: Path) -> list[_Cut] | None:
    try:
        found: Any = json.loads(read_bytes(entry))
        if found["version"] != _VERSION:
            return None
        return [
            _Cut(
                _path(each["file"]),
                None if each["beside"] is None else _path(each["beside"]),
                None if each["backup"] is None else _path(each["backup"]),
                None if each["beside"] is None else str(each["new"]),
                None if each["old"] is None else str(each["old"]),
            )
            for each in found["files"]
        ]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None  # cut off while it was written, or another version's: no file had been renamed


def _path(name: str) -> Path:
    """Raises ValueError for what is not a path that a save has written down."""
    if "\0" in name or not Path(name).is_absolute():
        raise ValueError(name)
    return Path(name)


def _digest(path: Path) -> str | None:
    """What a file's bytes are known by; None where there is no file that can be read."""
    try:
        return hashlib.sha256(read_bytes(path)).hexdigest()
    except (OSError, ValueError):
        return None
