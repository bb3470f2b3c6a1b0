"""Saving several files as one: all of them or none, as far as a file system allows."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.text.files.staging import Staged, flush_folder
from stepflow_gui.text.files.store import ChangedOnDisk, SaveFailed, reason_of, why_not_over
from stepflow_gui.text.source import Source


class Write(NamedTuple):
    """A text for a file. `read_as` is what the file is believed to hold; None: whatever is there, or nothing."""

    path: Path
    source: Source
    read_as: Source | None


class SavedTogether(NamedTuple):
    """Every file holds its text."""

    paths: tuple[Path, ...]


class PartlySaved(NamedTuple):
    """A file couldn't be put in its place, and others that were could not be put back."""

    written: tuple[Path, ...]  # these hold their new text
    unwritten: tuple[Path, ...]  # these are as they were
    reason: str  # the system's word for what stood in the way


def save_together(writes: Sequence[Write]) -> SavedTogether | ChangedOnDisk | SaveFailed | PartlySaved:
    """Write texts to files: first each in full beside its file, then all renamed into place.

    Where another program changed one of them, or one can't be written, none is. A rename that fails undoes those
    before it. Raises ValueError where two texts are for one file.
    """
    targets = [Path(os.path.realpath(write.path)) for write in writes]
    if len(set(targets)) < len(targets):
        raise ValueError("two texts for one file")
    refused = _refused(writes)
    if refused is not None:
        return refused
    staged: list[Staged] = []
    result = _stage(writes, targets, staged) or _refused(writes) or _commit(writes, staged)
    for done in staged:
        done.discard()
    for folder in {target.parent for target in targets}:
        flush_folder(folder)
    return result or SavedTogether(tuple(write.path for write in writes))


def _refused(writes: Sequence[Write]) -> ChangedOnDisk | SaveFailed | None:
    found = (why_not_over(write.path, write.read_as) for write in writes)
    return next((refused for refused in found if refused is not None), None)


def _stage(writes: Sequence[Write], targets: list[Path], staged: list[Staged]) -> SaveFailed | None:
    for write, target in zip(writes, targets, strict=True):
        try:
            staged.append(Staged(target, write.source.encode()))
            staged[-1].keep_old()
        except (OSError, ValueError) as error:
            return SaveFailed(write.path, reason_of(error))
    return None


def _commit(writes: Sequence[Write], staged: list[Staged]) -> SaveFailed | PartlySaved | None:
    for at, new in enumerate(staged):
        try:
            new.commit()
        except OSError as error:
            stuck = _restore(staged[:at])
            if not stuck:
                return SaveFailed(writes[at].path, reason_of(error))
            written = tuple(writes[number].path for number in stuck)
            unwritten = tuple(write.path for number, write in enumerate(writes) if number not in stuck)
            return PartlySaved(written, unwritten, reason_of(error))
    return None


def _restore(staged: list[Staged]) -> list[int]:
    """Put old files back; which ones couldn't be."""
    stuck: list[int] = []
    for at in reversed(range(len(staged))):
        try:
            staged[at].restore()
        except OSError:
            stuck.insert(0, at)
    return stuck
