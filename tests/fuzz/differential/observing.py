"""What the product's runner of a runtime does with an agent: whether it starts, and what each answer goes to."""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.effects import NoAnswer, ResponderQuery
from stepflow_gui.run.exploring.answer_options import SPOKEN, AnswerOption, AnswerOptions
from stepflow_gui.run.exploring.search import explore, usual_start
from stepflow_gui.run.host.host import Host
from stepflow_gui.run.host.host_factory import host_of
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.machine.picks import put
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import (
    START,
    Answered,
    Effect,
    NotAsked,
    Outcome,
    Query,
    RunValidator,
    Start,
    State,
    Stopped,
    Validated,
)
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.text.json.tree import JsonValue

_GIVEN = "given"  # the value of every parameter
_LATER = 2  # an iteration after the first: only then does an answer without an intent end a run
VALIDATOR_FAULTS = frozenset({"validator_fault", "validator_not_found"})  # kinds of errors
_TURNS = 9  # validators of a closure
_ASKED = frozenset({"answer", "check", "program"})
_BY_ANSWER = frozenset({"closing", "complete", "null", "check"})  # kinds of ends
_MOST_TURNS = 60  # of a step that is sent round again


class Probe(NamedTuple):
    """What one answer at a step goes to: an error, an end, or another step.

    `first`: it is the answer of the first iteration. `intent` and `case` are what it means; `sound`: a model that keeps
    to the step's schema may give it; `flaw`: what is wrong with one that doesn't. `checked`: it is the answer to the
    step's check; `validated`: validators ran after it.
    """

    step: str
    first: bool
    intent: str | None
    case: str | None
    sound: bool
    flaw: str | None
    error: RunError | None = None
    outcome: Outcome | None = None
    to: str | None = None
    checked: bool = False
    validated: bool = False


