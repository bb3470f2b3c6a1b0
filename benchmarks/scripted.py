"""Scripted walks through a registry, and the same edges in two libraries for state machines."""

from collections.abc import Callable
from typing import Any, NamedTuple

from benchmarks.chance import Chance
from stepflow_gui.flow.model import Flow
from stepflow_gui.run.javascript.values import ABSENT, value_at
from stepflow_gui.run.machine.choices import choices
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.picks import PickRefusal, answer_for, put
from stepflow_gui.run.machine.state import START, Answered, Start, State
from stepflow_gui.run.machine.verdict import Verdict

ENDLESS = Verdict("poll:state", {"maxIterations": 10**8})


class Walk(NamedTuple):
    """Answers that lead a run on and on; `edges` are what they go, by step and name of the edge."""

    machine: Machine
    start: State
    answers: list[Answered]
    names: list[str]
    edges: dict[tuple[str, str], str]


def walk(flow: Flow, entry: str, length: int, seed: int = 1) -> Walk:
    """A walk of so many answers by chance, each with all that its step hands over; it keeps to steps that go on."""
    machine, chance = Machine(flow, ENDLESS), Chance(seed)
    start, _effects = machine.step(START, Start(entry, {"issue": 1}))
    can_say = {step: _answers(machine, step) for step in flow.steps}
    state, found = start, Walk(machine, start, [], [], {})
    while len(found.answers) < length:
        assert state.step is not None
        answer = chance.choice(can_say[state.step])
        after, _effects = machine.step(state, answer)
        if after.step is None or not can_say[after.step]:
            continue
        assert after.last is not None
        assert after.last.interpretation is not None
        assert after.last.transition is not None
        name = f"{after.last.interpretation.intent}_{after.last.transition.case}"
        found.answers.append(answer)
        found.names.append(name)
        found.edges[state.step, name] = after.step
        state = after
    return found


def _answers(machine: Machine, at: str) -> list[Answered]:
    step, found = machine.flow.steps[at], []
    for choice in choices(machine.flow, at, machine.era):
        answer = answer_for(step, choice.pick, machine.era)
        if choice.next_step is None or isinstance(answer, PickRefusal):
            continue
        for path in step.raw.get("structuredGate", {}).get("handoffFields", ()):
            if value_at(answer, path) is ABSENT:
                put(answer, path, "handed over")
        found.append(Answered(answer))
    return found


def ours(of: Walk) -> Callable[[], object]:
    """Goes the walk with gate, route, context and effects; no trace is kept."""

    def go() -> object:
        state, step = of.start, of.machine.step
        for answer in of.answers:
            state, _effects = step(state, answer)
        return state

    return go


def with_transitions(of: Walk, library: Any) -> Callable[[], object]:
    """Goes the same edges with `transitions`, by trigger."""

    class Model:
        """What the library drives."""

    model: Any = Model()
    edges = [{"trigger": name, "source": step, "dest": to} for (step, name), to in of.edges.items()]
    steps = list(of.machine.flow.steps)
    library.Machine(model, states=steps, initial=of.start.step, transitions=edges, auto_transitions=False)
    initial = model.state

    def go() -> object:
        model.state = initial
        trigger = model.trigger
        for name in of.names:
            trigger(name)
        return model.state

    return go


def with_langgraph(of: Walk, graph: Any) -> Callable[[], object]:
    """Goes the same edges with LangGraph: a node a step, conditional edges by what is said."""
    names = of.names
    builder = graph.StateGraph(dict)
    leading: dict[str, dict[str, str]] = {}
    for (step, name), to in of.edges.items():
        leading.setdefault(step, {})[name] = to
    for step in {*leading, *(to for ways in leading.values() for to in ways.values())}:
        builder.add_node(step, lambda state: {"at": state["at"] + 1})
    for step, ways in leading.items():

        def leads(state: dict[str, int], ways: dict[str, str] = ways) -> str:
            at = state["at"]
            return ways[names[at - 1]] if at <= len(names) else graph.END

        builder.add_conditional_edges(step, leads, [*dict.fromkeys(ways.values()), graph.END])
    builder.set_entry_point(of.start.step)
    compiled = builder.compile()

    def go() -> object:
        return compiled.invoke({"at": 0}, {"recursion_limit": len(names) + 10})

    return go
