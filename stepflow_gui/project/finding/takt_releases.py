"""Which releases of TAKT a project is for, by what lies around its pieces: pins of a version, folders, other files."""

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.takt.releases.loading import HeldAgainstReleases, held_against_releases
from stepflow_gui.formats.takt.releases.sets import ALL, NONE, Releases, named
from stepflow_gui.formats.takt.releases.setting import releases_of_runtime
from stepflow_gui.formats.takt.releases.traces import CONFIG_KEYS, FLAT, FOLDERS, HOMES, keys_in, releases_by_words
from stepflow_gui.messages import _
from stepflow_gui.text.files.presence import exists, is_folder
from stepflow_gui.text.files.regular_file import read_bytes
from stepflow_gui.text.json.tree import JsonTree

HOME = ".takt"
_MOST_BYTES = 4_000_000  # of a lock file
_MOST_FILES = 20  # of a folder
_VERSION = r"v?(\d+\.\d+(?:\.\d+(?:-[0-9A-Za-z.]+)?)?)"
_IN_LOCKS = (
    re.compile(rf'"node_modules/takt"\s*:\s*\{{\s*"version"\s*:\s*"{_VERSION}"'),
    re.compile(rf'^"?takt@[^\n]*:\n\s+version:?\s+"?{_VERSION}', re.MULTILINE),
    re.compile(rf"^\s+/?takt[@/]{_VERSION}[:(]", re.MULTILINE),
    re.compile(rf'"takt"\s*:\s*\[\s*"takt@{_VERSION}"'),
)
_LOCKS = ("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock")
_IN_TOOLS = re.compile(rf'^\s*"?(?:npm:)?takt"?\s*(?:=\s*)?\s*"?{_VERSION}', re.MULTILINE)
_TOOLS = (".tool-versions", "mise.toml", ".mise.toml", ".mise/config.toml", ".config/mise.toml")
_IN_COMMANDS = re.compile(rf"(?:\btakt@|nrslib/takt[/#@?=a-z-]{{1,12}}){_VERSION}")
_COMMANDS = ("flake.nix", "shell.nix", "default.nix", "Dockerfile", ".devcontainer/devcontainer.json", "package.json")
_RANGE = re.compile(rf"\s*([~^]|>=)?\s*{_VERSION}\s*")


class Evidence(NamedTuple):
    """Something around a piece that tells releases. `pins`: it names the version that is run, not only what fits."""

    source: str  # what tells it, by its path in the project
    releases: Releases
    pins: bool = False


class PieceReleases(NamedTuple):
    """The releases that a piece is for, what narrowed them, and what doesn't agree with the piece."""

    releases: Releases
    narrowed_by: tuple[Evidence, ...] = ()
    against: tuple[Evidence, ...] = ()


def name_of_releases(flow: Flow, runtime: str | None = None) -> str:
    """The releases that a TAKT file is for, as `TAKT 0.12–0.29`; "" where there are none, and for other formats.

    A `runtime` narrows them to those of its releases that load the file, else what lies around it does. What doesn't
    agree with the file is named.
    """
    if flow.format != "takt":
        return ""
    found = releases_of_piece(flow.document.path, flow.document.tree, runtime)
    if not found.against:
        return named(found.releases)
    sources = _(", ").join(each.source for each in found.against)
    return _("{releases}, against {sources}").format(releases=named(found.releases), sources=sources)


def releases_of_piece(path: Path, tree: JsonTree, runtime: str | None = None) -> PieceReleases:
    """The releases that a piece at a path is for. A runtime that names releases counts for more than the evidence."""
    from stepflow_gui.text.yaml.tree import YamlTree  # it loads the library

    if not isinstance(tree, YamlTree):
        return PieceReleases(NONE)
    held, wanted = held_against_releases(tree), releases_of_runtime(runtime)
    if wanted is not None:
        return PieceReleases(held.among(wanted))
    return narrowed(held, path)


def narrowed(held: HeldAgainstReleases, path: Path) -> PieceReleases:
    """The releases of a file by the evidence around it, the strongest first; what doesn't meet it is put aside."""
    found = held.range
    if not found:
        return PieceReleases(found)
    by: list[Evidence] = []
    against: list[Evidence] = []
    for each in evidence_around(path):
        left = found & each.releases
        if not left and each.pins and not by:
            left = held.loads & each.releases  # it loads the file, though it drops something of it
        if not left:
            against.append(each)
        elif left != found:
            found = left
            by.append(each)
    return PieceReleases(found, tuple(by), tuple(against))


def config_keys_around(path: Path) -> set[str] | None:
    """The keys of `.takt/config.yaml`, of the project and the user; None for a file that lies in no `.takt`."""
    home = next((folder for folder in path.parents if folder.name == HOME), None)
    if home is None:
        return None
    return {key for each in (home, Path.home() / HOME) for key in keys_in(_text(each / "config.yaml"))}