class RunnerSide:
    """An agent in the hands of the runner of one era. Whatever is asked is worked out once."""

    def __init__(self, agent: AgentFolder, era: Era) -> None:
        self.agent = agent
        self.era = era

    @cached_property
    def host(self) -> Host:
        """The host of a run that a model answers."""
        return host_of(lambda _iteration: self.agent, self.era, needs_prompts=True)

    @cached_property
    def start(self) -> Start:
        """A start with all parameters and an input text given."""
        usual = usual_start(self.host.machine)
        names = [each.name for each in self.agent.agent.parameters] if self.agent.agent else []
        return usual._replace(args={**dict.fromkeys(names, _GIVEN), **usual.args}, input_text=_GIVEN)

    @cached_property
    def begun(self) -> State:
        """The state after the start."""
        return self.host.machine.step(START, self.start)[0]

    @property
    def refusal(self) -> RunError | None:
        """Why no run begins; None where one does."""
        return self.begun.error if self.begun.waits == "start" else None

    def is_refused_under(self, verdict_type: str) -> bool:
        """Whether no run begins under another verdict type."""
        verdict = Verdict(OLDER_VERDICT_TYPES.get(verdict_type, verdict_type), {}, verdict_type)
        machine = self.host.machine.with_verdict(verdict, self.host.machine.config.limit)
        usual = usual_start(machine)
        start = usual._replace(args={**usual.args, **self.start.args})
        return machine.step(START, start)[0].waits == "start"

    @property
    def entry(self) -> str | None:
        """The step at which a run begins."""
        return self.begun.step

    @property
    def routes(self) -> bool:
        """Whether gates and transitions are followed."""
        return self.host.machine.config.routes

    @cached_property
    def steps(self) -> list[str]:
        """The steps that a run can be at."""
        return [step.id for step in self.host.machine.flow.steps.values() if not step.is_section]

    @cached_property
    def probes(self) -> list[Probe]:
        """What each answer at each step goes to, whatever its prompt; nothing where no run begins."""
        return [] if self.refusal else [probe for step in self.steps for probe in self._at(step)]

    @cached_property
    def unprompted(self) -> dict[tuple[str, bool], str | None]:
        """By step, and whether in the first iteration: why the model isn't asked there; None where it is."""
        found: dict[tuple[str, bool], str | None] = {}
        for step in [] if self.refusal else self.steps:
            for first in (True, False):
                state, effects = self._placed(step, first=first)
                if effects and isinstance(effects[-1], Stopped):
                    found[step, first] = effects[-1].error.kind
                elif state.waits in {"answer", "check"}:
                    found[step, first] = self._not_asked(state, effects[-1])
        return found

    @cached_property
    def unchecked(self) -> set[str]:
        """The steps whose check can't be asked."""
        found: set[str] = set()
        for step in self.steps if self.era.checks is not None and not self.refusal else ():
            state, _effects = self._placed(step, first=True)
            for option in self._options.at(state):
                after, effects = self.host.machine.step(state, option.event)
                if after.waits == "check" and self._not_asked(after, effects[-1]):
                    found.add(step)
        return found

    @cached_property
    def never_asked(self) -> set[str]:
        """The steps whose output schema can't be resolved."""
        return set(self.host.never_asked())

    def ends_from(self, entry: str) -> bool | None:
        """Whether sound answers can go from a step to an end that is a success; None where that isn't known."""
        if any(each.gate and each.gate.target_field for each in self.host.machine.flow.steps.values()):
            return None  # where a jump may go is the schema's matter, which an explorer doesn't look at
        graph = explore(self.host.machine, self.start._replace(entry=entry))
        if graph.cut or graph.refused:
            return None
        if self.era.closure_loop and any(node.waits_for not in _ASKED for node in graph.nodes):
            return None  # what a closure says before its validators run isn't part of a place
        steps, reached, left = self.host.machine.flow.steps, {0}, [0]
        while left:
            node = graph.nodes[left.pop()]
            for arc in node.arcs:
                if not arc.option.sound or not _is_allowed(steps[node.step], arc.option):
                    continue
                if isinstance(arc.to, Outcome) and arc.to.success and arc.to.kind in _BY_ANSWER:
                    return True
                if isinstance(arc.to, int) and arc.to not in reached:
                    reached.add(arc.to)
                    left.append(arc.to)
        return False

    @cached_property
    def _options(self) -> AnswerOptions:
        return AnswerOptions(self.host.machine, {})

    def _placed(self, step: str, *, first: bool) -> tuple[State, tuple[Effect, ...]]:
        state, effects = self.host.machine.step(START, self.start._replace(entry=step))
        for _turn in range(_TURNS):
            if state.waits != "validator" or any(isinstance(each, Stopped) for each in effects):
                break
            state, effects = self.host.machine.step(state, Validated(passed=True))  # before the step is asked
        if first or self.era.checks is not None:
            return state, effects
        last = effects[-1] if effects else None
        memory = state.memory._replace(reported=state.memory.reported.summary({"stepId": step}, (SPOKEN,)))
        state = state._replace(memory=memory)
        later = (last._replace(iteration=_LATER),) if isinstance(last, Query) else effects
        return state._replace(iteration=_LATER), later

    def _not_asked(self, state: State, effect: Effect) -> str | None:
        asked = _Silent()
        moved = self.host.carry_out(state, effect, asked, Simulated())
        event = None if isinstance(moved, NoAnswer) else moved[0]
        if event is None and self.era.load_errors == "reported" and asked.last and asked.last.prompt.text is None:
            return "no text"  # the guide has none behind a fallbackKey unless the user gives it
        return event.code or event.why if isinstance(event, NotAsked) else None

    def stops_at_word(self, step: str, word: str) -> bool | None:
        """Whether an answer with that word as its intent ends a run with an error; None where no answer can say it."""
        gate = self.host.machine.flow.steps[step].raw.get("structuredGate")
        field = gate.get("intentField") if isinstance(gate, dict) else None
        answer: dict[str, JsonValue] = {"stepId": step}
        if not isinstance(field, str) or not put(answer, field, word):
            return None
        return self._stops(step, answer)

    def stops_at_id(self, step: str, other: str) -> bool:
        """Whether an answer in the name of another step ends a run with an error."""
        return self._stops(step, {"stepId": other})

    def stops_in(self, step: str) -> bool | None:
        """Whether a run that has come to a step that isn't asked for an intent stops or ends there."""
        state, _effects = self._placed(step, first=False)
        if state.waits != "answer":
            return None
        after, _effects = self.host.machine.step(state, Answered({"stepId": step}, (SPOKEN,)))
        return after.error is not None or after.outcome is not None

    def repeats(self, step: str) -> int | None:
        """How often a step may say “repeat” in a row, up to three times; None where it can't say it."""
        state, _effects = self._placed(step, first=True)
        option = next((each for each in self._options.at(state) if each.pick and each.pick.intent == "repeat"), None)
        if option is None:
            return None
        for count in range(3):
            state, effects = self.host.machine.step(state, option.event)
            if state.waits == "validator" or (state.error and state.error.kind in VALIDATOR_FAULTS):
                return None
            if any(isinstance(each, Stopped) for each in effects) or state.waits != "answer":
                return count
        return 3

    def is_worn_out(self, step: str | None) -> bool:
        """Whether a run that stays at a step without a check ends there as a failure."""
        state, _effects = self._placed(step or "", first=True)
        for _turn in range(_TURNS):
            option = next(iter(self._options.at(state)), None)
            if option is None:
                break
            state, _effects = self.host.machine.step(state, option.event)
        return state.outcome is not None and not state.outcome.success

    def after_failures(self, step: str) -> bool | None:
        """Whether a run whose check at the step never passes is a success; None where it goes elsewhere or on."""
        state, _effects = self._placed(step, first=True)
        for _turn in range(_MOST_TURNS):
            wanted = "ng" if state.waits == "check" else None
            options = self._options.at(state)
            option = next(
                (each for each in options if wanted is None or (each.pick and each.pick.intent == wanted)), None
            )
            if option is None:
                break
            state, _effects = self.host.machine.step(state, option.event)
            if state.step != step:
                return None
        return state.outcome.success if state.outcome else None

    def _stops(self, step: str, answer: dict[str, JsonValue]) -> bool:
        state, _effects = self._placed(step, first=False)
        _after, effects = self.host.machine.step(state, Answered(answer, (SPOKEN,)))
        return any(isinstance(each, Stopped) for each in effects)

    def _at(self, step: str) -> Iterator[Probe]:
        for first in (True, False) if self.era.checks is None else (True,):
            state, effects = self._placed(step, first=first)
            if effects and isinstance(effects[-1], Stopped):
                yield Probe(step, first, None, None, False, "not asked", effects[-1].error)
                continue
            for option in self._options.at(state):
                yield from self._probed(step, first, state, option)

    def _probed(self, step: str, first: bool, state: State, option: AnswerOption) -> Iterator[Probe]:
        pick = option.pick
        probe = Probe(
            step, first, pick.intent if pick else None, pick.case if pick else None, option.sound, option.flaw
        )
        probe = probe._replace(checked=state.waits == "check")
        after, effects = self.host.machine.step(state, option.event)
        if state.waits == "answer" and after.waits == "check":
            for each in self._options.at(after):
                yield from self._probed(step, first, after, each)
            return
        if after.waits == "validator" and isinstance(effects[-1], RunValidator):
            judged = self.host.carry_out(after, effects[-1], _SILENT, _Empty())
            if not isinstance(judged, NoAnswer) and isinstance(judged[0], Validated) and judged[0].fault:
                failed, what = self.host.machine.step(after, judged[0])
                yield _ended(probe._replace(flaw="validator", sound=False, validated=True), failed, what)
            failing = next((each for each in self._options.at(after) if not _passes(each)), None)
            if failing is not None:
                failed, what = self.host.machine.step(after, failing.event)
                yield _ended(probe._replace(flaw="validator", sound=False, validated=True), failed, what)
        for _turn in range(_TURNS):
            passing = next((each for each in self._options.at(after) if _passes(each)), None)
            if after.waits != "validator" or passing is None:
                break
            probe = probe._replace(validated=True)
            after, effects = self.host.machine.step(after, passing.event)
        yield _ended(probe._replace(validated=probe.validated or after.waits == "validator"), after, effects)


def _is_allowed(step: Step, option: AnswerOption) -> bool:
    """Whether the gate lists the intent: a model keeps to it even where the runner asks no gate."""
    return option.pick is None or step.gate is None or option.pick.intent in {each.value for each in step.gate.intents}


def _passes(option: AnswerOption) -> bool:
    return isinstance(option.event, Validated) and option.event.passed


def _ended(probe: Probe, after: State, effects: tuple[Effect, ...]) -> Probe:
    stopped = next((each for each in effects if isinstance(each, Stopped)), None)
    return probe._replace(error=stopped.error if stopped else None, outcome=after.outcome, to=after.step)


class _Silent:
    """Answers nothing."""

    name = ""
    costs_money = False

    def __init__(self) -> None:
        self.last: ResponderQuery | None = None

    def answer(self, asked: ResponderQuery, _state: State) -> NoAnswer:
        self.last = asked
        return NoAnswer("ended", "")


class _Empty:
    """Runs nothing, but has validators judge a command that wrote nothing."""

    def __init__(self) -> None:
        simulated = Simulated()
        self.command, self.exists, self.program = simulated.command, simulated.exists, simulated.program

    def preset_result(self, _request: RunValidator, _state: State) -> None:
        return None


_SILENT = _Silent()
