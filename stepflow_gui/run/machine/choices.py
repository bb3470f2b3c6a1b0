"""The picks available to a person at a step, and the target of each."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.machine.check_answer import CheckAnswer
from stepflow_gui.run.machine.gate import interpret
from stepflow_gui.run.machine.loop_checks import after_run, transition_after, transitions_after
from stepflow_gui.run.machine.picks import NG, OK, RAN, Pick, PickRefusal, answer_for
from stepflow_gui.run.machine.route import EndRun, Routed, cases_of, is_unrouted, no_gate, route
from stepflow_gui.run.machine.run_config import RunConfig
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import State


class Choice(NamedTuple):
    """A pick with its result: a step, an end, or an error (offered anyway: a run goes up to the error).

    `refusal` is the reason why no answer can mean it; then `transition` is None.
    """

    pick: Pick
    transition: Routed | EndRun | RunError | None = None
    refusal: str | None = None

    @property
    def intent(self) -> str:
        """The intent."""
        return self.pick.intent

    @property
    def next_step(self) -> str | None:
        """The next step; None for the end, an error or a refusal."""
        return self.transition.step if isinstance(self.transition, Routed) else None


def offered(config: RunConfig, state: State) -> list[Choice]:
    """The picks available in a state, with their results; [] where it waits for no answer."""
    at, rules = state.step, config.era.checks
    step = config.flow.steps.get(at) if at is not None else None
    if step is None or state.waits not in {"answer", "check"}:
        return []
    if rules is None:
        return choices(config.flow, step.id, config.era)
    if state.waits == "answer":
        return [Choice(RAN, after_run(step, state.counts, rules))]
    return [
        Choice(pick, transition_after(config.flow, step, CheckAnswer(pick == OK), state.counts, rules).result)
        for pick in (OK, NG)
    ]


def choices(flow: Flow, at: str, era: Era) -> list[Choice]:
    """All picks at a step in the order of its gate, what is always allowed last.

    With a check they are the transitions that some answer to it causes.
    """
    step = flow.steps.get(at)
    if step is None:
        return []
    if era.checks is not None:
        return [Choice(Pick(found.intent), found.result) for found in transitions_after(flow, step, era.checks)]
    if era.closure_loop and step.kind == "closure":  # past gate and router
        return [
            Choice(Pick("closing"), EndRun("closing", "signal")),
            Choice(Pick("repeat"), Routed(at, "stays")),
        ]
    return [
        _choice(flow, step, pick, era) for intent in _intents(step, era) for pick in _picks(flow, step, intent, era)
    ]


def _intents(step: Step, era: Era) -> list[str]:
    gate = step.raw.get("structuredGate")
    if not isinstance(gate, dict):
        return ["next"]
    allowed = gate.get("allowedIntents")
    listed = allowed if isinstance(allowed, list) else []
    known = set(era.words.values())
    found = [intent for intent in listed if isinstance(intent, str) and intent in known]
    return list(dict.fromkeys([*found, *sorted(era.always_allowed)]))


def _picks(flow: Flow, step: Step, intent: str, era: Era) -> Iterator[Pick]:
    cases = [] if intent in era.finishing else cases_of(step, intent)
    if intent == "jump":
        gate = step.raw["structuredGate"]
        if gate.get("targetField"):
            yield from (Pick(intent, target=other.id) for other in flow.steps.values() if not other.is_section)
        if not cases and (step.transition(intent) or not gate.get("targetField")):
            yield Pick(intent)
    elif not cases:
        yield Pick(intent)
    yield from (Pick(intent, case) for case in cases)


def _choice(flow: Flow, step: Step, pick: Pick, era: Era) -> Choice:
    answer = answer_for(step, pick, era)
    if isinstance(answer, PickRefusal):
        return Choice(pick, refusal=answer.message)
    if is_unrouted(flow, step, era):
        return Choice(pick, no_gate(step, era))
    read = interpret(step, answer, era)
    return Choice(pick, read if isinstance(read, RunError) else route(flow, step.id, read, era))
