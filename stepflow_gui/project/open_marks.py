"""Marks of the registries that are open, by which programs that don't share a window know of each other.

A mark is a small file in a folder of the person's own, named after the registry and locked as long as it is open. The
system releases the lock however the program exits, so a mark without a lock means nothing and is removed.
"""

import hashlib
import os
from pathlib import Path
from typing import IO

from stepflow_gui.text.files.locking import hold

_TRIES = 5  # another program may look at a new mark just before it is held


class OpenMarks:
    """This program's marks, and those of others. With a read-only folder, programs don't know of each other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._held: dict[Path, IO[bytes]] = {}

    def mark(self, registry: Path) -> None:
        """Let others know that a registry is open here, until `unmark`."""
        own = self._own(registry)
        if own in self._held:
            return
        for _attempt in range(_TRIES):
            try:
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                mark = own.open("wb")
            except OSError:
                return
            if hold(mark) and own.exists():
                self._held[own] = mark
                return
            mark.close()

    def unmark(self, registry: Path) -> None:
        """It isn't open here any more."""
        self._drop(self._own(registry))

    def others(self, registry: Path) -> list[int]:
        """The ids of the other processes in which a registry is open, by whatever link it is named."""
        name, found = _name(registry), []
        try:
            marks = sorted(self.folder.glob(f"{name}.*"))
        except OSError:
            return []
        for mark in marks:
            process = mark.suffix[1:]
            if mark not in self._held and process.isdecimal() and _is_held(mark):
                found.append(int(process))
        return found

    def close(self) -> None:
        """Nothing is open any more."""
        for own in list(self._held):
            self._drop(own)

    def _own(self, registry: Path) -> Path:
        return self.folder / f"{_name(registry)}.{os.getpid()}"

    def _drop(self, own: Path) -> None:
        mark = self._held.pop(own, None)
        if mark is None:
            return
        mark.close()
        try:
            own.unlink(missing_ok=True)
        except OSError:
            pass


def _name(registry: Path) -> str:
    return hashlib.sha256(os.fsencode(os.path.realpath(registry))).hexdigest()[:32]


def _is_held(mark: Path) -> bool:
    try:
        with mark.open("r+b") as file:
            free = hold(file)
        if free:
            mark.unlink(missing_ok=True)  # of a program that died
    except OSError:
        return False
    return not free
