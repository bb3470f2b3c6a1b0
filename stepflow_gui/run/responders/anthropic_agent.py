"""A model that answers for an agent: the person's settings, and the agent's system prompt."""

from collections.abc import Callable

from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.responders.anthropic_progress import Progress
from stepflow_gui.run.responders.anthropic_responder import AnthropicResponder
from stepflow_gui.run.responders.anthropic_settings import SettingsProblem, read_settings
from stepflow_gui.text.document import TextFile


def model_for(
    agent: AgentFolder,
    *,
    listener: Callable[[Progress], None] | None = None,
    stream: bool = True,
    max_cost: float | None = None,
) -> AnthropicResponder | SettingsProblem:
    """The responder of an agent, or why there is none: settings that can't be used, a system prompt that is missing.

    `max_cost` in US dollars.
    """
    settings = read_settings()
    if isinstance(settings, SettingsProblem):
        return settings
    system = system_prompt_of(agent)
    if isinstance(system, SettingsProblem):
        return system
    return AnthropicResponder(settings, system=system, listener=listener, stream=stream, max_cost=max_cost)


def system_prompt_of(agent: AgentFolder) -> str | SettingsProblem | None:
    """The text of `systemPromptPath`, which is from the agent's folder; None where agent.json names none."""
    named = agent.agent.system_prompt_path if agent.agent is not None else None
    if named is None or not named.value:
        return None
    found = agent.text(agent.folder / named.value)
    if isinstance(found, TextFile):
        return found.source.text.strip()
    message = _("The system prompt “{path}” can't be read. Correct systemPromptPath in agent.json.")
    return SettingsProblem(message.format(path=named.value))
