"""The findings of a search, for people: ends with the shortest path, loops, dead ends, what is unreachable and why."""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from stepflow_gui.flow.model import Move, moves_of
from stepflow_gui.flow.reach import knots, reached, turned
from stepflow_gui.messages import _
from stepflow_gui.run.exploring.longest_run import COUNTED, lasting
from stepflow_gui.run.exploring.playing import NOTHING_PLAYED, PlayablePath, in_short
from stepflow_gui.run.exploring.routes import Destination, routes_to
from stepflow_gui.run.exploring.search import ANYWHERE, Graph, PlaceEdge, RunStop, SearchNode
from stepflow_gui.run.machine.choices import Choice, choices
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import EndKind, Outcome
from stepflow_gui.run.scripts.coverage import Coverage, Edge, lists

_NAMED = 3  # steps that a sentence lists
EndedBy = Literal["verdict", "validation", "error", "limit"]


class ReachedEnd(NamedTuple):
    """A kind of end at one step; an abort, verdict or limit at any step counts as one end."""

    kind: EndKind
    steps: tuple[str, ...]  # at which it comes
    outcome: Outcome  # of the shortest
    route: PlayablePath


class FoundLoop(NamedTuple):
    """Steps that target each other and never reach an end. `ended_by`: the only exits of a run; "limit" is none."""

    steps: tuple[str, ...]
    ended_by: EndedBy
    route: PlayablePath  # into it


class DeadEnd(NamedTuple):
    """An answer after which a run can't go on. `error` has the reason, and the pointer to it."""

    step: str
    answer: str
    error: RunError
    route: PlayablePath


class Unreached(NamedTuple):
    """A step or an edge that no run comes to, and why."""

    step: str
    edge: Edge | None
    why: str  # cut, other_entry, no_way, behind_unreached, not_takeable, unlisted, refused, error, blocked
    message: str


class Broken(NamedTuple):
    """The effect of a broken answer to a step: it stops the run, ends it, or goes on to `to`."""

    step: str
    flaw: str
    result: Literal["stops", "ends", "goes_on"]
    to: str | None = None
    error: str | None = None  # its kind


class ExploreResult(NamedTuple):
    """All that a search found."""

    graph: Graph
    coverage: Coverage
    ends: tuple[ReachedEnd, ...]
    loops: tuple[FoundLoop, ...]
    dead_ends: tuple[DeadEnd, ...]
    unreached: tuple[Unreached, ...]
    broken: tuple[Broken, ...]

    @property
    def out_of_reach(self) -> tuple[Unreached, ...]:
        """What is unreached without being reported as a dead end."""
        return tuple(each for each in self.unreached if each.why != "error")

    @property
    def complete(self) -> bool:
        """Whether all was checked."""
        return self.graph.cut is None


def findings_of(graph: Graph) -> ExploreResult:
    """Evaluate the search. Linear in the graph."""
    return ExploreResult(
        graph,
        graph.coverage,
        tuple(_ends(graph)),
        tuple(_loops(graph)),
        tuple(_dead_ends(graph)),
        tuple(_unreached(graph)),
        tuple(_broken(graph)),
    )


def _ends(graph: Graph) -> Iterator[ReachedEnd]:
    found: dict[tuple[str, str], tuple[SearchNode, PlaceEdge]] = {}
    steps: dict[tuple[str, str], dict[str, None]] = {}
    for node, arc in graph.arcs():
        outcome = arc.to
        if not isinstance(outcome, Outcome):
            continue
        key: tuple[str, str] = outcome.kind, "" if outcome.kind in ANYWHERE else outcome.step
        steps.setdefault(key, {})[outcome.step] = None
        known = found.get(key)
        if known is None or _is_nearer(node, arc, *known):
            found[key] = node, arc
    routes = iter(routes_to(graph, [Destination(node, arc.option, arc.to) for node, arc in found.values()]))
    for key, (_node, arc) in found.items():
        assert isinstance(arc.to, Outcome)
        yield ReachedEnd(arc.to.kind, tuple(steps[key]), arc.to, next(routes))
    last = lasting(graph)
    if last is not None:
        outcome, route = last
        yield ReachedEnd(outcome.kind, (outcome.step,), outcome, route)


def _is_nearer(node: SearchNode, arc: PlaceEdge, known: SearchNode, before: PlaceEdge) -> bool:
    """Whether an arc shows an end better: sound answers before broken ones, then the shorter path."""
    return (not arc.option.sound, node.iteration) < (not before.option.sound, known.iteration)


def _loops(graph: Graph) -> Iterator[FoundLoop]:
    """The knots of places from which no answer that keeps to the schema reaches an end of the flow's own."""
    own: dict[int, list[int]] = {node.number: [] for node in graph.nodes}
    ending: dict[int, None] = {}
    leaving: dict[EndedBy, dict[int, None]] = {"verdict": {}, "validation": {}, "error": {}}
    for node, arc in graph.arcs():
        by = _ended_by(graph, node, arc)
        if isinstance(arc.to, int):
            if arc.option.sound and arc.option.kind != "verdict":
                own[node.number].append(arc.to)
        elif by == "own":
            ending[node.number] = None
        elif by is not None:
            leaving[by][node.number] = None
    for numbers in own.values():
        numbers[:] = dict.fromkeys(numbers)
    back = turned(own)
    free = reached(ending, back)
    ways_out = {by: reached(nodes, back) for by, nodes in leaving.items()}
    seen: set[frozenset[str]] = set()
    caught = [node for node in graph.nodes if node.number not in free]
    firsts = {node.step: node for node in reversed(caught)}
    found: list[tuple[list[str], EndedBy, SearchNode]] = []
    order = {step: at for at, step in enumerate(graph.machine.flow.steps)}
    for part in knots(own) if graph.cut is None else ():
        if part[0] in free or (len(part) == 1 and part[0] not in own[part[0]]):
            continue
        steps = sorted({graph.nodes[number].step for number in part}, key=lambda step: order.get(step, len(order)))
        if frozenset(steps) in seen:
            continue
        seen.add(frozenset(steps))
        first = min((firsts[step] for step in steps), key=lambda node: node.number)
        last: EndedBy = "verdict" if graph.machine.verdict.type in COUNTED else "limit"
        out: EndedBy = next((each for each, nodes in ways_out.items() if part[0] in nodes), last)
        found.append((steps, out, first))
    routes = routes_to(graph, [Destination(first) for _steps, _out, first in found])
    for (steps, out, _first), route in zip(found, routes, strict=True):
        yield FoundLoop(tuple(steps), out, route)


