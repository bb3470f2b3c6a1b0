"""Where an agent's files are: the project root, the registry of a folder, the registry that owns a file."""

import os
from pathlib import Path

from stepflow_gui.formats.climpt.agent import read_agent
from stepflow_gui.text.document import Document
from stepflow_gui.text.source import Source
from stepflow_gui.text.store import read

AGENT = "agent.json"
REGISTRY = "steps_registry.json"
OTHER_REGISTRY = "registry.json"
_ROOT_MARKS = (".agent", ".takt", ".git", "stepflow.toml")


def project_root(folder: Path) -> Path:
    """The nearest folder upward that holds a mark of a project, else the folder itself."""
    for candidate in (folder, *folder.parents):
        if any(os.path.lexists(candidate / mark) for mark in _ROOT_MARKS):
            return candidate
    return folder


def registry_in(folder: Path) -> Path | None:
    """The registry of an agent folder, the one that its agent.json names before others; None where there is none."""
    return next(iter(registries_in(folder)), None)


def registries_in(folder: Path) -> list[Path]:
    """Every registry of an agent folder, the one its agent.json names first."""
    agent = folder / AGENT
    has_agent = agent.is_file()
    found = []
    named = named_registry(agent) if has_agent else None
    if named and named.is_file():
        found.append(named)
    if (folder / REGISTRY).is_file():
        found.append(folder / REGISTRY)
    other = folder / OTHER_REGISTRY
    if has_agent and other.is_file() and _has_steps(other):
        found.append(other)
    return list(dict.fromkeys(found))


def agent_file_of(registry: Path) -> Path | None:
    """The agent.json beside a registry, else the nearest above that names it; None where there is none."""
    beside = registry.parent / AGENT
    if os.path.lexists(beside):
        return beside
    for folder in registry.parent.parents:
        if (folder / AGENT).is_file():
            named = named_registry(folder / AGENT)
            return folder / AGENT if named and _same(named, registry) else None
        if folder == project_root(registry.parent):
            return None
    return None


def named_registry(agent_file: Path) -> Path | None:
    """The path that an agent.json gives for its registry, if it is inside the project."""
    source = read(agent_file)
    if not isinstance(source, Source):
        return None
    agent = read_agent(Document.read(agent_file, source))
    if agent.registry_path is None or not agent.registry_path.value:
        return None
    folder = agent_file.parent
    path = folder / agent.registry_path.value
    return Path(os.path.normpath(path)) if inside(path, project_root(folder)) else None


def inside(path: Path, root: Path) -> bool:
    """Whether a path, its links followed, lies in a folder. A path that no file can have doesn't."""
    try:
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))
    except (OSError, ValueError):
        return False


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _has_steps(path: Path) -> bool:
    source = read(path)
    if not isinstance(source, Source):
        return False
    root = Document.read(path, source).root
    return root is not None and root.get("steps") is not None
