"""The runner that a project's configuration names for an agent: it is imitated where the command line names none."""

from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.formats.takt.runners import RUNNER_NAMES
from stepflow_gui.project.agent_folder import AgentFolder


def configured_era(agent: AgentFolder) -> str | None:
    """The `runtime` of stepflow.toml as the linter reads it; None where none is set, or one of other files."""
    from stepflow_gui.lint.config.config import Configs

    registry = agent.registry.path
    named = Configs().of(registry).runtime(registry, agent.flow.format)
    return named if named in (RUNNER_NAMES if agent.flow.format == "takt" else ERAS) else None
