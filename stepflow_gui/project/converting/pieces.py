"""A piece or workflow taken to another release of TAKT, with the settings that leave it."""

from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.takt.homes import HOME, is_home
from stepflow_gui.formats.takt.migrating.migration import MigrationRefusal, migrated
from stepflow_gui.formats.takt.migrating.places import as_object
from stepflow_gui.formats.takt.migrating.runtime_file import NAME, moved_settings
from stepflow_gui.formats.takt.migrating.text import Left
from stepflow_gui.formats.takt.releases.sets import Releases, named, since
from stepflow_gui.formats.takt.releases.setting import releases_of_runtime
from stepflow_gui.formats.takt.releases.traces import HOMES
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.converting.writing import TextChange
from stepflow_gui.project.finding.takt_releases import releases_of_piece
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree

NEWEST = "takt-latest"
"""The release that a piece is taken to by default."""
SETTINGS_ELSEWHERE = since("0.60.0")
"""Releases that read settings of providers from runtime.yaml alone."""


class PieceConversion(NamedTuple):
    """What a conversion changes: files with their texts before and after, the piece first.

    `left`, `moved`, `refused` and `meaning` are those of `Migration`. `target` is a set of one release. `home` is the
    path at which that release looks for the piece, where it doesn't look at the present one.
    """

    target: Releases
    changes: tuple[TextChange, ...]
    left: tuple[Left, ...]
    moved: tuple[str, ...]
    refused: tuple[Left, ...]
    meaning: tuple[str, ...]
    home: Path | None = None


def release_of(target: str) -> Releases | None:
    """The release that a name such as `takt-0.36` is for, of several the newest, as a set of one; None for no name."""
    found = releases_of_runtime(target)
    return None if not found else 1 << (found.bit_length() - 1)


def convert_piece(
    agent: AgentFolder,
    target: Releases,
    runtime: str | None = None,
    *,
    move_settings: bool = False,
    move_file: bool = False,
) -> PieceConversion | MigrationRefusal:
    """Take the piece that an agent folder was opened on to a release.

    `runtime` is the setting that names the releases it has been run with. `move_settings`: what 0.60 and later refuse
    in a workflow goes into `.takt/runtime.yaml`; `move_file`: the caller moves the piece to its `home`, else `left`
    says that it has to be. Nothing is written.
    """
    source = agent.registry.source
    left: list[Left] = []
    beside: list[TextChange] = []
    moved: frozenset[str] = frozenset()
    if move_settings and target & SETTINGS_ELSEWHERE:
        path = runtime_file_of(agent)
        existing = agent.text(path) if agent.exists(path) else None
        if isinstance(existing, ReadProblem):
            return MigrationRefusal(_("{file} can't be read").format(file=path.name))
        before = existing.source if existing is not None else None
        try:
            settings = moved_settings(as_object(_root(source)), before)
        except ValueError as error:
            return MigrationRefusal(str(error))
        if settings is not None:
            left, moved = list(settings.left), settings.moved
            if settings.text and (before is None or settings.text != before.text):
                beside.append(TextChange(path, before, Source(settings.text, before.bom if before else False)))
                left.append(
                    Left("", _("0.60 and later stop where config.yaml names a provider too: move its settings as well"))
                )
    found = migrated(source, target, _run_with(agent, runtime), moved)
    if isinstance(found, MigrationRefusal):
        return found
    changes = [TextChange(agent.registry.path, source, source.with_text(found.text)), *beside]
    changed = tuple(change for change in changes if change.before is None or change.before.text != change.after.text)
    home = _home_in(agent.registry.path, target)
    if home is not None and not move_file:
        text = _("{release} looks for the file in {folder}: move it there from {old}")
        folders = (f"{HOME}/{path.relative_to(_holder(path)).parts[0]}" for path in (home, agent.registry.path))
        left.append(Left("", text.format(release=named(target), **dict(zip(("folder", "old"), folders, strict=True)))))
    return PieceConversion(target, changed, (*found.left, *left), found.moved, found.refused, found.meaning, home)


def _home_in(path: Path, target: Releases) -> Path | None:
    """Where a release looks for the file of a piece; None where it does so at its path, or for one at home nowhere."""
    if not is_home(path):
        return None
    folder, *inner = path.relative_to(_holder(path)).parts
    if HOMES[folder] & target:
        return None
    return _holder(path).joinpath(next(name for name, releases in HOMES.items() if releases & target), *inner)


def _holder(path: Path) -> Path:
    """The `.takt` that a piece lies in."""
    return next(folder for folder in path.parents if folder.name == HOME)


def _run_with(agent: AgentFolder, runtime: str | None) -> Releases | None:
    """The releases that a piece has been run with, by the setting or what lies around it; None: the file alone says."""
    found = releases_of_piece(agent.registry.path, agent.registry.tree, runtime)
    return found.releases if runtime is not None or found.narrowed_by else None


def runtime_file_of(agent: AgentFolder) -> Path:
    """`.takt/runtime.yaml` of the project: beside the piece's folder, where that lies in `.takt`."""
    holder = next((folder for folder in agent.registry.path.parents if folder.name == HOME), agent.root / HOME)
    return holder / NAME


def _root(source: Source) -> JsonValue:
    root = read_yaml_tree(source).root
    return root.value if root is not None else None
