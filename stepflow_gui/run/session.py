"""A run of an agent as a person controls it, with its history and a shadow beside it; without Qt."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.history import History, add_count
from stepflow_gui.run.machine.choices import Choice, offered
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.picks import PickRefusal, answer_for
from stepflow_gui.run.machine.route import Routed
from stepflow_gui.run.machine.run_config import NO_SETTINGS, AgentSettings
from stepflow_gui.run.machine.state import (
    START,
    Answered,
    Effect,
    Event,
    RunValidator,
    Start,
    State,
    TraceEntry,
    Validated,
)
from stepflow_gui.run.machine.verdict import NO_VERDICT, Verdict
from stepflow_gui.run.shadow import Divergence, Shadow, ShadowRun
from stepflow_gui.text.json.tree import JsonValue


class TakenTransition(NamedTuple):
    """A transition that a run took: `intent` and `case` name it; `to` None is the end."""

    step: str
    intent: str
    case: str | None
    to: str | None


class ShadowedState(NamedTuple):
    """A run at one moment, with its shadow."""

    state: State = START
    shadow: Shadow = Shadow()


class Run(History[ShadowedState, TakenTransition]):
    """One run of a flow. Call `start` first; `state` is its current one, `trace` what happened.

    `era` None is the guide's. `shadow` runs along with the same answers, in another era. `machine` takes the place of
    one made of the others: a host's, which carries out what this run asks for.
    """

    def __init__(
        self,
        flow: Flow,
        verdict: Verdict = NO_VERDICT,
        era: Era | None = None,
        settings: AgentSettings = NO_SETTINGS,
        shadow: Machine | None = None,
        *,
        machine: Machine | None = None,
    ) -> None:
        super().__init__(ShadowedState())
        self.machine = machine or Machine(flow, verdict, era, settings)
        self._shadow_machine = shadow
        self._shadow = ShadowRun(self.machine, shadow) if shadow else None
        self._visits: dict[str, int] = {}

    @property
    def state(self) -> State:
        """The current state."""
        return self._moments[self._position].state

    @property
    def states(self) -> tuple[State, ...]:
        """All states from before the start to now."""
        return tuple(moment.state for moment in self._moments[: self._position + 1])

    @property
    def trace(self) -> list[TraceEntry]:
        """What happened so far, the start first."""
        return [state.last for state in self.states if state.last is not None]

    def state_at(self, position: int) -> State:
        """The state after so many events. Raises IndexError beyond `length`."""
        return self._moments[position].state

    def parting_at(self, position: int) -> Divergence | None:
        """`parting` as it was after so many events."""
        return self._moments[position].shadow.parting

    @property
    def validator(self) -> RunValidator | None:
        """The validator that the run waits for."""
        return self.machine.validator(self.state)

    @property
    def parting(self) -> Divergence | None:
        """Where the shadow has parted from the run; None where there is none or it still goes along."""
        return self.parting_at(self._position)

    @property
    def shadow_era(self) -> Era | None:
        """The era of the shadow; None without one."""
        return self._shadow_machine.era if self._shadow_machine else None

    @property
    def visits(self) -> Mapping[str, int]:
        """How often each step was asked."""
        return self._visits

    @property
    def last_taken(self) -> TakenTransition | None:
        """The transition that the last event took; None where it moved nothing."""
        return _taken(self.state.last)

    def start(self, entry: str | None = None, args: Mapping[str, JsonValue] | None = None) -> tuple[Effect, ...]:
        """Start, or start over, at a step; None: where the registry and the verdict type define it."""
        return self._begin(Start(entry, args or {}))

    def restart(self) -> tuple[Effect, ...]:
        """Start over where this run began."""
        first = self.state_at(1).last if self.length else None
        event = first.event if first else None
        return self._begin(event if isinstance(event, Start) else Start())

    def choices(self) -> list[Choice]:
        """What a person may pick now; [] where the run waits for no answer."""
        return offered(self.machine.config, self.state)

    def choose(self, choice: Choice, verdict_reached: bool = False) -> tuple[Effect, ...] | PickRefusal:
        """Answer so that the gate reads the choice. `verdict_reached`: an external verdict holds after this step."""
        step = self.machine.flow.steps.get(self.state.step or "")
        if step is None:
            return self.answer(None, verdict_reached=verdict_reached)  # reports that the step is gone
        answer = answer_for(step, choice.pick, self.machine.era)
        return answer if isinstance(answer, PickRefusal) else self.answer(answer, verdict_reached=verdict_reached)

    def answer(
        self, answer: JsonValue, texts: tuple[str, ...] | None = None, verdict_reached: bool = False
    ) -> tuple[Effect, ...]:
        """Answer the active step with any JSON value; None: no structured answer at all."""
        return self.send(Answered(answer, texts, verdict_reached))

    def validated(self, passed: bool, error: str = "") -> tuple[Effect, ...]:
        """Set whether the validator that runs has passed."""
        return self.send(Validated(passed, error))

    def send(self, event: Event) -> tuple[Effect, ...]:
        """Let any event happen; what was kept from here on is dropped. What isn't waited for changes nothing."""
        before = self.state
        after, effects = self.machine.step(before, event)
        if after is not before:
            self._enter(event, after)
            self._notify()
        return effects

    def take(self, happened: Iterable[tuple[Event, State]]) -> None:
        """Let events happen whose states somebody else's machine for the same flow has made, in their order."""
        for event, after in happened:
            self._enter(event, after)
        self._notify()

    def use(self, flow: Flow, verdict: Verdict) -> None:
        """Go on with a registry that was changed meanwhile."""
        config = self.machine.config
        era = None if config.era.name == "guide" else config.era
        machine = Machine(flow, verdict, era, config.settings, programs=config.programs)
        shadow = None
        if self._shadow_machine is not None:
            before = self._shadow_machine.config
            shadow = Machine(flow, verdict, before.era, before.settings)
        self.use_machines(machine, shadow)

    def use_machines(self, machine: Machine, shadow: Machine | None) -> None:
        """Go on with other machines, such as those of a registry that was changed meanwhile."""
        self.machine = machine
        if self._shadow_machine is not None and shadow is not None:
            self._shadow_machine = shadow
            self._shadow = ShadowRun(machine, shadow)
        self._notify()

    def _begin(self, start: Start) -> tuple[Effect, ...]:
        self._clear()
        self._visits.clear()
        return self.send(start)

    def _enter(self, event: Event, after: State) -> None:
        shadow = self._moments[self._position].shadow
        self._add(ShadowedState(after, self._shadow.follow(shadow, event, after) if self._shadow else shadow))

    def _same_run(self) -> "Run":
        return Run(self.machine.flow, machine=self.machine, shadow=self._shadow_machine)

    def _transitions(self, moment: ShadowedState) -> Iterator[TakenTransition]:
        taken = _taken(moment.state.last)
        if taken is not None:
            yield taken

    def _count(self, position: int, by: int) -> None:
        super()._count(position, by)
        before, after = self.state_at(position - 1), self.state_at(position)
        if after.step is not None and after.iteration != before.iteration:
            add_count(self._visits, after.step, by)


def _taken(entry: TraceEntry | None) -> TakenTransition | None:
    if entry is None or entry.step is None:
        return None
    if isinstance(entry.event, Validated):  # a closing that its validators let through
        closed = entry.outcome is not None and entry.outcome.kind == "closing"
        return TakenTransition(entry.step, "closing", None, None) if closed else None
    routed, read = entry.transition, entry.interpretation
    if routed is None or read is None:  # nothing was routed
        return None
    if isinstance(routed, Routed):
        return TakenTransition(entry.step, read.intent, routed.case, routed.step)
    return TakenTransition(entry.step, read.intent, routed.case, None) if entry.outcome else None


def waits_for_answer(run: Run) -> bool:
    """Whether the run waits for an answer that decides: of its step, or of the check where the runtime has no gates."""
    state, era = run.state, run.machine.era
    return state.step in run.machine.flow.steps and state.waits == ("answer" if era.gates else "check")