def _ended_by(graph: Graph, node: SearchNode, arc: PlaceEdge) -> EndedBy | Literal["own"] | None:
    """The kind of end that an arc goes to; None where it goes on, or ends a run as any step could."""
    goal = arc.to
    if not arc.option.sound or isinstance(goal, int):
        return None
    if isinstance(goal, RunStop):
        return "error"
    match goal.kind:
        case "verdict":
            return "verdict"
        case "validation":
            return "validation"
        case "abort":
            step = graph.machine.flow.steps.get(node.step)
            return "own" if step is not None and lists(step, "abort") else None
    return "own"


def _dead_ends(graph: Graph) -> Iterator[DeadEnd]:
    if graph.refused is not None:
        yield DeadEnd(graph.refused.step or "", "", graph.refused, NOTHING_PLAYED)
    found: dict[tuple[str, str, str | None, str], tuple[SearchNode, PlaceEdge, RunError]] = {}
    for node, arc in graph.arcs():
        if isinstance(arc.to, RunStop) and arc.option.sound and arc.option.kind != "word":
            error = arc.to.error
            found.setdefault((node.step, error.kind, error.pointer, in_short(arc.option)), (node, arc, error))
    routes = routes_to(graph, [Destination(node, arc.option, error) for node, arc, error in found.values()])
    for (step, _kind, _pointer, answer), (_node, _arc, error), route in zip(found, found.values(), routes, strict=True):
        yield DeadEnd(step, answer, error, route)


def _broken(graph: Graph) -> Iterator[Broken]:
    seen: set[Broken] = set()
    for node, arc in graph.arcs():
        if arc.option.flaw is None:
            continue
        match arc.to:
            case Outcome():
                found = Broken(node.step, arc.option.flaw, "ends")
            case RunStop(error=error):
                found = Broken(node.step, arc.option.flaw, "stops", error=error.kind)
            case number:
                found = Broken(node.step, arc.option.flaw, "goes_on", graph.nodes[number].step)
        if found not in seen:
            seen.add(found)
            yield found


def _unreached(graph: Graph) -> Iterator[Unreached]:
    if graph.cut is not None or graph.refused is not None:
        return
    flow, coverage = graph.machine.flow, graph.coverage
    missing = dict.fromkeys(coverage.missing_steps)
    incoming: dict[str, list[Move]] = {}
    for move in flow.moves():
        if move.target is not None and move.step != move.target:
            incoming.setdefault(move.target, []).append(move)
    entries: dict[str, list[str]] = {}
    for entry in flow.entries:
        if entry.target:
            entries.setdefault(entry.target.value, []).append(entry.key or "entryStep")
    for missed in missing:
        keys = entries.get(missed, [])
        yield Unreached(missed, None, *_why_step(graph, keys, incoming.get(missed, []), missing))
    open_edges: dict[str, list[Edge]] = {}
    for edge in coverage.missing_edges:
        open_edges.setdefault(edge.step, []).append(edge)
    for step_id, step in flow.steps.items():
        if step_id in missing or step.is_section:
            continue
        offered = {(choice.intent, choice.pick.case): choice for choice in choices(flow, step_id, graph.machine.era)}
        declared = [Edge(step_id, move.intent, move.case) for move in moves_of(step)]
        for edge in dict.fromkeys([*declared, *open_edges.get(step_id, ())]):
            if not coverage.edges[edge]:
                yield Unreached(step_id, edge, *_why_edge(edge, offered.get((edge.intent, edge.case))))


def _why_step(graph: Graph, keys: Sequence[str], moves: Iterable[Move], missed: Container[str]) -> tuple[str, str]:
    coverage = graph.coverage
    if keys:
        message = _("Only runs that begin at it come here: it is the entry of {keys}.")
        return "other_entry", message.format(keys=", ".join(keys))
    sources = dict.fromkeys(move.step for move in moves)
    if not sources:
        return "no_way", _("No transition goes here.")
    if all(source in missed for source in sources):
        message = _("Only unreachable steps go here: {steps}.")
        named = [*sources][:_NAMED] + ["…"] * (len(sources) > _NAMED)
        return "behind_unreached", message.format(steps=", ".join(named))
    taken = [move for move in moves if move.step not in missed]
    unused = next((move for move in taken if not coverage.edges[Edge(move.step, move.intent, move.case)]), taken[0])
    message = _("“{intent}” of {step} would go here, but no answer takes that transition.")
    return "not_takeable", message.format(intent=unused.intent, step=unused.step)


def _why_edge(edge: Edge, choice: Choice | None) -> tuple[str, str]:
    if choice is None:
        message = _("allowedIntents of {step} doesn't list “{intent}”.")
        return "unlisted", message.format(step=edge.step, intent=edge.intent)
    if choice.refusal is not None:
        return "refused", choice.refusal
    if isinstance(choice.transition, RunError):
        return "error", choice.transition.message
    return "blocked", _("No run gets past what comes before this transition, such as its validators.")
