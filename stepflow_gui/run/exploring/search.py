"""The search over the places of a flow, the nearest first: a graph of places with the arcs between them."""

from collections import deque
from collections.abc import Callable, Container, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rpds import HashTrieMap

from stepflow_gui.run.exploring.answer_options import AnswerOption, AnswerOptions, read_steps
from stepflow_gui.run.exploring.places import DEFAULT_CAPS, ExploreCaps, Place, Places
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import START, NotAsked, Outcome, Start, State, TraceEntry, Validated
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.run.scripts.coverage import Coverage, edge_of, totals_of
from stepflow_gui.text.json.tree import JsonValue

UNLIMITED = 10**9 - 1  # iterations, while exploring
_COUNTS = ("maxIterations", "maxChecks")
ANYWHERE = frozenset({"abort", "verdict", "limit"})  # kinds of ends that don't belong to a step
_TELLS_EVERY = 64  # places

if TYPE_CHECKING:
    Visits: TypeAlias = HashTrieMap[str, int]
else:
    Visits = HashTrieMap
"""How often each step was asked so far. States share what they have in common."""

NO_VISITS: Visits = HashTrieMap()

Progress = Callable[[int, int], None]
"""Called with how many places were explored and how many are known."""


Item = tuple[str | bool | None, ...]


class RunStop(NamedTuple):
    """A run stops here: the answer to `step` has no target."""

    error: RunError
    step: str | None


Goal = int | Outcome | RunStop
"""The target of an arc: the number of a place, an end, or an error."""


class PlaceEdge(NamedTuple):
    """An option of a place and its target. `covers`: what a run that follows it covers, see `covered_by`."""

    option: AnswerOption
    to: Goal
    covers: tuple[Item, ...] = ()


class SearchNode:
    """A place. `before` and `option` are how it is first reached: a shortest path, as the search is breadth-first."""

    __slots__ = ("arcs", "before", "iteration", "number", "option", "step", "waits_for")

    def __init__(self, number: int, state: State, before: "SearchNode | None", option: AnswerOption | None) -> None:
        checking = state.checking
        self.number = number
        self.step = state.step or ""
        self.iteration = state.iteration
        self.waits_for = state.waits if checking is None else checking.validation.validators[checking.position]
        self.before = before
        self.option = option
        self.arcs: list[PlaceEdge] = []

    def path(self) -> list[tuple["SearchNode", AnswerOption]]:
        """How the place is reached: each place on the path with what happens there."""
        found: list[tuple[SearchNode, AnswerOption]] = []
        node = self
        while node.before is not None and node.option is not None:
            found.append((node.before, node.option))
            node = node.before
        return found[::-1]


class Graph:
    """The result of a search. `nodes` are in the order in which they were found; `cut` is why it is incomplete.

    `machine` is the one that was given, `free` the same without its limits, which was explored.
    """

    __slots__ = ("by_place", "caps", "coverage", "cut", "free", "machine", "nodes", "refused", "start")

    def __init__(self, machine: Machine, free: Machine, start: Start, caps: ExploreCaps) -> None:
        self.caps = caps
        self.machine = machine
        self.free = free
        self.start = start
        self.nodes: list[SearchNode] = []
        self.by_place: dict[Place, SearchNode] = {}
        self.coverage = Coverage(totals_of(machine.flow, machine.era, machine.verdict))
        self.cut: str | None = None  # "places", "arcs" or "cancelled"
        self.refused: RunError | None = None  # why no run can begin

    def node_at(self, places: Places, state: State, visits: Visits) -> SearchNode | None:
        """The place of a state of some run; None where the search hasn't come there."""
        found = (self.by_place.get(place) for place in places.nearby(state, visits))
        return next((node for node in found if node is not None), None)

    def arcs(self) -> Iterator[tuple[SearchNode, PlaceEdge]]:
        """All arcs with their places, in the order in which they were found."""
        for node in self.nodes:
            for arc in node.arcs:
                yield node, arc


def explore(
    machine: Machine,
    start: Start | None = None,
    caps: ExploreCaps = DEFAULT_CAPS,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    never_asked: Mapping[str, NotAsked] = MappingProxyType({}),
) -> Graph:
    """Look at all places that a run of this machine can come to, beyond its limit of iterations as well.

    Linear in places and arcs, and deterministic. `cancelled` is checked at each place, `progress` called every 64; a
    search that is cancelled or cut by its caps is still a graph, with `cut` set. `never_asked` are steps whose
    output schema can't be resolved, see `Host.never_asked`.
    """
    free = freed(machine)
    start = start or usual_start(machine)
    graph = Graph(machine, free, start, caps)
    state, _effects = free.step(START, start)
    if state.error is not None and state.waits == "start":
        graph.refused = state.error
        return graph
    _Search(graph, never_asked).run(state, progress, cancelled)
    return graph


