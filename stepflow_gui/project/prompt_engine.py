"""The configuration of the prompt engine that belongs to an agent: which words it takes for c2 and c3."""

from stepflow_gui.formats.climpt.c3_patterns import CONFIG_FOLDER, WordPattern, config_files, word_patterns
from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import TextFile

Patterns = list[tuple[TextFile, WordPattern]]


def engine_patterns(agent: AgentFolder) -> Patterns:
    """The patterns of its files, each with its file, those of the general one first."""
    root, name = agent.registry.root, agent.flow.agent_id
    c1 = text_at(root, "c1", "") if root else None
    if name is None or not name.value:
        return []
    folder = agent.root.joinpath(*CONFIG_FOLDER)
    files = [agent.text(folder / each) for each in config_files(name.value, c1.value if c1 else "steps")]
    return [(file, each) for file in files if isinstance(file, TextFile) for each in word_patterns(file.source.text)]
