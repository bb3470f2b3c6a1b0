"""Exploring from every entry of a registry: a search each, and what they cover and leave out together."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.run.exploring.findings import ExploreResult, Unreached, findings_of
from stepflow_gui.run.exploring.report import (
    VERSION,
    as_json,
    columns,
    coverage_json,
    edge_or_step,
    share_of,
    table,
    unreached_json,
)
from stepflow_gui.run.exploring.scripts import Generated, scripts_of
from stepflow_gui.run.exploring.search import Progress, explore
from stepflow_gui.run.host.host import Host
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.state import Start
from stepflow_gui.run.machine.verdict import entry_of
from stepflow_gui.run.scripts.coverage import KINDS, Coverage
from stepflow_gui.text.json.tree import JsonValue


class EntriesResult(NamedTuple):
    """What searches from several entries have found, one an entry; and what all of them cover."""

    each: tuple[ExploreResult, ...]
    coverage: Coverage

    @property
    def out_of_reach(self) -> tuple[Unreached, ...]:
        """What no run from any entry reaches, except what is reported as a dead end.

        Nothing where a search was cut: what it would have come to isn't known.
        """
        if any(each.graph.cut is not None for each in self.each):
            return ()
        first = self.each[0].out_of_reach
        if len(self.each) == 1:
            return first
        steps, edges = set(self.coverage.missing_steps), self.coverage.edges
        known: dict[object, Unreached] = {}
        for missed in chain.from_iterable(found.out_of_reach for found in self.each):
            still = missed.step in steps if missed.edge is None else not edges[missed.edge]
            if still and (missed.edge is None or missed.step not in steps):
                known.setdefault((missed.step, missed.edge), missed)
        return tuple(known.values())


def starts_of(machine: Machine, start: Start) -> list[Start]:
    """A start at each entry of the registry whose step exists, the agent's own first."""
    flow = machine.flow
    named = [entry_of(flow, machine.verdict), *(entry.target.value for entry in flow.entries if entry.target)]
    steps = [step for step in dict.fromkeys(named) if step in flow.steps]
    return [start._replace(entry=None if at == 0 and step == named[0] else step) for at, step in enumerate(steps)]


def explore_from(
    host: Host,
    starts: Sequence[Start],
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> EntriesResult:
    """Look at all places that runs from these starts can come to; as `explore` does it, one start after the other."""
    never = host.never_asked()
    graphs = [
        explore(host.machine, start, progress=progress, cancelled=cancelled, never_asked=never) for start in starts
    ]
    coverage = Coverage(graphs[0].coverage.totals)
    for graph in graphs:
        coverage.add_all(graph.coverage)
    return EntriesResult(tuple(findings_of(graph) for graph in graphs), coverage)


def scripts_from(
    found: EntriesResult, cancelled: Callable[[], bool] | None = None, max_iterations: int | None = None
) -> tuple[Generated, ...]:
    """Scripts that cover all that was found, entry by entry."""
    graphs = [each.graph for each in found.each if each.graph.refused is None]
    return tuple(chain.from_iterable(scripts_of(graph, cancelled, max_iterations).scripts for graph in graphs))


def tables(found: EntriesResult) -> Iterator[str]:
    """Line by line, entry by entry; then what all cover together and what none comes to.

    Nothing for the single entry from which no run can begin.
    """
    if len(found.each) == 1:
        if found.each[0].graph.refused is None:
            yield from table(found.each[0])
        return
    for each in found.each:
        yield from _table(each._replace(unreached=()))
        yield ""
    text = _("From all {count} entries together: {shares}")
    yield text.format(count=len(found.each), shares=", ".join(share_of(found.coverage, kind) for kind in KINDS))
    rows = [(edge_or_step(missed), missed.message) for missed in found.out_of_reach]
    if rows:
        yield ""
        yield _("Unreachable")
        yield from columns(rows)


def _table(found: ExploreResult) -> Iterator[str]:
    refused = found.graph.refused
    if refused is not None:
        yield refused.message
    else:
        yield from table(found)


def together_as_json(found: EntriesResult) -> dict[str, JsonValue]:
    """All of it for other programs: each entry as it is alone, and what they cover together."""
    agent = found.each[0].graph.machine.flow.agent_id
    return {
        "stepflow-exploration": VERSION,
        "agent": agent.value if agent else None,
        "entries": [as_json(each) for each in found.each],
        "coverage": coverage_json(found.coverage),
        "unreached": unreached_json(found.out_of_reach),
    }
