"""Where an agent's files are: the project root, the registries of a folder, the agent.json of a registry."""

import os
from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.formats.climpt.agent.agent_file import read_agent
from stepflow_gui.project.files import Files
from stepflow_gui.project.finding.piece_places import root_of_pieces
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.presence import is_folder
from stepflow_gui.text.files.store import ReadProblem

AGENT = "agent.json"
AGENTS = ".agent"  # the folder whose folders are agents
REGISTRY = "steps_registry.json"
OTHER_REGISTRY = "registry.json"
_ROOT_MARKS = (AGENTS, ".takt", ".git", "stepflow.toml")


def project_root(path: Path) -> Path:
    """The nearest folder upward, the path itself first, that holds a mark of a project; else the path or its folder."""
    marked = next((candidate for candidate in (path, *path.parents) if is_project(candidate)), None)
    if marked is not None:
        return marked
    folder = path if is_folder(path) else path.parent
    return root_of_pieces(folder) or folder


def marked_root(path: Path) -> Path | None:
    """The folder of the project that a file lies in by its name, links not followed; None where it lies in none.

    A person's home folder is none, though it can hold marks: those are of all their projects.
    """
    folders = Path(os.path.normpath(path.absolute())).parents
    marked = next((folder for folder in folders if is_project(folder)), None)
    return None if marked is None or marked == Path(os.environ.get("HOME", "")) else marked


def is_project(folder: Path) -> bool:
    """Whether a folder holds a mark of a project."""
    return any(os.path.lexists(folder / mark) for mark in _ROOT_MARKS)


def registry_in(folder: Path, files: Files) -> Path | None:
    """The registry of an agent folder, the one that its agent.json names before others; None where there is none."""
    return next(iter(registries_in(folder, files)), None)


def registries_in(folder: Path, files: Files) -> list[Path]:
    """Every registry of an agent folder, the one its agent.json names first."""
    agent = folder / AGENT
    has_agent = files.exists(agent)
    found = []
    named = named_registry(agent, files) if has_agent else None
    if named and files.inside(named) and files.exists(named):
        found.append(named)
    if files.exists(folder / REGISTRY):
        found.append(folder / REGISTRY)
    other = folder / OTHER_REGISTRY
    if has_agent and files.exists(other) and _has_steps(files.document(other)):
        found.append(other)
    return list(dict.fromkeys(found))


def agent_file_of(registry: Path, files: Files) -> Path | None:
    """The agent.json beside a registry, else the nearest above that names it; None where there is none."""
    beside = registry.parent / AGENT
    if files.exists(beside):
        return beside
    for folder in upward(registry.parent.parent, files.root):
        if files.exists(folder / AGENT):
            return folder / AGENT if named_registry(folder / AGENT, files) == registry else None
    return None


def named_registry(agent_file: Path, files: Files) -> Path | None:
    """The path that an agent.json gives for its registry; None where it gives none that can be read."""
    document = files.document(agent_file)
    if isinstance(document, ReadProblem):
        return None
    named = read_agent(document).registry_path
    return Path(os.path.normpath(agent_file.parent / named.value)) if named and named.value else None


def upward(folder: Path, root: Path) -> Iterator[Path]:
    """A folder and those above it, up to the root."""
    for candidate in (folder, *folder.parents):
        if candidate.is_relative_to(root):
            yield candidate


def _has_steps(document: ParsedFile | ReadProblem) -> bool:
    root = document.root if isinstance(document, ParsedFile) else None
    return root is not None and root.member("steps") is not None
