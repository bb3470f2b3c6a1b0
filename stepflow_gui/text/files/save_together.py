"""Saving several files as one: all of them or none, as far as a file system allows."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.text.files.boundary import refuse_outside
from stepflow_gui.text.files.save_journal import SaveJournal
from stepflow_gui.text.files.staging import FileChangedError, Staged, flush_folder
from stepflow_gui.text.files.store import ChangedOnDisk, SaveFailed, reason_of, why_not_over
from stepflow_gui.text.source import Source


class Write(NamedTuple):
    """A text for a file. `read_as` is what the file is believed to hold; None: whatever is there, or nothing.

    Nothing is written through a link out of `root`, the folder of the file's project. `new`: the file doesn't exist.
    """

    path: Path
    source: Source
    read_as: Source | None
    root: Path | None = None
    new: bool = False


class SavedTogether(NamedTuple):
    """Every file holds its text."""

    paths: tuple[Path, ...]


class PartlySaved(NamedTuple):
    """A file couldn't be put in its place, and others that were could not be put back."""

    written: tuple[Path, ...]  # these hold their new text
    unwritten: tuple[Path, ...]  # these are as they were
    reason: str  # the system's message for what went wrong


def save_together(
    writes: Sequence[Write], journal: SaveJournal | None = None
) -> SavedTogether | ChangedOnDisk | SaveFailed | PartlySaved:
    """Write texts to files: first each in full beside its file, then all renamed into place.

    Where another program changed one of them, or one can't be written, none is. A rename that fails undoes those
    before it; what is cut off between two is in the `journal`. Folders that what isn't believed to be there needs are
    made. Raises ValueError where two texts are for one file.
    """
    targets = [Path(os.path.realpath(write.path)) for write in writes]
    if len(set(targets)) < len(targets):
        raise ValueError("two texts for one file")
    refused = _refused(writes)
    if refused is not None:
        return refused
    made: list[Path] = []
    staged: list[Staged] = []
    result = _make_folders(writes, made) or _stage(writes, staged) or _refused(writes)
    if result is None:
        entry = journal.begin(staged) if journal is not None else None
        result = _commit(writes, staged)
        _discard(staged)
        if entry is not None:
            entry.end()
    else:
        _discard(staged)
    for folder in {target.parent for target in targets}:
        flush_folder(folder)
    for folder in reversed(made if result is not None else ()):
        with suppress(OSError):  # somebody else has put something there
            folder.rmdir()
    return result or SavedTogether(tuple(write.path for write in writes))


def _refused(writes: Sequence[Write]) -> ChangedOnDisk | SaveFailed | PartlySaved | None:
    for write in writes:
        if write.new and os.path.lexists(write.path):
            return ChangedOnDisk(write.path, removed=False)
        refused = why_not_over(write.path, write.read_as)
        if refused is not None:
            return refused
    return None


def _make_folders(writes: Sequence[Write], made: list[Path]) -> SaveFailed | None:
    for write in writes:
        try:
            refuse_outside(write.path, write.root)
            missing = [folder for folder in write.path.parents if write.read_as is None and not folder.exists()]
            for folder in reversed(missing):
                folder.mkdir()
                made.append(folder)
        except (OSError, ValueError) as error:
            return SaveFailed(write.path, reason_of(error))
    return None


def _stage(writes: Sequence[Write], staged: list[Staged]) -> SaveFailed | None:
    for write in writes:
        try:
            read_as = None if write.read_as is None else write.read_as.encode()
            staged.append(Staged(write.path, write.source.encode(), read_as, write.root, new=write.new))
            staged[-1].keep_old()
        except (OSError, ValueError) as error:
            return SaveFailed(write.path, reason_of(error))
    return None


def _discard(staged: Sequence[Staged]) -> None:
    for each in staged:
        each.discard()


def _commit(writes: Sequence[Write], staged: list[Staged]) -> ChangedOnDisk | SaveFailed | PartlySaved | None:
    at, done = 0, list[int]()
    try:
        for at, new in enumerate(staged):
            done = list(range(at))
            new.commit()
        for at, new in enumerate(staged):
            done = [number for number in range(len(staged)) if number != at]
            new.look_back()
    except OSError as error:
        stuck = _restore(staged, done)
        if not stuck and isinstance(error, FileChangedError):
            return ChangedOnDisk(writes[at].path, removed=error.removed)
        if not stuck:
            return SaveFailed(writes[at].path, reason_of(error))
        written = tuple(writes[number].path for number in stuck)
        unwritten = tuple(write.path for number, write in enumerate(writes) if number not in stuck)
        return PartlySaved(written, unwritten, reason_of(error))
    return None


def _restore(staged: Sequence[Staged], done: Sequence[int]) -> list[int]:
    """Put old files back; which ones couldn't be."""
    stuck: list[int] = []
    for at in reversed(done):
        try:
            staged[at].restore()
        except OSError:
            stuck.insert(0, at)
    return stuck
