"""Files that agent.json names and that a run can't do without, where they don't exist."""

from stepflow_gui.project.agent_folder import AgentFolder

_HANDLER = "/runner/verdict/config/handlerPath"


def missing_system_prompt(agent: AgentFolder) -> str | None:
    """The path of the system prompt as agent.json has it, if there is no such file; None where there is, or no path."""
    named = agent.agent.system_prompt_path if agent.agent is not None else None
    return None if named is None else _missing(named.value, agent)


def missing_handler(agent: AgentFolder) -> str | None:
    """Likewise the module of the verdict meta:custom."""
    document = agent.agent_document
    node = document.tree.at(_HANDLER) if document is not None else None
    return _missing(node.value, agent) if node is not None and isinstance(node.value, str) else None


def _missing(named: str, agent: AgentFolder) -> str | None:
    return named if named and not agent.exists(agent.folder / named) else None
