"""Agents as a git revision has them, under the paths that they have in the work tree. Nothing is checked out."""

import os
from collections.abc import Callable, Iterable
from datetime import datetime
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from stepflow_gui.formats.takt.homes import is_home
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.files import Files
from stepflow_gui.project.finding.locate import AGENT, REGISTRY, project_root, registries_in
from stepflow_gui.project.finding.piece_places import is_piece_text, is_yaml, may_hold_pieces
from stepflow_gui.project.git.git import Git, GitError, git_program
from stepflow_gui.text.document import YAML_ENDINGS, ParsedFile
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source

_READ_AHEAD = (".json", ".md", *YAML_ENDINGS)
_MOST_AHEAD = 5_000  # files of an agent that are asked for at once


class RevisionProblem(NamedTuple):
    """Why a revision can't be read, in one line."""

    message: str


class Revision:
    """A commit of the repository that a folder lies in."""

    __slots__ = ("_files", "_git", "commit", "name", "top")

    def __init__(self, git: Git, top: Path, commit: str, name: str) -> None:
        self._git = git
        self._files: dict[Path, RevisionFiles] = {}
        self.top = top
        self.commit = commit
        self.name = name  # as it was asked for

    def files(self, root: Path) -> "RevisionFiles | RevisionProblem":
        """The files of a project as the commit has them; unlike others they can't be laid over or read again."""
        below = _from_top(self.top, root)
        if below is None:
            root, below = self.top, ""
        if root not in self._files:
            try:
                names = self._git.files_of(self.commit, self.top, below)
            except GitError as failed:
                return RevisionProblem(_git_failed(failed))
            self._files[root] = RevisionFiles(root, self._git, self.top, names)
        return self._files[root]

    def registries(self, folder: Path) -> list[Path] | RevisionProblem:
        """Every registry and piece in and below a folder, by path."""
        files = self.files(project_root(folder))
        if isinstance(files, RevisionProblem):
            return files
        below = files.below(folder)
        marked = {path.parent for path in below if path.name in {AGENT, REGISTRY}}
        maybe = {path for path in below if is_yaml(path) and may_hold_pieces(path.parent)}
        files.read_ahead(sorted(path for path in below if path in maybe or not marked.isdisjoint(path.parents)))
        registries = {registry for where in marked for registry in registries_in(where, files)}
        return sorted(registries | {path for path in maybe if _is_piece(path, files)})

    def agent(self, registry: Path, format_id: str | None = None) -> AgentFolder | ReadProblem | RevisionProblem:
        """The agent of a registry; kind `missing` where the revision has no such file."""
        files = self.files(project_root(registry.parent))
        if isinstance(files, RevisionProblem):
            return files
        files.read_ahead(sorted(files.below(registry.parent)))
        document = files.read(registry)
        if isinstance(document, ReadProblem):
            return document
        return AgentFolder(document, format_id, files, None)

    def document(self, path: Path) -> ParsedFile | ReadProblem | RevisionProblem:
        """One file as JSON; kind `missing` where the revision has no such file."""
        files = self.files(path.parent)
        return files if isinstance(files, RevisionProblem) else files.read(path)

    def passes_over(self, path: Path) -> bool:
        """Whether a file of the work tree lies in a repository inside this one, as a submodule: git skips it."""
        below = _from_top(self.top, path.parent)
        folders = [Path(below), *Path(below).parents] if below else []
        return any((self.top / folder / ".git").exists() for folder in folders if folder.parts)

    def is_folder(self, path: Path) -> bool:
        """Whether the revision has files below a path."""
        files = self.files(path)
        return isinstance(files, RevisionFiles) and bool(files.below(path))


