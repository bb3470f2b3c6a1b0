"""Which folders the user trusts: only there are validator commands and programs run, until the trust is revoked.

Kept in the user's own configuration folder, never in a project. A folder is known by its resolved path, its number on
the disk and the time at which it was made, so neither a moved folder nor another one in its old place is trusted. With
it goes a digest of the commands of each agent in it and of its place: commands that were changed since are asked for
again, and so are those of a copy in a folder above which is trusted.
"""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.commands import commands_digest, digests_below
from stepflow_gui.project.folder_identity import FolderIdentity, identity_of
from stepflow_gui.project.user_folders import config_folder
from stepflow_gui.text.files.store import ReadProblem, Saved, SaveFailed, read, reason_of, save
from stepflow_gui.text.source import Source

FILE = "trust.json"
_VERSION = "stepflow-trust"
_FORMER = 1  # knew no commands and no times: its folders are asked for again
_PRESENT = 2

TrustState = Literal["trusted", "changed", "untrusted"]
"""`changed`: the folder is trusted, but not with the commands that it has now."""


class Trusted(NamedTuple):
    """A trusted folder: its resolved path, what it is known by, and the digests of the commands that may run there."""

    path: Path
    identity: FolderIdentity
    commands: frozenset[str]

    def is_there(self) -> bool:
        """Whether the folder at the path is the one that was trusted."""
        return identity_of(self.path) == self.identity


class TrustProblem(NamedTuple):
    """Why trust couldn't be read or kept."""

    message: str


class Trust:
    """The trusted folders in one file; read afresh each time, as a window and a command line may share it."""

    __slots__ = ("_file",)

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or config_folder() / FILE

    def folders(self) -> list[Trusted] | TrustProblem:
        """All trusted folders, those that don't exist any more included."""
        source = read(self._file)
        if isinstance(source, ReadProblem):
            return [] if source.kind == "missing" else self._unreadable(source.detail or source.kind)
        found = _read(source.text)
        return self._unreadable(_("it is not a list of folders")) if found is None else found

    def state_of(self, folder: Path, commands: Iterable[str] = ()) -> TrustState:
        """How a folder stands with some commands (by their digests): by itself, or by a trusted folder above it.

        Nothing is trusted where the file can't be read.
        """
        known = self.folders()
        if isinstance(known, TrustProblem):
            return "untrusted"
        here = Path(os.path.realpath(folder))
        above = {here, *here.parents}
        found = [each for each in known if each.path in above and each.is_there()]
        if not found:
            return "untrusted"
        wanted = frozenset(commands)
        return "trusted" if any(wanted <= each.commands for each in found) else "changed"

    def trust_state_of(self, agent: AgentFolder) -> TrustState:
        """How an agent's project stands with the agent's own commands."""
        digest = commands_digest(agent)
        return self.state_of(agent.root, [digest] if digest else [])

    def add(self, folder: Path, agent: AgentFolder | None = None) -> TrustProblem | None:
        """Trust a folder and what is below it, with the commands of the agents there and those of one as it is open."""
        path = Path(os.path.realpath(folder))
        identity = identity_of(path)
        if identity is None:
            return TrustProblem(_("{path} is not a folder, so it can't be trusted").format(path=folder))
        known = self.folders()
        if isinstance(known, TrustProblem):
            return known
        before = (each.commands for each in known if (each.path, each.identity) == (path, identity))
        opened = commands_digest(agent) if agent is not None else None
        commands = digests_below(path).union(*before, [opened] if opened else [])
        return self._write([*(each for each in known if each.path != path), Trusted(path, identity, commands)])

    def remove(self, folder: Path) -> TrustProblem | None:
        """Revoke the trust in a folder; also that in folders above it by which it is trusted."""
        known = self.folders()
        if isinstance(known, TrustProblem):
            return known
        here = Path(os.path.realpath(folder))
        return self._write([each for each in known if each.path != here and each.path not in here.parents])

    def _write(self, folders: list[Trusted]) -> TrustProblem | None:
        rows = [
            {
                "path": str(each.path),
                "number": each.identity.number,
                "born": each.identity.born,
                "commands": sorted(each.commands),
            }
            for each in sorted(folders, key=lambda each: each.path)
        ]
        content = {_VERSION: _PRESENT, "folders": rows}
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
        if content[_VERSION] == _FORMER:
            return []
        if content[_VERSION] != _PRESENT:
            return None
        return [_trusted(each) for each in content["folders"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _trusted(row: Mapping[str, Any]) -> Trusted:
    born = row["born"]
    identity = FolderIdentity(int(row["number"]), None if born is None else int(born))
    return Trusted(Path(str(row["path"])), identity, frozenset(map(str, row["commands"])))
