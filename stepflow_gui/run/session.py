"""A run as a person leads it: all its states, so that it can stand at any of them again; without Qt."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeVar

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.eras import Era
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

Listener = Callable[[], None]
Key = TypeVar("Key")


class TakenTransition(NamedTuple):
    """A way that a run went: `intent` and `case` name the transition; `to` None is the end."""

    step: str
    intent: str
    case: str | None
    to: str | None


class Run:
    """One run of a flow. Call `start` first; `state` is where it stands, `trace` what happened.

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
        self.machine = machine or Machine(flow, verdict, era, settings)
        self._shadow_machine = shadow
        self._shadow = ShadowRun(self.machine, shadow) if shadow else None
        self._states = [START]
        self._shadows = [Shadow()]
        self._position = 0
        self._visits: dict[str, int] = {}
        self._taken: dict[TakenTransition, int] = {}
        self._listeners: list[Listener] = []

    @property
    def state(self) -> State:
        """Where the run stands."""
        return self._states[self._position]

    @property
    def states(self) -> tuple[State, ...]:
        """All states from before the start to now."""
        return tuple(self._states[: self._position + 1])

    @property
    def trace(self) -> list[TraceEntry]:
        """What happened so far, the start first."""
        return [state.last for state in self._states[: self._position + 1] if state.last is not None]

    @property
    def position(self) -> int:
        """How many events have happened where the run stands; 0 before the start."""
        return self._position

    @property
    def length(self) -> int:
        """How many events are kept, those after `position` too."""
        return len(self._states) - 1

    def state_at(self, position: int) -> State:
        """The state after so many events. Raises IndexError beyond `length`."""
        return self._states[position]

    def parting_at(self, position: int) -> Divergence | None:
        """`parting` as it was after so many events."""
        return self._shadows[position].parting if self._shadow is not None else None

    @property
    def validator(self) -> RunValidator | None:
        """The validator that the run waits for."""
        return self.machine.validator(self.state)

    @property
    def parting(self) -> Divergence | None:
        """Where the shadow has parted from the run; None where there is none or it still goes along."""
        return self._shadows[self._position].parting if self._shadow is not None else None

    @property
    def shadow_era(self) -> Era | None:
        """The era of the shadow; None without one."""
        return self._shadow_machine.era if self._shadow_machine else None

    @property
    def visits(self) -> Mapping[str, int]:
        """How often each step was asked."""
        return self._visits

    @property
    def taken(self) -> Mapping[TakenTransition, int]:
        """How often each way was gone."""
        return self._taken

    @property
    def last_taken(self) -> TakenTransition | None:
        """The way that the last event went; None where it moved nothing."""
        return _taken(self.state.last)

    @property
    def can_go_back(self) -> bool:
        """Whether there is something after the start to take back."""
        return self._position > 1

    @property
    def can_go_forward(self) -> bool:
        """Whether something that was taken back is kept."""
        return self._position < self.length

    def on_change(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` after every change, until the returned function is called."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def start(self, entry: str | None = None, args: Mapping[str, JsonValue] | None = None) -> tuple[Effect, ...]:
        """Begin, or begin anew, at a step; None: where the registry and the verdict type say."""
        return self._begin(Start(entry, args or {}))

    def restart(self) -> tuple[Effect, ...]:
        """Begin anew where this run began."""
        first = self._states[1].last if len(self._states) > 1 else None
        event = first.event if first else None
        return self._begin(event if isinstance(event, Start) else Start())

    def choices(self) -> list[Choice]:
        """What a person may pick now; [] where the run waits for no answer."""
        return offered(self.machine.course, self.state)

    def choose(self, choice: Choice, told: bool = False) -> tuple[Effect, ...] | PickRefusal:
        """Answer so that the gate reads the choice. `told`: an external verdict holds after this step."""
        step = self.machine.flow.steps.get(self.state.step or "")
        if step is None:
            return self.answer(None, told=told)  # says that the step is gone
        answer = answer_for(step, choice.pick, self.machine.era)
        return answer if isinstance(answer, PickRefusal) else self.answer(answer, told=told)

    def answer(self, answer: JsonValue, texts: tuple[str, ...] = (), told: bool = False) -> tuple[Effect, ...]:
        """Answer the active step with any JSON value; None: no structured answer at all."""
        return self.send(Answered(answer, texts, told))

    def validated(self, passed: bool, error: str = "") -> tuple[Effect, ...]:
        """Say whether the validator that runs has passed."""
        return self.send(Validated(passed, error))

    def send(self, event: Event) -> tuple[Effect, ...]:
        """Let any event happen; what was kept from here on is dropped. What isn't waited for changes nothing."""
        before = self.state
        after, effects = self.machine.step(before, event)
        if after is not before:
            self._enter(event, after)
            self._tell()
        return effects

    def take(self, happened: Iterable[tuple[Event, State]]) -> None:
        """Let events happen whose states somebody else's machine for the same flow has made, in their order."""
        for event, after in happened:
            self._enter(event, after)
        self._tell()

    def back(self) -> bool:
        """Take the last event back; False where only the start is left."""
        if not self.can_go_back:
            return False
        self.go_to(self._position - 1)
        return True

    def go_to(self, position: int) -> None:
        """Stand where so many events had happened, as near as there is: everything after it stays kept."""
        position = min(max(position, min(1, self.length)), self.length)
        if position == self._position:
            return
        states = self._states
        for at in range(self._position, position):
            self._count(states[at], states[at + 1], 1)
        for at in range(self._position, position, -1):
            self._count(states[at - 1], states[at], -1)
        self._position = position
        self._tell()

    def fork(self) -> "Run":
        """Another run that has come to where this one stands, with the same states until there and no listeners."""
        course = self.machine.course
        other = Run(course.flow, machine=self.machine, shadow=self._shadow_machine)
        other._states = self._states[: self._position + 1]
        other._shadows = self._shadows[: self._position + 1] if self._shadow is not None else other._shadows
        other._position = self._position
        other._visits, other._taken = dict(self._visits), dict(self._taken)
        return other

    def use(self, flow: Flow, verdict: Verdict) -> None:
        """Go on with a registry that was changed meanwhile."""
        course = self.machine.course
        era = None if course.era.name == "guide" else course.era
        machine = Machine(flow, verdict, era, course.settings, programs=course.programs)
        shadow = None
        if self._shadow_machine is not None:
            before = self._shadow_machine.course
            shadow = Machine(flow, verdict, before.era, before.settings)
        self.use_machines(machine, shadow)

    def use_machines(self, machine: Machine, shadow: Machine | None) -> None:
        """Go on with other machines, such as those of a registry that was changed meanwhile."""
        self.machine = machine
        if self._shadow_machine is not None and shadow is not None:
            self._shadow_machine = shadow
            self._shadow = ShadowRun(machine, shadow)
        self._tell()

    def _begin(self, start: Start) -> tuple[Effect, ...]:
        self._clear()
        return self.send(start)

    def _clear(self) -> None:
        self._states = [START]
        self._shadows = [Shadow()]
        self._position = 0
        self._visits.clear()
        self._taken.clear()

    def _enter(self, event: Event, after: State) -> None:
        before = self.state
        if self._position < self.length:
            del self._states[self._position + 1 :]
            del self._shadows[self._position + 1 :]
        self._states.append(after)
        if self._shadow is not None:
            self._shadows.append(self._shadow.follow(self._shadows[self._position], event, after))
        self._position += 1
        self._count(before, after, 1)

    def _count(self, before: State, after: State, by: int) -> None:
        if after.step is not None and after.iteration != before.iteration:
            _add(self._visits, after.step, by)
        taken = _taken(after.last)
        if taken is not None:
            _add(self._taken, taken, by)

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()


def _add(counts: dict[Key, int], key: Key, by: int) -> None:
    counts[key] = counts.get(key, 0) + by
    if not counts[key]:
        del counts[key]


def _taken(entry: TraceEntry | None) -> TakenTransition | None:
    if entry is None or entry.step is None:
        return None
    if isinstance(entry.event, Validated):  # a closing that its validators let through
        closed = entry.outcome is not None and entry.outcome.kind == "closing"
        return TakenTransition(entry.step, "closing", None, None) if closed else None
    way, read = entry.way, entry.interpretation
    if way is None or read is None:  # nothing was routed
        return None
    if isinstance(way, Routed):
        return TakenTransition(entry.step, read.intent, way.case, way.step)
    return TakenTransition(entry.step, read.intent, way.case, None) if entry.outcome else None
