"""What a project's configuration says of an agent's runs: which runner is imitated, and which prompts that one has."""

from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.formats.takt.runners import RUNNER_NAMES
from stepflow_gui.project.agent_folder import AgentFolder


def configured_era(agent: AgentFolder) -> str | None:
    """The `runtime` of stepflow.toml as the linter reads it; None where none is set, or one of other files."""
    from stepflow_gui.lint.config.config import Configs

    registry = agent.registry.path
    named = Configs().of(registry).runtime(registry, agent.flow.format)
    return named if named in (RUNNER_NAMES if agent.flow.format == "takt" else ERAS) else None


def configured_prompts(agent: AgentFolder) -> dict[str, None]:
    """The `fallback-keys` of stepflow.toml: keys of prompts that the runner has, with unknown texts."""
    from stepflow_gui.lint.config.config import Configs

    return dict.fromkeys(Configs().of(agent.registry.path).fallback_keys)
