"""What a picture shows beyond the registry: findings at their steps, or how often runs went where."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from stepflow_gui.flow.layout import Layout, NodeId
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.step_contract import broken_in
from stepflow_gui.run.traces.trace import Trace

TransitionKey = tuple[str, str, str | None]  # step, intent, case


class FindingCounts(NamedTuple):
    """How many findings a step has of each severity."""

    errors: int = 0
    warnings: int = 0
    infos: int = 0


class Overlay(NamedTuple):
    """Of findings, of runs, or empty. `broken` are the intents (step, intent) that break their contract.

    `visits` and `taken` count how often runs came to a step and took a transition.
    """

    found: Mapping[str, FindingCounts] = {}
    broken: frozenset[tuple[str, str]] = frozenset()
    visits: Mapping[str, int] = {}
    taken: Mapping[TransitionKey, int] = {}

    def taken_between(self, layout: Layout) -> dict[tuple[NodeId, NodeId], int]:
        """How often each drawn edge was taken, by its ends."""
        counts: dict[tuple[NodeId, NodeId], int] = {}
        for route in layout.routes:
            count = sum(self.taken.get((move.step, move.intent, move.case), 0) for move in route.gone)
            if count:
                counts[route.source, route.target] = count
        return counts


NO_OVERLAY = Overlay()


def lint_overlay(agent: AgentFolder, diagnostics: Iterable[Diagnostic]) -> Overlay:
    """The findings of an agent at its steps, and the intents that schema, gate and transitions don't agree on."""
    steps: dict[str, Counter[str]] = {}
    for diagnostic in diagnostics:
        if diagnostic.step is not None:
            steps.setdefault(diagnostic.step, Counter())[diagnostic.severity] += 1
    found = {step: FindingCounts(seen["error"], seen["warning"], seen["info"]) for step, seen in steps.items()}
    return Overlay(found, frozenset(broken_intents(agent)))


def broken_intents(agent: AgentFolder) -> Iterator[tuple[str, str]]:
    """The intents (step, intent) that one of schema, gate and transitions lacks."""
    for step in agent.flow.steps.values():
        yield from ((step.id, intent) for intent in sorted(broken_in(agent, step)))


def coverage_overlay(traces: Iterable[Trace]) -> Overlay:
    """How often the runs of some traces answered each step and took each transition."""
    visits: Counter[str] = Counter()
    taken: Counter[TransitionKey] = Counter()
    for trace in traces:
        for event in trace.events:
            if event.step is None:
                continue
            kind = event.event.kind
            if kind in {"answered", "not_asked", "program_ended"} and not event.is_of_check:
                visits[event.step] += 1
            if event.error is not None:
                continue
            if kind == "validated":  # a closing that its validators let through
                if event.outcome is not None and event.outcome.kind == "closing":
                    taken[event.step, "closing", None] += 1
            elif event.intent is not None and (event.to is not None or event.outcome is not None):
                taken[event.step, event.intent, event.case] += 1
    return Overlay(visits=dict(visits), taken=dict(taken))
