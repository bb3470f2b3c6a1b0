"""Opens an agent in the format that its configuration wishes, without loading any rule."""

from collections.abc import Mapping
from pathlib import Path

from stepflow_gui.lint.config.config import Configs
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source


def open_as_configured(
    path: Path, unsaved: Mapping[Path, Source] | None = None, configs: Configs | None = None
) -> AgentFolder | ReadProblem:
    """The agent at a path, read as of the format that its configuration wishes, if it wishes one."""
    opened = open_agent(path, unsaved)
    if isinstance(opened, ReadProblem):
        return opened
    registry = opened.registry.path
    return opened.read_as((configs or Configs(unsaved=unsaved)).of(registry).format(registry))
