"""Which folders the user trusts: only there are validator commands and programs run, until the trust is taken back.

Kept in the user's own configuration folder, never in a project. A folder is known by its resolved path and its number
on the disk, so neither a moved folder nor another one in its old place is trusted.
"""

import json
import os
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.project.user_folders import config_folder
from stepflow_gui.text.files.store import ReadProblem, Saved, SaveFailed, read, reason_of, save
from stepflow_gui.text.source import Source

FILE = "trust.json"
_VERSION = "stepflow-trust"


class Trusted(NamedTuple):
    """A trusted folder: its resolved path and its number on the disk."""

    path: Path
    number: int


class TrustProblem(NamedTuple):
    """Why trust couldn't be read or kept."""

    message: str


class Trust:
    """The trusted folders in one file; read afresh each time, as a window and a command line may share it."""

    __slots__ = ("_file",)

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or config_folder() / FILE

    def folders(self) -> list[Trusted] | TrustProblem:
        """All trusted folders, those that aren't there any more included."""
        source = read(self._file)
        if isinstance(source, ReadProblem):
            return [] if source.kind == "missing" else self._unreadable(source.detail or source.kind)
        found = _read(source.text)
        return self._unreadable(_("it is no list of folders")) if found is None else found

    def trusts(self, folder: Path) -> bool:
        """Whether a folder or one above it is trusted. Nothing is where the file can't be read."""
        known = self.folders()
        if isinstance(known, TrustProblem):
            return False
        here = Path(os.path.realpath(folder))
        above = {here, *here.parents}
        return any(each.path in above and _number(each.path) == each.number for each in known)

    def add(self, folder: Path) -> TrustProblem | None:
        """Trust a folder and what is below it."""
        path = Path(os.path.realpath(folder))
        number = _number(path)
        if number is None:
            return TrustProblem(_("{path} is no folder, so it can't be trusted").format(path=folder))
        known = self.folders()
        if isinstance(known, TrustProblem):
            return known
        return self._write([*(each for each in known if each.path != path), Trusted(path, number)])

    def remove(self, folder: Path) -> TrustProblem | None:
        """Take back the trust in a folder; also that in folders above it by which it is trusted."""
        known = self.folders()
        if isinstance(known, TrustProblem):
            return known
        here = Path(os.path.realpath(folder))
        return self._write([each for each in known if each.path != here and each.path not in here.parents])

    def _write(self, folders: list[Trusted]) -> TrustProblem | None:
        content = {
            _VERSION: 1,
            "folders": [{"path": str(each.path), "number": each.number} for each in sorted(folders)],
        }
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            return self._unwritable(reason_of(error))
        before = read(self._file)
        text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
        saved = save(self._file, Source(text), None if isinstance(before, ReadProblem) else before)
        if isinstance(saved, Saved):
            return None
        return self._unwritable(saved.reason if isinstance(saved, SaveFailed) else _("it was changed meanwhile"))

    def _unreadable(self, reason: str) -> TrustProblem:
        message = _("{path}: the trusted folders can't be read ({reason}), so none is trusted. Correct or delete it")
        return TrustProblem(message.format(path=self._file, reason=reason))

    def _unwritable(self, reason: str) -> TrustProblem:
        return TrustProblem(_("{path}: can't be written ({reason})").format(path=self._file, reason=reason))


def _read(text: str) -> list[Trusted] | None:
    try:
        content = json.loads(text)
        if content[_VERSION] != 1:
            return None
        return [Trusted(Path(str(each["path"])), int(each["number"])) for each in content["folders"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _number(folder: Path) -> int | None:
    """What tells a folder from another of the same path."""
    try:
        return folder.stat().st_ino if folder.is_dir() else None
    except OSError:
        return None
