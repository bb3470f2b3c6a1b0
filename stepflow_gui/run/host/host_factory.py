"""The host of an agent: its verdict, settings and era taken from its files."""

from collections.abc import Callable, Mapping

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.host.host import Host
from stepflow_gui.run.machine.run_config import NO_SETTINGS, settings_of
from stepflow_gui.run.machine.verdict import Verdict, verdict_of


def host_of(
    agents: Callable[[int], AgentFolder],
    era: Era | None = None,
    *,
    spare_prompts: Mapping[str, str | None] | None = None,
    needs_prompts: bool | None = None,
    max_iterations: int | None = None,
) -> Host:
    """A host for the agent that `agents` gives for an iteration, 0 being before the first.

    `era` None is the guide's. `spare_prompts`: texts by fallbackKey, None where only the key is known. `needs_prompts`:
    a step whose prompt can't be made ends the run, as it must where a model answers; None: where that is so in the era.
    `max_iterations` takes the place of the verdict's own.
    """
    agent = agents(0)
    settings = NO_SETTINGS
    if agent.agent_document is not None:
        from stepflow_gui.formats.climpt.agent.resolving import resolve_agent  # it loads pydantic
        from stepflow_gui.formats.climpt.eras import guide_for

        settings = settings_of(resolve_agent(agent.agent_document, era or guide_for(agent.flow.format)))
    verdict = verdict_of(agent.agent)
    if max_iterations is not None:
        verdict = Verdict(verdict.type, {**verdict.config, "maxIterations": max_iterations}, verdict.named)
    host = Host(
        agents,
        verdict=verdict,
        era=era,
        settings=settings,
        spare_prompts=spare_prompts,
        needs_prompts=needs_prompts,
    )
    host.needs_system_prompt = host.needs_prompts and host.machine.era.needs_system_prompt
    if max_iterations is not None:  # in eras as well that don't read it from the config
        host.machine.config.limit = max_iterations
    return host
