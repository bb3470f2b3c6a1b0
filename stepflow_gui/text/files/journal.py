"""A journal of unsaved texts, so a crash or a power cut loses none.

Each running program has a folder of its own inside the journal's, held by a lock that the system lets go of when the
program exits, however it exits. Files in a folder without a lock were left by a program that didn't exit cleanly.
"""

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from stepflow_gui.text.files.locking import hold
from stepflow_gui.text.files.regular_file import read_bytes
from stepflow_gui.text.files.staging import Staged
from stepflow_gui.text.files.store import reason_of
from stepflow_gui.text.source import Source

_VERSION = 1
_LOCK = "lock"
_TRIES = 5  # another program may look at a new folder just before it is held


class Unsaved(NamedTuple):
    """A text that was not saved, and what its file held when it was read: None where there was no file."""

    path: Path
    source: Source
    read_as: str | None  # SHA-256 of the bytes; see `digest`
    base: Source | None = None  # the text of that time; None also where it was lost
    opened: Path | None = None  # the file whose opening brought this one into the window
    when: float = 0.0  # seconds since the epoch
    entry: Path | None = None  # the file of the journal that keeps it

    @property
    def fits(self) -> bool:
        """Whether the file still holds what the text was made from."""
        try:
            return hashlib.sha256(read_bytes(self.path)).hexdigest() == self.read_as
        except FileNotFoundError:
            return self.read_as is None
        except (OSError, ValueError):
            return False

    @property
    def saved(self) -> bool:
        """Whether the file holds the text by now: the program ended right behind the save."""
        try:
            return read_bytes(self.path) == self.source.encode()
        except (OSError, ValueError):
            return False


class Journal:
    """This program's unsaved texts, and those of programs that ended without saving.

    A disk that is full or read-only never prevents editing: then `note` returns the system's
    word for it, and there is no journal.
    """

    def __init__(self, folder: Path) -> None:
        self._root = folder
        self._mine = self._new_folder()
        self._lock: IO[bytes] | None = None
        self._noted: dict[Path, str] = {}
        self._bases: dict[Path, str] = {}

    def note(self, path: Path, source: Source, read_as: Source | None, opened: Path | None = None) -> str | None:
        """Keep an unsaved text until `forget`. Returns None, or why it couldn't be kept."""
        known_by = None if read_as is None else digest(read_as)
        entry = {
            "version": _VERSION,
            "path": str(path),
            "opened": str(path if opened is None else opened),
            "read_as": known_by,
            "bom": source.bom,
            "text": source.text,
        }
        data = json.dumps(entry).encode("ascii")  # escapes, so a lone surrogate is kept, too
        content = hashlib.sha256(data).hexdigest()
        try:
            self._open()
            if self._noted.get(path) == content:
                return None
            self._note_base(path, read_as, known_by)
            Staged(self._entry(path), data).commit()
        except OSError as error:
            return reason_of(error)
        self._noted[path] = content
        return None

    def forget(self, path: Path) -> None:
        """The text was saved, or thrown away on purpose."""
        self._noted.pop(path, None)
        self._bases.pop(path, None)
        try:
            _drop(self._entry(path))
        except OSError:
            pass

    def close(self) -> None:
        """The program ends well: nothing of it is to be recovered."""
        held = self._lock is not None
        for entry in _entries(self._mine) if held else ():
            _drop(entry)  # while it is locked, so no one finds them
        self._release()
        if held:
            shutil.rmtree(self._mine, ignore_errors=True)

    def leave(self) -> None:
        """The program ends with texts that aren't saved: the next one finds them."""
        self._release()

    def left(self) -> list[Unsaved]:
        """The texts that programs left that are no longer running, by path; of one file the newest first. Reads only.

        An entry that can't be read hides no other.
        """
        found = (_read(file) for folder in self._abandoned() for file in _entries(folder))
        return sorted((each for each in found if each is not None), key=lambda each: (each.path, -each.when))

    def discard_left(self, unsaved: Unsaved | None = None) -> None:
        """Forget what other programs left: one text, when it was recovered or isn't wanted, or everything."""
        for folder in self._abandoned():
            for file in _entries(folder):
                if unsaved is None or file == unsaved.entry:
                    _drop(file)
            if not list(_entries(folder)):
                shutil.rmtree(folder, ignore_errors=True)

    def _entry(self, path: Path) -> Path:
        name = hashlib.sha256(os.fsencode(path)).hexdigest()[:32]
        return self._mine / f"{name}.json"

    def _note_base(self, path: Path, read_as: Source | None, known_by: str | None) -> None:
        # Once for all the changes made to it: the text of a large file is long.
        if read_as is None or known_by is None or self._bases.get(path) == known_by:
            return
        Staged(_base_of(self._entry(path)), read_as.encode()).commit()
        self._bases[path] = known_by

    def _open(self) -> None:
        if self._lock is not None and (self._mine / _LOCK).exists():
            return
        self._release()  # where somebody removed the folder, everything is noted again
        for _attempt in range(_TRIES):
            self._mine = self._new_folder()
            self._mine.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = (self._mine / _LOCK).open("wb")
            if hold(lock) and (self._mine / _LOCK).exists():
                self._lock = lock
                return
            lock.close()
        raise OSError(f"{self._mine} is locked")

    def _release(self) -> None:
        self._noted.clear()
        self._bases.clear()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _new_folder(self) -> Path:
        return self._root / secrets.token_hex(8)

    def _abandoned(self) -> Iterator[Path]:
        try:
            folders = sorted(child for child in self._root.iterdir() if child.is_dir() and child != self._mine)
        except OSError:
            return
        for folder in folders:
            try:
                lock = (folder / _LOCK).open("r+b")
            except OSError:
                continue
            with lock:
                free = hold(lock)
            if free:
                yield folder


def digest(source: Source) -> str:
    """What a text's bytes are known by."""
    return hashlib.sha256(source.encode()).hexdigest()


def _entries(folder: Path) -> Iterator[Path]:
    return iter(sorted(folder.glob("*.json")))


def _read(file: Path) -> Unsaved | None:
    try:
        entry = json.loads(read_bytes(file))
        if entry["version"] != _VERSION:
            return None
        text = Source(str(entry["text"]), bool(entry["bom"]))
        path, known_by = Path(entry["path"]), entry["read_as"]
        opened = Path(entry.get("opened", path))
        if "\0" in f"{path}{opened}":
            return None
        return Unsaved(path, text, known_by, _read_base(file, known_by), opened, file.stat().st_mtime, file)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None  # half a file, another version's, or damaged


def _read_base(file: Path, known_by: str | None) -> Source | None:
    try:
        data = read_bytes(_base_of(file))
        return Source.decode(data) if hashlib.sha256(data).hexdigest() == known_by else None
    except (OSError, UnicodeDecodeError):
        return None


def _base_of(entry: Path) -> Path:
    return entry.with_suffix(".base")


def _drop(entry: Path) -> None:
    entry.unlink(missing_ok=True)
    _base_of(entry).unlink(missing_ok=True)
