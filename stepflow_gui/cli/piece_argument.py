"""Which TAKT piece a command line is about; its options are others than those of agents."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.finding.choosing import NotChosen, choose_agent
from stepflow_gui.text.files.presence import is_file

TAKT = "takt"


def piece_among(words: Sequence[str]) -> AgentFolder | None:
    """The TAKT piece that one of the words of a command line names."""
    for path in _yaml_files(words):
        agent = open_agent(path)
        if isinstance(agent, AgentFolder) and agent.format == TAKT and agent.registry.path.name == path.name:
            return agent
    return None


def unreadable_among(words: Sequence[str]) -> NotChosen | None:
    """Why a YAML file among the words can't be read; asked where none of them is a piece."""
    return next((found for each in _yaml_files(words) if isinstance(found := choose_agent(each), NotChosen)), None)


def _yaml_files(words: Sequence[str]) -> Iterator[Path]:
    return (Path(word) for word in words if word.lower().endswith((".yaml", ".yml")) and is_file(Path(word)))
