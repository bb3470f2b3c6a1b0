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
    """The registry of an agent folder: what its agent.json names, else the usual names; None where there is none."""
    agent = folder / AGENT
    has_agent = agent.is_file()
    named = named_registry(agent) if has_agent else None
    if named and named.is_file():
        return named
    if (folder / REGISTRY).is_file():
        return folder / REGISTRY
    other = folder / OTHER_REGISTRY
    return other if has_agent and other.is_file() and _has_steps(other) else None


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
    return path if inside(path, project_root(folder)) else None


def inside(path: Path, root: Path) -> bool:
    """Whether a path, its links followed, lies in a folder. A path that no file can have doesn't."""
    try:
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))
    except (OSError, ValueError):
        return False


def _has_steps(path: Path) -> bool:
    source = read(path)
    if not isinstance(source, Source):
        return False
    root = Document.read(path, source).root
    return root is not None and root.get("steps") is not None
