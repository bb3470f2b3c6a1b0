"""A new file, written in one stroke where none is: never over one that is there, never half."""

import os
import secrets
from pathlib import Path

from stepflow_gui.text.files.staging import flush_folder
from stepflow_gui.text.files.store import ChangedOnDisk, Saved, SaveFailed, SaveResult, reason_of
from stepflow_gui.text.source import Source


def create(path: Path, source: Source) -> SaveResult:
    """Write a file that isn't there, and the folders that it lies in. `ChangedOnDisk` where there is one meanwhile.

    Where it fails, no file and no folder is left behind.
    """
    made: list[Path] = []
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.tmp")
    result: SaveResult
    try:
        data = source.encode()
        for folder in reversed([each for each in path.parents if not each.exists()]):
            folder.mkdir()
            made.append(folder)
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _put_in_place(beside, path)
    except FileExistsError:
        result = ChangedOnDisk(path, removed=False)
    except (OSError, ValueError) as error:
        result = SaveFailed(path, reason_of(error))
    else:
        flush_folder(path.parent)
        return Saved(path)
    _take_back(beside, made)
    return result


def _put_in_place(beside: Path, path: Path) -> None:
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:  # not every file system has links
        with path.open("xb") as file:
            file.write(beside.read_bytes())
    beside.unlink()


def _take_back(beside: Path, made: list[Path]) -> None:
    try:
        beside.unlink(missing_ok=True)
        for folder in reversed(made):
            folder.rmdir()
    except (OSError, ValueError):
        pass  # somebody else has put something there
