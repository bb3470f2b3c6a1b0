"""Where climpt looks for the registry that the verdict detect:graph names."""

import os
from pathlib import Path, PurePosixPath

from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.locate import AGENTS


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