def evidence_around(path: Path) -> list[Evidence]:
    """What tells releases around a file in `.takt`, the strongest first; nothing for one that lies elsewhere."""
    home = next((folder for folder in path.parents if folder.name == HOME), None)
    if home is None:
        return []
    found = list(_pins(home.parent))
    return [*found, *_folders(home, path), *_config(home), *_siblings(path)]


def _pins(project: Path) -> Iterator[Evidence]:
    """The first pin that there is: what is installed, what is locked, what is wanted, what tools and commands name."""
    installed = _json(project / "node_modules" / "takt" / "package.json").get("version")
    sources: list[tuple[str, Callable[[], Releases | None]]] = [
        ("node_modules/takt", lambda: _of_version(installed)),
        *((name, lambda name=name: _matched(project / name, *_IN_LOCKS)) for name in _LOCKS),
        ("package.json", lambda: _wanted(_json(project / "package.json"))),
        *((name, lambda name=name: _matched(project / name, _IN_TOOLS)) for name in _TOOLS),
        *((name, lambda name=name: _matched(project / name, _IN_COMMANDS)) for name in _COMMANDS),
    ]
    for name, look in sources:
        releases = look()
        if releases:
            yield Evidence(name, releases, pins=True)
            return
    workflows = project / ".github" / "workflows"
    for path in _files_of(workflows):
        releases = _matched(path, _IN_COMMANDS)
        if releases:
            yield Evidence(f".github/workflows/{path.name}", releases, pins=True)
            return


def _folders(home: Path, path: Path) -> Iterator[Evidence]:
    below = path.relative_to(home).parts
    if below and below[0] in HOMES:
        yield Evidence(f"{HOME}/{below[0]}", HOMES[below[0]])
    for name, releases in FOLDERS.items():
        if exists(home / name):
            yield Evidence(f"{HOME}/{name}", releases)
    names, releases = FLAT
    flat = next((name for name in names if is_folder(home / name)), None)
    if flat is not None and not is_folder(home / "facets"):
        yield Evidence(f"{HOME}/{flat}", releases)


def _config(home: Path) -> Iterator[Evidence]:
    releases = ALL
    for key in keys_in(_text(home / "config.yaml")):
        releases &= CONFIG_KEYS.get(key, ALL)
    if releases not in (ALL, NONE):
        yield Evidence(f"{HOME}/config.yaml", releases)


def _siblings(path: Path) -> Iterator[Evidence]:
    """The other files of the folder, by the words in them."""
    releases = ALL
    for other in _files_of(path.parent):
        if other.name != path.name:
            releases &= _by_words(_text(other))
    if releases not in (ALL, NONE):
        yield Evidence(f"{path.parent.name}/", releases)


@lru_cache(maxsize=256)  # the files of a folder are beside each other
def _by_words(text: str) -> Releases:
    return releases_by_words(text)


def _files_of(folder: Path) -> list[Path]:
    if not is_folder(folder):
        return []
    return sorted(path for path in folder.iterdir() if path.suffix in {".yaml", ".yml"})[:_MOST_FILES]


def _wanted(package: dict[str, object]) -> Releases | None:
    """What `package.json` asks for: a version, or a range of them."""
    for key in ("dependencies", "devDependencies", "optionalDependencies"):
        listed = package.get(key)
        wanted = listed.get("takt") if isinstance(listed, dict) else None
        if not isinstance(wanted, str):
            continue
        found = _RANGE.fullmatch(wanted)
        if found is None:
            at = _IN_COMMANDS.search(wanted)
            return _of_version(at[1]) if at else None
        version = found[2]
        if found[1] is None:
            return _of_version(version)
        from_it = releases_of_runtime(f"takt-{version}..head")
        minor = ".".join(version.split(".")[:2])  # of 0.x, “^” and “~” allow patches alone
        return from_it if found[1] == ">=" else (from_it or NONE) & (releases_of_runtime(f"takt-{minor}..{minor}") or 0)
    return None


def _of_version(version: object) -> Releases | None:
    return releases_of_runtime(f"takt-{version.removeprefix('v')}") if isinstance(version, str) else None


def _matched(path: Path, *patterns: re.Pattern[str]) -> Releases | None:
    text = _text(path)
    found = next(filter(None, (pattern.search(text) for pattern in patterns)), None) if text else None
    return _of_version(found[1]) if found else None


def _json(path: Path) -> dict[str, object]:
    try:
        found = json.loads(_text(path) or "null")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _text(path: Path) -> str:
    """The text of a file, "" where there is none; read again only once it has changed."""
    try:
        state = path.stat()
    except (OSError, ValueError):
        return ""
    return _read(path, state.st_mtime_ns, state.st_size) if state.st_size <= _MOST_BYTES else ""


@lru_cache(maxsize=64)
def _read(path: Path, _changed: int, _size: int) -> str:
    try:
        return read_bytes(path, _MOST_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
