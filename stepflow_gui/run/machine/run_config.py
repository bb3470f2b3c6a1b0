"""What a run is based on and never changes: the flow, the verdict, the era, the end settings of agent.json."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.verdict import NO_VERDICT, Verdict
from stepflow_gui.text.json.tree import JsonValue

if TYPE_CHECKING:
    from stepflow_gui.formats.climpt.agent.resolved import ResolvedAgent


class AgentSettings(NamedTuple):
    """What else of agent.json a run reads."""

    closure_action: str = "close"
    labels_added: tuple[str, ...] = ()  # at the end
    labels_removed: tuple[str, ...] = ()
    permission_mode: str = "plan"
    default_model: str | None = None


NO_SETTINGS = AgentSettings()


def settings_of(agent: "ResolvedAgent") -> AgentSettings:
    """The settings of an agent with its defaults."""
    runner = agent.runner
    github = runner.integrations.github
    return AgentSettings(
        github.default_closure_action,
        github.labels.completion.add,
        github.labels.completion.remove,
        runner.boundaries.permission_mode,
        runner.flow.default_model,
    )


class RunConfig:
    """What stays the same during a run. `refused`: why the era's loader takes no registry like this one."""

    __slots__ = (
        "era",
        "flow",
        "gated",
        "inputs",
        "limit",
        "only_closures",
        "programs",
        "refused",
        "routes",
        "settings",
        "verdict",
    )

    def __init__(
        self,
        flow: Flow,
        era: Era,
        verdict: Verdict = NO_VERDICT,
        settings: AgentSettings = NO_SETTINGS,
        *,
        refused: RunError | None = None,
        routes: bool = True,
        programs: bool = False,
    ) -> None:
        steps = flow.steps.values()
        self.flow = flow
        self.era = era
        self.verdict = verdict
        self.settings = settings
        self.refused = refused
        self.programs = programs  # closure steps that have one start it; else they are asked like all others
        self.gated = any(step.gate for step in steps)
        routable = self.gated or (era.closing == "trigger" and any(step.transitions for step in steps))
        self.routes = routes and routable
        self.only_closures = all(step.kind == "closure" for step in steps)
        self.limit = verdict.limit_in(era)
        self.inputs: Mapping[str, JsonValue] = {}
        if era.applies_inputs:
            self.inputs = {step.id: step.raw["inputs"] for step in steps if step.raw.get("inputs")}

    def is_apart(self, step: Step | None) -> bool:
        """Whether a step is a closure in an era where closures bypass gate and router."""
        return self.era.closure_loop and step is not None and step.kind == "closure"