class RevisionFiles(Files):
    """The files of a project at a commit."""

    __slots__ = ("_contents", "_git", "_names", "_top")

    def __init__(self, root: Path, git: Git, top: Path, names: dict[str, str]) -> None:
        super().__init__(root, {})
        self._git = git
        self._top = top
        self._names = names
        self._contents: dict[str, bytes] = {}

    def read_ahead(self, paths: Iterable[Path]) -> None:
        """Ask git for many files at once; where that fails, each is asked for by itself."""
        wished = (self._name(path) for path in paths if path.suffix in _READ_AHEAD)
        names = [name for name in islice(wished, _MOST_AHEAD) if name is not None and name not in self._contents]
        try:
            self._contents |= self._git.contents(names)
        except GitError:
            return

    def below(self, folder: Path) -> frozenset[Path]:
        """Every file in and below a folder."""
        start = _from_top(self._top, folder)
        if start is None:
            return frozenset()
        prefix = f"{start}/" if start else ""
        return frozenset(self._top / name for name in self._names if name.startswith(prefix))

    def _is_there(self, path: Path) -> bool:
        return self._name(path) is not None

    def _name(self, path: Path) -> str | None:
        below = _from_top(self._top, path)
        return self._names.get(below) if below else None

    def _load(self, path: Path) -> Source | ReadProblem:
        name = self._name(path)
        if name is None:
            return ReadProblem("missing", path)
        if name not in self._contents:
            try:
                self._contents |= self._git.contents([name])
            except GitError as failed:
                return ReadProblem("unreadable", path, str(failed))
        data = self._contents.get(name)
        if data is None:
            return ReadProblem("unreadable", path, _("git doesn't have its content"))
        try:
            return Source.decode(data)
        except UnicodeDecodeError as error:
            return ReadProblem("not-utf8", path, str(error.start))


def revision_of(folder: Path, name: str) -> Revision | RevisionProblem:
    """A revision (a commit, a branch, `HEAD~2`) of the repository around a folder."""
    return _found(folder, lambda git: git.commit(name), _("unknown git revision “{revision}”"), name)


def commit_before(folder: Path, time: datetime) -> Revision | RevisionProblem:
    """The newest commit of the current branch that isn't younger than a time."""
    name = time.isoformat(" ", "seconds")
    return _found(folder, lambda git: git.commit_before(time), _("no commit is older than {revision}"), name)


def worktrees_of(folder: Path) -> list[Path]:
    """The folder as the other worktrees of its git repository have it; none where there is no git or repository."""
    program = git_program()
    if program is None:
        return []
    git = Git(program, folder)
    try:
        top = git.top()
        found = git.worktrees() if top is not None else []
    except GitError:
        return []
    below = _from_top(top, folder) if top is not None else None
    if top is None or below is None:
        return []
    own = os.path.realpath(top)
    return [other / below for other in found if os.path.realpath(other) != own]


def _found(folder: Path, commit_in: Callable[[Git], str | None], unknown: str, name: str) -> Revision | RevisionProblem:
    program = git_program()
    if program is None:
        return RevisionProblem(_("git is required, but was not found on PATH"))
    git = Git(program, folder)
    try:
        top = git.top()
        if top is None:
            return RevisionProblem(_("{path} is not in a git work tree").format(path=folder))
        commit = commit_in(git)
        is_shallow = commit is None and git.is_shallow()
    except GitError as failed:
        return RevisionProblem(_git_failed(failed))
    if commit is None:
        message = unknown.format(revision=name)
        if is_shallow:
            text = _("{problem}; this clone is shallow, “git fetch --unshallow” gets the rest")
            message = text.format(problem=message)
        return RevisionProblem(message)
    return Revision(git, top, commit, name)


def _is_piece(path: Path, files: RevisionFiles) -> bool:
    found = files.source(path)
    return is_home(path) if isinstance(found, ReadProblem) else is_piece_text(path, found.text)


def _git_failed(failed: GitError) -> str:
    return _("git failed ({reason})").format(reason=failed)


def _from_top(top: Path, path: Path) -> str | None:
    """A path from the top of the work tree, as git spells it; "" for the top, None outside."""
    path = Path(os.path.normpath(path))
    for start, end in ((top, path), (Path(os.path.realpath(top)), Path(os.path.realpath(path)))):
        if end.is_relative_to(start):
            below = PurePosixPath(end.relative_to(start)).as_posix()
            return "" if below == "." else below
    return None
