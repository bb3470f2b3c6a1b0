"""Temporary names beside files, written down while they are in use: what a killed program left goes at the next start.

The record is a file of its own for each program, held by a lock that the system releases however the program exits.
"""

import json
import os
import re
from _thread import allocate_lock  # `threading` is one module more at the start of every command
from collections.abc import Iterator
from pathlib import Path
from typing import IO

_LONGEST = 200  # bytes
_RECORDS = "*.names"
OURS = re.compile(r"\.(.+)\.[0-9a-f]{12}(?:\.old)?\.tmp", re.DOTALL)


class _Record:
    """The names that this program uses now. Without a folder nothing is written down."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        self.file: IO[bytes] | None = None
        self.names: set[str] = set()
        self.lock = allocate_lock()

    def add(self, path: Path) -> None:
        name = os.path.realpath(path.parent) + os.sep + path.name
        with self.lock:
            self.names.add(name)
            try:
                if self.file is None and self.folder is not None:
                    self.file = _opened(self.folder)
                if self.file is not None:
                    self.file.write(json.dumps(name).encode("ascii") + b"\n")
            except OSError:
                pass  # which stops no save

    def remove(self, path: Path) -> None:
        with self.lock:
            self.names.discard(os.path.realpath(path.parent) + os.sep + path.name)
            if self.names or self.file is None:
                return
            try:
                Path(self.file.name).unlink(missing_ok=True)
                self.file.close()  # only now: no one may find it unlocked
            except OSError:
                pass
            self.file = None


_record = _Record()


def record_in(folder: Path) -> None:
    """From now on, write down in a folder of the user which names are in use."""
    _record.folder = folder


def begin(path: Path) -> None:
    """A temporary file or folder is about to be made, or a folder that goes again if it stays empty."""
    _record.add(path)


def end(path: Path) -> None:
    """It has got its final name, or is gone, or stays."""
    _record.remove(path)


def beside(target: Path) -> Path:
    """A new name in a file's or folder's own folder, by which it is known to be ours: begun, to be ended."""
    path = name_beside(target)
    begin(path)
    return path


def name_beside(target: Path) -> Path:
    """Such a name alone."""
    import secrets  # most programs write nothing

    return target.with_name(f".{stem(target)}.{secrets.token_hex(6)}.tmp")


def stem(target: Path) -> str:
    """So much of a file's name that another may begin with it: names end at 255 bytes, not letters."""
    return os.fsencode(target.name)[:_LONGEST].decode("utf-8", "ignore")


def clear_left(folder: Path) -> None:
    """Remove what programs that were killed left under the names that they wrote down in a folder."""
    from stepflow_gui.text.files.locking import hold
    from stepflow_gui.text.files.regular_file import open_regular

    for record in sorted(folder.glob(_RECORDS)):
        try:
            with open_regular(record) as file:
                if hold(file):
                    for path in sorted(_names(file.read()), key=lambda each: len(each.parts), reverse=True):
                        _clear(path)
                    record.unlink(missing_ok=True)
        except OSError:
            continue


def _opened(folder: Path) -> IO[bytes]:
    import secrets

    from stepflow_gui.text.files.locking import hold

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = (folder / f"{secrets.token_hex(8)}{_RECORDS[1:]}").open("xb", buffering=0)
    hold(file)
    return file


def _names(data: bytes) -> Iterator[Path]:
    for line in data.splitlines():
        try:
            name = json.loads(line)
        except (ValueError, RecursionError):
            continue  # cut off while it was written: nothing has that name yet
        if isinstance(name, str) and Path(name).is_absolute():
            yield Path(name)


def _clear(path: Path) -> None:
    try:
        if not OURS.fullmatch(path.name):
            path.rmdir()  # only where it is empty
        elif path.is_dir() and not path.is_symlink():
            import shutil

            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    except (OSError, ValueError):
        pass
