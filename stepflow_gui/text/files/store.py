"""Files on disk: reading them as sources, and saving so that a file is always the old or the new one, never neither."""

from pathlib import Path
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.text.files.regular_file import read_bytes
from stepflow_gui.text.source import Source

MOST_BYTES = 64_000_000  # of a text: reading it takes two seconds


class ReadProblem(NamedTuple):
    """Why a file couldn't be read. `kind`: missing, folder, unreadable, not-utf8, outside, no-registry or no-piece.

    `detail` is the system's word for it; the offset of the first bad byte for not-utf8; what it holds for no-piece; for
    outside the target of the link.
    """

    kind: str
    path: Path
    detail: str = ""


class Saved(NamedTuple):
    """The file holds the text."""

    path: Path


class ChangedOnDisk(NamedTuple):
    """Another program changed or removed the file since it was read; nothing was written."""

    path: Path
    removed: bool


class SaveFailed(NamedTuple):
    """The file couldn't be written and is as it was; `reason` is the system's word for it."""

    path: Path
    reason: str


SaveResult = Saved | ChangedOnDisk | SaveFailed


def read(path: Path) -> Source | ReadProblem:
    """The text of a file. Only regular files are read: a pipe or a device could go on for ever."""
    try:
        data = read_bytes(path, MOST_BYTES)
    except FileNotFoundError:
        return ReadProblem("missing", path)
    except IsADirectoryError:
        return ReadProblem("folder", path)
    except (OSError, ValueError) as error:
        return ReadProblem("unreadable", path, reason_of(error))
    try:
        return Source.decode(data)
    except UnicodeDecodeError as error:
        return ReadProblem("not-utf8", path, str(error.start))


def save(path: Path, source: Source, read_as: Source | None, root: Path | None = None) -> SaveResult:
    """Write a text in one stroke: a new file beside the old one, flushed, then renamed over it.

    `read_as` is the text that the file is believed to hold; where it holds another, also right before the renaming,
    nothing is written. None: write whatever is there. Links are followed, but not out of `root`, the folder of the
    project that the file belongs to. The file's permissions are kept, and no other file is left behind.
    """
    changed = why_not_over(path, read_as)
    if changed is not None:
        return changed
    from stepflow_gui.text.files.staging import FileChangedError, Staged, flush_folder  # who only reads needs none

    try:
        staged = Staged(path, source.encode(), None if read_as is None else read_as.encode(), root)
        try:
            staged.keep_old()
            staged.commit()
            staged.look_back()
        finally:
            staged.discard()
    except FileChangedError as error:
        return ChangedOnDisk(path, removed=error.removed)
    except (OSError, ValueError) as error:
        return SaveFailed(path, reason_of(error))
    flush_folder(staged.target.parent)
    return Saved(path)


def why_not_over(path: Path, read_as: Source | None) -> ChangedOnDisk | SaveFailed | None:
    """What keeps a save from writing over a file that is believed to hold a text; None where nothing does."""
    if read_as is None:
        return None
    now = read(path)
    if isinstance(now, ReadProblem) and now.kind in {"missing", "not-utf8"}:
        return ChangedOnDisk(path, removed=now.kind == "missing")
    if isinstance(now, ReadProblem):
        return SaveFailed(path, _("it is a folder") if now.kind == "folder" else now.detail)
    if now.text != read_as.text or now.bom != read_as.bom:
        return ChangedOnDisk(path, removed=False)
    return None


def reason_of(error: Exception) -> str:
    """The system's word for an error, in the language in use."""
    if isinstance(error, UnicodeEncodeError):
        character = f"U+{ord(error.object[error.start]):04X}"
        return _("{character} can't be written as UTF-8").format(character=character)
    if isinstance(error, OSError):
        from stepflow_gui.text.os_error_text import system_words

        return system_words(error)
    return str(error)
