"""New files as one: all of them appear or none does, and nothing that is there is written over."""

import errno
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.text.files import temporary
from stepflow_gui.text.files.boundary import refuse_outside
from stepflow_gui.text.files.staging import flush_folder
from stepflow_gui.text.files.store import reason_of


class FilesCreated(NamedTuple):
    """Every file is there."""

    paths: tuple[Path, ...]


class FilesNotCreated(NamedTuple):
    """A file couldn't be made, so that none was; `reason` is the system's word for it."""

    path: Path
    reason: str


def make_files(files: Mapping[Path, bytes], root: Path | None = None) -> FilesCreated | FilesNotCreated:
    """Write files that don't exist yet, and the folders that they need; none if a link goes out of `root`.

    What doesn't exist is written in full beside its place, a new folder with all that belongs in it, and then takes its
    place by one renaming. So a reader never meets a new folder that is half filled.
    """
    pieces: dict[Path, list[Path]] = {}
    staged: dict[Path, Path] = {}
    placed: list[Path] = []
    at = next(iter(files), Path())
    try:
        for at in files:
            refuse_outside(at, root)
        pieces = _pieces(files)
        for piece, inside in pieces.items():
            staged[piece] = temporary.beside(piece)
            for at in inside:
                _write(staged[piece] / at.relative_to(piece), files[at])
        for piece, filled in staged.items():
            at = piece
            _place(filled, piece)
            placed.append(piece)
    except (OSError, ValueError) as error:
        for piece in placed:
            _remove(piece)
        return FilesNotCreated(at, reason_of(error))
    finally:
        for filled in staged.values():
            _remove(filled)
            temporary.end(filled)
    for folder in {piece.parent for piece in pieces}:
        flush_folder(folder)
    return FilesCreated(tuple(files))


def _pieces(files: Mapping[Path, bytes]) -> dict[Path, list[Path]]:
    """The files by what takes its place at once: the topmost folder above each that is missing, or the file itself."""
    pieces: dict[Path, list[Path]] = {}
    for path in files:
        piece = path
        while not os.path.lexists(piece.parent):
            piece = piece.parent
        pieces.setdefault(piece, []).append(path)
    return pieces


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _place(filled: Path, piece: Path) -> None:
    """Raises FileExistsError where something has come there meanwhile."""
    if os.path.lexists(piece):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(piece))
    if filled.is_dir():
        filled.rename(piece)
        return
    try:
        os.link(filled, piece)  # refuses what is there, where a renaming would take its place
    except FileExistsError:
        raise
    except OSError:  # not every file system has links
        filled.rename(piece)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.lexists(path):
        path.unlink(missing_ok=True)
