"""The settings file of a project that defines what its agents may do, since climpt 1.14."""

from pathlib import Path

from stepflow_gui.formats.climpt.agent.claude_settings import SettingsFile, read_settings, settings_paths
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import ParsedFile


def settings_of_project(agent: AgentFolder) -> SettingsFile:
    """The file that counts for an agent, unsaved texts laid over it."""

    def read(path: Path) -> ParsedFile | None:
        found = agent.document(path)
        return found if isinstance(found, ParsedFile) else None

    return read_settings(agent.root, _name(agent), read)


def settings_places(agent: AgentFolder) -> list[Path]:
    """Where that file may lie, the agent's own before the one that all share."""
    return settings_paths(agent.root, _name(agent))


def _name(agent: AgentFolder) -> str:
    return agent.agent.name.value if agent.agent and agent.agent.name else agent.folder.name
