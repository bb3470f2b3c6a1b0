"""A model that answers for an agent: the person's settings, and the agent's system prompt."""

from collections.abc import Callable, Mapping

from stepflow_gui.formats.climpt.prompts import Unfilled, body_start, fill
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.prompts.variables import values_of
from stepflow_gui.run.responders.anthropic_progress import Progress
from stepflow_gui.run.responders.anthropic_responder import AnthropicResponder
from stepflow_gui.run.responders.anthropic_settings import SettingsProblem, read_settings
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.json.tree import JsonValue


def model_for(
    agent: AgentFolder,
    *,
    args: Mapping[str, JsonValue] | None = None,
    listener: Callable[[Progress], None] | None = None,
    stream: bool = True,
    max_cost: float | None = None,
    apart: bool = False,
) -> AnthropicResponder | SettingsProblem:
    """The responder of an agent, or why there is none: settings that can't be used, a system prompt that is missing.

    `args` are the agent's parameters, which the system prompt may use; `max_cost` is in US dollars; `apart`: see there.
    """
    settings = read_settings()
    if isinstance(settings, SettingsProblem):
        return settings
    system = _system_prompt(agent, args or {})
    if isinstance(system, SettingsProblem):
        return system
    return AnthropicResponder(settings, system=system, listener=listener, stream=stream, max_cost=max_cost, apart=apart)


def _system_prompt(agent: AgentFolder, args: Mapping[str, JsonValue]) -> str | SettingsProblem | None:
    """The text that `systemPromptPath` names, without front matter and with its variables; None where it names none.

    A text whose variables have no value stays as it is written.
    """
    named = agent.agent.system_prompt_path if agent.agent is not None else None
    if named is None or not named.value:
        return None
    file = agent.text(agent.folder / named.value)
    if not isinstance(file, TextFile):
        message = _("The system prompt “{path}” can't be read. Correct systemPromptPath in agent.json.")
        return SettingsProblem(message.format(path=named.value))
    text = file.source.text[body_start(file.source.text) :].strip()
    filled = fill(text, values_of(args))
    return (text if isinstance(filled, Unfilled) else filled) or None
