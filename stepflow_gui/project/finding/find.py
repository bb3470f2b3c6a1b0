"""Finds the registries of a folder (formats.md, what a folder scan finds)."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.climpt.agent.agent_file import read_agent
from stepflow_gui.messages import _
from stepflow_gui.project.files import Files
from stepflow_gui.project.finding.ignore import (
    IGNORE_FILE,
    IgnoreFile,
    ignore_files_above,
    is_ignored,
    read_ignore_file,
)
from stepflow_gui.project.finding.locate import AGENT, REGISTRY, named_registry, project_root, registries_in
from stepflow_gui.project.finding.piece_places import pieces_in
from stepflow_gui.text.files.store import ReadProblem, read, reason_of

_SKIPPED = frozenset({".git", "node_modules", ".venv"})


class AgentPlace(NamedTuple):
    """A folder with signs of an agent: its registries, none if they are elsewhere, and what can't be read."""

    folder: Path
    registries: list[Path]
    problems: list[ReadProblem]


class FoundRegistries(NamedTuple):
    """The registries of a folder by path, and the folders and registries that couldn't be looked into."""

    registries: list[Path]
    problems: list[ReadProblem]


def find_registries(folder: Path) -> list[Path]:
    """Every registry in and below a folder, by path."""
    return scan(folder).registries


def scan(folder: Path) -> FoundRegistries:
    """Every registry in and below a folder, and what kept it from looking everywhere.

    `.git`, `node_modules`, `.venv` and what git ignores are left out, the folder itself never is. Links to folders are
    not followed: their targets are either found where they are, or are elsewhere.
    """
    found: dict[Path, None] = {}
    problems: list[ReadProblem] = []
    for each in walk(folder):
        found.update(dict.fromkeys(each.registries))
        problems += each.problems
    return FoundRegistries(sorted(found), problems)


def walk(folder: Path) -> Iterator[AgentPlace]:
    """What `scan` finds, as it is found: one folder after the other, those with a registry or an agent.json."""
    files = Files(project_root(Path(os.path.normpath(folder.absolute()))), {})
    for where, names, ignoring in _folders(folder):
        if isinstance(names, ReadProblem):
            yield AgentPlace(where, [], [names])
            continue
        if AGENT in names or REGISTRY in names:
            registries = registries_in(where, files)
            shown = [path for path in registries if not is_ignored(path, False, ignoring)]
            named = where / REGISTRY
            is_lost = names.get(REGISTRY) is False and named not in registries
            lost = _unreached(named) if is_lost and not is_ignored(named, False, ignoring) else ()
            yield AgentPlace(where, shown, list(lost))
        pieces = [path for path in pieces_in(where, names) if not is_ignored(path, False, ignoring)]
        if pieces:
            yield AgentPlace(where, pieces, [])


def files_below(folder: Path) -> Iterator[Path]:
    """Every file in and below a folder, in the folders that `walk` looks into, without what git ignores."""
    for where, names, ignoring in _folders(folder):
        if not isinstance(names, ReadProblem):
            paths = (where / name for name in sorted(names) if not names[name])
            yield from (path for path in paths if not is_ignored(path, False, ignoring))


def _folders(folder: Path) -> Iterator[tuple[Path, dict[str, bool] | ReadProblem, list[IgnoreFile]]]:
    """A folder and those below it: what each holds, whether that is a folder, and the ignore files that apply to it."""
    folder = Path(os.path.normpath(folder.absolute()))
    stack = [(folder, ignore_files_above(folder))]
    while stack:
        where, ignoring = stack.pop()
        try:
            with os.scandir(where) as entries:
                names = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
        except OSError as error:
            yield where, ReadProblem("unreadable", where, reason_of(error)), []
            continue
        ignoring = _with_own(where, names, ignoring)
        yield where, names, ignoring
        below = (where / name for name, is_folder in names.items() if is_folder and name not in _SKIPPED)
        stack += [(inner, ignoring) for inner in below if not is_ignored(inner, True, ignoring)]


def is_bare_agent(place: AgentPlace) -> bool:
    """Whether an agent.json belongs to an agent whose registry is missing: others have files of that name too."""
    if place.registries or place.problems:
        return False
    files = Files(project_root(place.folder), {})
    document = files.read(place.folder / AGENT)
    if isinstance(document, ReadProblem) or read_agent(document).layout == "none":
        return False
    registry = named_registry(document.path, files) or place.folder / REGISTRY
    return not (files.inside(registry) and files.exists(registry))  # one that is there is left out on purpose


def is_repository(folder: Path) -> bool:
    """Whether several agents lie below a folder that is not an agent's own. No further than that is looked."""
    found = 0
    for place in walk(folder):
        if place.folder == folder.absolute() and any(path.suffix == ".json" for path in place.registries):
            return False
        found += len(place.registries)
        if found > 1:
            return True
    return False


def _unreached(registry: Path) -> Iterator[ReadProblem]:
    """Why a non-folder with a registry's name isn't a registry: a broken link, or a pipe."""
    found = read(registry)
    if isinstance(found, ReadProblem) and found.kind == "missing":
        yield ReadProblem("unreadable", registry, _("a broken link"))
    elif isinstance(found, ReadProblem):
        yield found


def _with_own(folder: Path, names: dict[str, bool], ignoring: list[IgnoreFile]) -> list[IgnoreFile]:
    own = read_ignore_file(folder / IGNORE_FILE, folder) if IGNORE_FILE in names else None
    return [*ignoring, own] if own else ignoring