def covered_by(entry: TraceEntry) -> tuple[Item, ...]:
    """What an event covers: an edge, how a validator went, an end (of a kind, at a step), an error that stops a run."""
    event, error, ended = entry.event, entry.error, entry.outcome
    items: list[Item] = []
    edge = edge_of(entry)
    if edge is not None:
        items.append(("edge", *edge))
    if isinstance(event, Validated) and entry.validator is not None:
        items.append(("validator", entry.validator, event.passed))
    if error is not None:
        items.append(("stop", entry.step, error.kind, error.pointer))
    if ended is not None:
        items.append(("end", ended.kind, None if ended.kind in ANYWHERE else ended.step))
    return tuple(items)


def usual_start(machine: Machine, entry: str | None = None) -> Start:
    """A start with the parameters that an era refuses to begin without."""
    needs_issue = machine.verdict.type == "poll:state" and machine.era.load_errors != "reported"
    return Start(entry, {"issue": 1} if needs_issue else {})


def freed(machine: Machine) -> Machine:
    """The same machine without a limit of iterations or checks."""
    return limited(machine, UNLIMITED, _COUNTS)


def limited(machine: Machine, iterations: int, counts: tuple[str, ...] = _COUNTS[:1]) -> Machine:
    """The same machine with another limit."""
    return machine.with_verdict(_limited(machine.verdict, iterations, counts), iterations)


def _limited(verdict: Verdict, iterations: int, counts: tuple[str, ...]) -> Verdict:
    if verdict.type is None:
        return verdict
    config: dict[str, JsonValue] = {**verdict.config, **dict.fromkeys(counts, iterations)}
    conditions = config.get("conditions")
    if isinstance(conditions, list) and len(counts) > 1:
        config["conditions"] = [_limited_member(condition, iterations, counts) for condition in conditions]
    return Verdict(verdict.type, config, verdict.named)


def _limited_member(condition: JsonValue, iterations: int, counts: tuple[str, ...]) -> JsonValue:
    if not isinstance(condition, dict):
        return condition
    config = condition.get("config")
    return {
        **condition,
        "config": {**(config if isinstance(config, dict) else {}), **dict.fromkeys(counts, iterations)},
    }


class _Search:
    def __init__(self, graph: Graph, never_asked: Mapping[str, NotAsked]) -> None:
        self._graph = graph
        self._caps = graph.caps
        self._places = Places(graph.free, graph.caps)
        self._repertoire = AnswerOptions(graph.free, never_asked)
        self._kept = read_steps(graph.free)
        self._waiting: deque[tuple[SearchNode, State, Visits]] = deque()
        self._covers: dict[tuple[Item, ...], tuple[Item, ...]] = {}
        self._arcs = 0

    def run(self, state: State, progress: Progress | None, cancelled: Callable[[], bool] | None) -> None:
        graph = self._graph
        if state.error is not None:  # its first step can't be asked
            graph.refused = state.error
            return
        self._enter(state, counted(NO_VISITS, state), None, None)
        looked_at = 0
        while self._waiting and graph.cut is None:
            if cancelled is not None and cancelled():
                graph.cut = "cancelled"
                break
            if progress is not None and looked_at % _TELLS_EVERY == 0:
                progress(looked_at, len(graph.nodes))
            self._look(*self._waiting.popleft())
            looked_at += 1
        if progress is not None:
            progress(looked_at, len(graph.nodes))

    def _look(self, node: SearchNode, state: State, visits: Visits) -> None:
        graph, step = self._graph, self._graph.free.step
        for given in self._repertoire.at(state):
            after, _effects = step(state, given.event)
            after = without_context(state, after, self._kept)
            assert after.last is not None
            graph.coverage.add(after.last)
            covers = covered_by(after.last)
            covers = self._covers.setdefault(covers, covers)  # many arcs cover the same
            node.arcs.append(PlaceEdge(given, self._goal(node, given, state, after, visits), covers))
        self._arcs += len(node.arcs)
        if self._waiting and self._arcs >= self._caps.arcs:
            graph.cut = "arcs"

    def _goal(self, node: SearchNode, given: AnswerOption, before: State, after: State, visits: Visits) -> Goal:
        if after.outcome is not None:
            return after.outcome
        if after.error is not None:
            return RunStop(after.error, before.step)
        if after.iteration != before.iteration:
            visits = counted(visits, after)
        known = self._graph.by_place.get(self._places.of(after, visits))
        if known is not None:
            return known.number
        return self._enter(after, visits, node, given).number

    def _enter(self, state: State, visits: Visits, before: SearchNode | None, given: AnswerOption | None) -> SearchNode:
        graph = self._graph
        node = SearchNode(len(graph.nodes), state, before, given)
        graph.nodes.append(node)
        graph.by_place[self._places.of(state, visits)] = node
        self._waiting.append((node, state, visits))
        if len(graph.nodes) >= self._caps.places:
            graph.cut = "places"
        return node


def counted(visits: Visits, state: State) -> Visits:
    """The visits with that of the step which a state asks."""
    at = state.step or ""
    return visits.insert(at, visits.get(at, 0) + 1)


def without_context(before: State, after: State, kept: Container[str]) -> State:
    """The state after an event, without what its step left, unless that is among those that an input reads.

    Nothing that follows depends on it, and a context that only grows would be copied with each answer.
    """
    if before.step in kept or after.context is before.context:
        return after
    return after._replace(context=before.context)
