"""Which files belong to which registries: those of an agent, and the registries that a changed file is part of."""

import os
from pathlib import Path

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.files import Files
from stepflow_gui.project.finding.find import find_registries
from stepflow_gui.project.finding.locate import AGENT, REGISTRY, project_root, registries_in, upward
from stepflow_gui.project.finding.piece_places import is_yaml
from stepflow_gui.project.finding.registry_of_path import is_piece, is_registry, owner
from stepflow_gui.text.document import YAML_ENDINGS
from stepflow_gui.text.files.presence import is_file
from stepflow_gui.text.files.store import ReadProblem

CONFIGS = (".stepflow.toml", "stepflow.toml", "pyproject.toml")
_PARTS = (".json", ".md", *YAML_ENDINGS)


def files_of(agent: AgentFolder) -> frozenset[Path]:
    """The files that findings about an agent may depend on, there or not.

    Registry, agent.json, where its schemas and prompts may lie, and what the schemas refer to.
    """
    paths = {agent.registry.path, agent.folder / AGENT}
    for step in agent.flow.steps.values():
        paths.update(agent.prompt_candidates(step))
        if step.schema_ref and step.schema_ref.file:
            paths.update(agent.schema_candidates(step.schema_ref.file.value))
    paths.update(found.path for found in agent.schema_files())
    if agent.format == "takt":
        from stepflow_gui.formats.takt.files import files_of_piece

        paths |= files_of_piece(agent.flow)
        paths.update(found.path for found in agent.documents_read())  # the steps that workflows share
    return frozenset(Path(os.path.normpath(path)) for path in paths)


class RegistryOwners:
    """Finds the registries of files; what is found of a project is kept, however many files are asked for."""

    __slots__ = ("_by_root", "_files")

    def __init__(self) -> None:
        self._by_root: dict[Path, dict[Path, list[Path]]] = {}
        self._files: dict[Path, Files] = {}

    def of(self, path: Path) -> list[Path]:
        """The registries that a file belongs to, by path; the file need not be there any more.

        They are those of the nearest agent folder upward, and all of its project that name it. A configuration belongs
        to every registry below it. Nothing is read of a file that can't be part of an agent.
        """
        path = Path(os.path.normpath(path.absolute()))
        if path.name in CONFIGS:
            return find_registries(path.parent) if _configures(path) else []
        if path.name == REGISTRY:
            return [path] if is_file(path) else []
        if path.suffix.lower() not in _PARTS:
            return []
        root = project_root(path.parent)
        files = self._files.setdefault(root, Files(root, {}))
        there = files.exists(path)
        if there and is_yaml(path) and is_piece(path, files):
            return [path]
        if there and path.suffix == ".json" and path.name != AGENT and is_registry(files.read(path)):
            return [path]
        found = set(self._by_file(root).get(path, ()))
        nearest = next(filter(None, (registries_in(folder, files) for folder in upward(path.parent, root))), None)
        if nearest:
            found.update([path] if path in nearest else nearest)
        elif there and not found:
            above = owner(path, files)
            found.update(() if isinstance(above, ReadProblem) or above == path else (above,))
        return sorted(found)

    def _by_file(self, root: Path) -> dict[Path, list[Path]]:
        if root not in self._by_root:
            owners: dict[Path, list[Path]] = {}
            for registry in find_registries(root):
                agent = open_agent(registry)
                if not isinstance(agent, ReadProblem):
                    for path in files_of(agent) - {registry}:
                        owners.setdefault(path, []).append(registry)
            self._by_root[root] = owners
        return self._by_root[root]


def _configures(path: Path) -> bool:
    """Whether a configuration is, or was, one of Stepflow."""
    if path.name != CONFIGS[-1]:
        return True
    try:
        return b"stepflow" in path.read_bytes()
    except FileNotFoundError:
        return True
    except OSError:
        return False
