"""Which TAKT piece a command line is about; its options are others than those of agents."""

from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.project.agent_folder import AgentFolder, open_agent

TAKT = "takt"


def piece_among(words: Sequence[str]) -> AgentFolder | None:
    """The TAKT piece that one of the words of a command line names."""
    for word in words:
        if word.lower().endswith((".yaml", ".yml")) and Path(word).is_file():
            agent = open_agent(Path(word))
            if isinstance(agent, AgentFolder) and agent.format == TAKT and agent.registry.path.name == Path(word).name:
                return agent
    return None
