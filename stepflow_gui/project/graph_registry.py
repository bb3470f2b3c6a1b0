"""Where climpt looks for the registry that the verdict detect:graph names."""

import os
from pathlib import Path, PurePosixPath

from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.locate import AGENTS

_CONFIG = "/runner/verdict/config"


def graph_registry(agent: AgentFolder, named: str) -> Path | None:
    """The file that a `registryPath` names: read from the working directory, which is the project's root.

    None where there is no such file. A path through `.agent/NAME` serves an agent folder that was taken out of its
    project, too.
    """
    tried = [agent.root / named]
    parts = PurePosixPath(named).parts
    if agent.folder.parent.name != AGENTS and parts[:1] == (AGENTS,) and len(parts) > 2:
        tried.append(agent.folder.joinpath(*parts[2:]))
    return next((path for path in tried if agent.inside(path) and agent.exists(path)), None)


def from_root(path: Path, agent: AgentFolder) -> str:
    """A file of the project as a path from its root."""
    return Path(os.path.relpath(path, agent.root)).as_posix()


def has_graph_entry(agent: AgentFolder) -> bool:
    """Whether the handler of detect:graph finds its entry: `entryStep` of the registry, or a step in the config.

    True where the config names another registry, which isn't read here.
    """
    document, root = agent.agent_document, agent.registry.root
    node = document.tree.at(_CONFIG) if document is not None else None
    config = node.value if node is not None and isinstance(node.value, dict) else {}
    named = config.get("registryPath")
    if isinstance(named, str) and named and graph_registry(agent, named) != agent.registry.path:
        return True
    single = root.get("entryStep") if root is not None else None
    named = config.get("entryStep")
    return bool(single and single.value) or (isinstance(named, str) and named in agent.flow.steps)
