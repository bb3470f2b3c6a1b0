"""Saving several files as one: all of them or none, as far as a file system allows."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.text.files import temporary
from stepflow_gui.text.files.boundary import refuse_outside
from stepflow_gui.text.files.save_journal import SaveJournal
from stepflow_gui.text.files.staging import FileChangedError, Staged, StagedRemoval, flush_folder
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


class Removal(NamedTuple):
    """A file that goes. `read_as` as of `Write`. Folders that are empty then go, too, as far as `within`, which stays.

    `root` as of `Write`; a file that is a link goes itself, wherever it points.
    """

    path: Path
    read_as: Source | None
    root: Path | None
    within: Path

    @property
    def folders(self) -> Iterator[Path]:
        """The folders that may go."""
        return takewhile(lambda folder: folder != self.within, self.path.parents)


class SavedTogether(NamedTuple):
    """Every file holds its text, and those to be removed are gone."""

    paths: tuple[Path, ...]


class PartlySaved(NamedTuple):
    """A file couldn't be put in its place, and others that were could not be put back."""

    written: tuple[Path, ...]  # these hold their new text
    unwritten: tuple[Path, ...]  # these are as they were
    reason: str  # the system's message for what went wrong


def save_together(
    writes: Sequence[Write], journal: SaveJournal | None = None, removals: Sequence[Removal] = ()
) -> SavedTogether | ChangedOnDisk | SaveFailed | PartlySaved:
    """Write texts to files: first each in full beside its file, then all renamed into place; then remove others.

    Where another program changed one of them, or one can't be written or removed, nothing is done. What fails undoes
    what was done before it; what is cut off between two is in the `journal`. Folders that what isn't believed to be
    there needs are made. Raises ValueError where two texts are for one file.
    """
    targets = [Path(os.path.realpath(write.path)) for write in writes]
    if len(set(targets)) < len(targets):
        raise ValueError("two texts for one file")
    refused = _refused(writes, removals)
    if refused is not None:
        return refused
    made: list[Path] = []
    staged: list[Staged | StagedRemoval] = []
    result = _make_folders(writes, made) or _stage(writes, removals, staged) or _refused(writes, removals)
    emptied = [] if result else sorted({folder for each in removals for folder in each.folders}, key=_inmost_first)
    for folder in emptied:
        temporary.begin(folder)
    if result is None:
        entry = journal.begin(staged) if journal is not None else None
        result = _commit(_all(writes, removals), staged)
        _discard(staged)
        if entry is not None:
            entry.end()
    else:
        _discard(staged)
    for folder in {each.target.parent for each in staged}:
        flush_folder(folder)
    for folder in (*emptied, *reversed(made if result is not None else ())):
        with suppress(OSError):  # something is in there, of others or of ours
            folder.rmdir()
    for folder in (*emptied, *made):
        temporary.end(folder)
    return result or SavedTogether(tuple(write.path for write in writes))


def _inmost_first(folder: Path) -> int:
    return -len(folder.parts)


def _all(writes: Sequence[Write], removals: Sequence[Removal]) -> list[Write | Removal]:
    return [*writes, *removals]


def _refused(writes: Sequence[Write], removals: Sequence[Removal]) -> ChangedOnDisk | SaveFailed | PartlySaved | None:
    for write in writes:
        if write.new and os.path.lexists(write.path):
            return ChangedOnDisk(write.path, removed=False)
    for each in _all(writes, removals):
        refused = why_not_over(each.path, each.read_as)
        if refused is not None:
            return refused
    return None


def _make_folders(writes: Sequence[Write], made: list[Path]) -> SaveFailed | None:
    for write in writes:
        try:
            refuse_outside(write.path, write.root)
            missing = [folder for folder in write.path.parents if write.read_as is None and not folder.exists()]
            for folder in reversed(missing):
                temporary.begin(folder)
                made.append(folder)
                folder.mkdir()
        except (OSError, ValueError) as error:
            return SaveFailed(write.path, reason_of(error))
    return None


def _stage(
    writes: Sequence[Write], removals: Sequence[Removal], staged: list[Staged | StagedRemoval]
) -> ChangedOnDisk | SaveFailed | None:
    for each in _all(writes, removals):
        try:
            read_as = None if each.read_as is None else each.read_as.encode()
            if isinstance(each, Write):
                staged.append(Staged(each.path, each.source.encode(), read_as, each.root, new=each.new))
            else:
                staged.append(StagedRemoval(each.path, read_as, each.root))
            staged[-1].keep_old()
        except FileChangedError as error:
            return ChangedOnDisk(each.path, removed=error.removed)
        except (OSError, ValueError) as error:
            return SaveFailed(each.path, reason_of(error))
    return None


def _discard(staged: Sequence[Staged | StagedRemoval]) -> None:
    for each in staged:
        each.discard()


def _commit(
    wanted: Sequence[Write | Removal], staged: list[Staged | StagedRemoval]
) -> ChangedOnDisk | SaveFailed | PartlySaved | None:
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
            return ChangedOnDisk(wanted[at].path, removed=error.removed)
        if not stuck:
            return SaveFailed(wanted[at].path, reason_of(error))
        written = tuple(wanted[number].path for number in stuck)
        unwritten = tuple(each.path for number, each in enumerate(wanted) if number not in stuck)
        return PartlySaved(written, unwritten, reason_of(error))
    return None


def _restore(staged: Sequence[Staged | StagedRemoval], done: Sequence[int]) -> list[int]:
    """Put old files back; which ones couldn't be."""
    stuck: list[int] = []
    for at in reversed(done):
        try:
            staged[at].restore()
        except OSError:
            stuck.insert(0, at)
    return stuck
