"""A run of an agent from its start to its end, the same for the command line and for programs."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.climpt.eras import ERAS, Era, guide_for
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.effects import Commands, Responder
from stepflow_gui.run.host.host import Host, HostEvent, Ran
from stepflow_gui.run.host.host_factory import host_of
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.state import Start
from stepflow_gui.run.shadow import Divergence, Shadow, ShadowRun, shadow_machine
from stepflow_gui.text.json.tree import JsonValue

Listener = Callable[[HostEvent], None]


class RunOptions(NamedTuple):
    """The settings of a run. `entry` is a step, or a key of entryStepMapping; None: as the registry defines it.

    `era` and `shadow` are names of eras; without `era` it is `default_era`, else the guide's. `args` win over the
    defaults of agent.json. `needs_prompts`: a step whose prompt can't be made ends the run; None: as in the era.
    `fresh`: files are read again at each iteration.
    """

    entry: str | None = None
    args: Mapping[str, JsonValue] = {}
    payload: Mapping[str, JsonValue] = {}
    input_text: str | None = None
    era: str | None = None
    shadow: str | None = None
    max_iterations: int | None = None
    needs_prompts: bool | None = None
    fresh: bool = False
    spare_prompts: Mapping[str, str | None] = {}
    default_era: str | None = None


NO_WISHES = RunOptions()


def era_named(name: str | None, format_id: str) -> Era:
    """The era of a name; the guide's as the format needs it. Raises KeyError where there is none."""
    return guide_for(format_id) if name in {None, "guide"} else ERAS[name or ""]


class AgentRun:
    """A run that is about to start. `parting` reports afterwards where the shadow diverged."""

    def __init__(self, agent: AgentFolder, wishes: RunOptions = NO_WISHES) -> None:
        self.agent = agent
        self.parting: Divergence | None = None
        era = era_named(wishes.era or wishes.default_era, agent.flow.format)
        self.host: Host = host_of(
            self._fresh if wishes.fresh else self._same,
            era,
            spare_prompts=wishes.spare_prompts,
            needs_prompts=wishes.needs_prompts,
            max_iterations=wishes.max_iterations,
        )
        self.start = Start(
            _entry(agent, wishes.entry),
            {**_defaults(agent, era), **wishes.args},
            wishes.payload,
            wishes.input_text,
        )
        self._shadow: ShadowRun | None = None
        if wishes.shadow is not None:
            config, other = self.machine.config, era_named(wishes.shadow, agent.flow.format)
            self._shadow = ShadowRun(self.machine, shadow_machine(agent, other, config.verdict, config.settings))

    @property
    def machine(self) -> Machine:
        """What the run goes by."""
        return self.host.machine

    def drive(self, responder: Responder, commands: Commands, *listeners: Listener) -> Ran:
        """Run until it ends, stops, or can't be continued. Each listener is notified of each event."""
        return self.host.drive(self.start, responder, commands, self.listener(*listeners))

    def listener(self, *listeners: Listener) -> Listener:
        """One listener for all events, from the start on: it notifies the shadow, then the listeners."""
        follower = self._shadow
        shadow = Shadow()

        def on_event(happened: HostEvent) -> None:
            nonlocal shadow
            if follower is not None:
                shadow = follower.follow(shadow, happened.entry.event, happened.state)
                self.parting = shadow.parting
            for listener in listeners:
                listener(happened)

        return on_event

    def _same(self, _iteration: int) -> AgentFolder:
        return self.agent

    def _fresh(self, iteration: int) -> AgentFolder:
        if iteration > 0:
            found = open_agent(self.agent.registry.path, format_id=self.agent.format)
            if isinstance(found, AgentFolder):
                self.agent = found
        return self.agent


def working_folder(agent: AgentFolder, wished: Path | None = None) -> Path:
    """Where the commands of a run are run: the project's root, if nothing else is wished."""
    return Path(os.path.normpath((wished or agent.root).absolute()))


def _entry(agent: AgentFolder, wished: str | None) -> str | None:
    if wished is None or wished in agent.flow.steps:
        return wished
    named = next((entry.target for entry in agent.flow.entries if entry.key == wished), None)
    return named.value if named is not None else wished


def _defaults(agent: AgentFolder, era: Era) -> dict[str, JsonValue]:
    if agent.agent_document is None:
        return {}
    from stepflow_gui.formats.climpt.agent.resolving import resolve_agent  # it loads pydantic

    parameters = resolve_agent(agent.agent_document, era).parameters
    return {name: each.default for name, each in parameters.items() if each.default is not None}
