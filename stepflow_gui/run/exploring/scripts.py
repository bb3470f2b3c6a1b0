"""Scripts that cover together all that a search has reached: each starts over and takes what is nearest and open.

Greedy over edges, validators passing and failing, ends and errors: from the script's place, the nearest path that
covers something new and can still reach an end within the limit; else the shortest path to an end. Where there is
none, or more iterations are needed than the agent allows, the script sets its own limit. What it is to cover, and what
it expects, is what happened when it was played on the machine itself.
"""

import json
from collections import deque
from collections.abc import Callable, Mapping
from typing import NamedTuple

from stepflow_gui.formats.climpt.eras import GUIDE
from stepflow_gui.messages import _
from stepflow_gui.run.exploring.answer_options import CHECKED
from stepflow_gui.run.exploring.places import Places
from stepflow_gui.run.exploring.playing import Line, Player
from stepflow_gui.run.exploring.search import Graph, Item, PlaceEdge, covered_by, limited
from stepflow_gui.run.machine.state import State, TraceEntry
from stepflow_gui.run.scripts.coverage import Coverage, Edge
from stepflow_gui.text.json.tree import JsonValue

_FAR = 10**9
_MOST = 1_000  # scripts


class Generated(NamedTuple):
    """A script as generated: its settings with what is expected, its lines, and how it went."""

    settings: Mapping[str, JsonValue]
    lines: tuple[Line, ...]
    trace: tuple[TraceEntry, ...]

    @property
    def text(self) -> str:
        """As a file of JSON Lines, the settings first."""
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (self.settings, *self.lines))


class Scripts(NamedTuple):
    """All scripts with what they cover together. `rest`: edges that were reached, but that no script goes."""

    scripts: tuple[Generated, ...]
    coverage: Coverage
    rest: tuple[Edge, ...]


def scripts_of(graph: Graph, cancelled: Callable[[], bool] | None = None, max_iterations: int | None = None) -> Scripts:
    """Generate them, the same every time, 1,000 at most. `max_iterations`: the limit where it isn't the agent's."""
    coverage = Coverage(graph.coverage.totals)
    found: list[Generated] = []
    writing = _Writing(graph)
    while len(found) < _MOST and not (cancelled is not None and cancelled()):
        player = writing.next()
        if player is None:
            break
        found.append(_generated(graph, player, len(found) + 1, max_iterations))
        coverage.add_run(player.trace)
    rest = (edge for edge in graph.coverage.totals.edges if graph.coverage.edges[edge] and not coverage.edges[edge])
    return Scripts(tuple(found), coverage, tuple(rest))


class _Writing:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._places = Places(graph.free, graph.caps)
        self._edges = _edges(graph)
        self._far, self._homeward = _homes(self._edges)
        edges = {("edge", *edge) for edge in graph.coverage.totals.edges}
        every = {item for arcs in self._edges for arc in arcs for item in arc.covers}
        self._open = {item for item in every if item[0] != "edge" or item in edges}

    def next(self) -> Player | None:
        """The run of the next script; None where nothing is open any more that can be covered."""
        while self._open:
            own = self._graph.machine.config.limit
            limit = next((limit for limit in (own, _FAR) if self._nearest(0, limit, 0, frozenset())), None)
            if limit is None:
                return None
            player, aim = self._play(limit)
            covered = {item for entry in player.trace for item in covered_by(entry)} & self._open
            self._open -= covered
            if covered:
                return player
            self._open -= aim  # it comes out otherwise than in the search, so no script can
        return None

    def _play(self, limit: int) -> tuple[Player, set[Item]]:
        """A run as far as it covers something new, then to an end; and what it was to cover first."""
        graph = self._graph
        player = Player(graph.machine if limit < _FAR else graph.free, graph.start)
        taken: set[Item] = set()
        aim: set[Item] = set()
        while not player.over:
            node = graph.node_at(self._places, player.state, player.visits)
            if node is None:
                break
            answered = _answered(player.state)
            course = self._nearest(node.number, limit, answered, taken, on=True)
            course = course or self._nearest(node.number, limit, answered, taken)
            if course is None:
                home = self._homeward[node.number]
                if home is None and player.state.waits != "validator":
                    break
                course = [(node.number, home or self._edges[node.number][0])]
            elif not aim:
                aim = set(course[-1][1].covers)
            self._follow(player, course, taken)
        if player.over and limit < _FAR:
            return player, aim
        needed = max(_answered(player.state) + (player.state.error is not None), 1)
        again = Player(limited(graph.machine, needed), graph.start)
        again.limit = needed
        again.answer_all(player.options)
        return again, aim

    def _follow(self, player: Player, course: list[tuple[int, PlaceEdge]], taken: set[Item]) -> None:
        """Follow a path as long as the run reaches the same places as the search."""
        for at, arc in course:
            node = None if player.over else self._graph.node_at(self._places, player.state, player.visits)
            if node is None or node.number != at:
                return
            player.give(arc.option)
            if player.trace:
                taken.update(covered_by(player.trace[-1]))

    def _nearest(
        self, start: int, limit: int, answered: int, taken: set[Item] | frozenset[Item], *, on: bool = False
    ) -> list[tuple[int, PlaceEdge]] | None:
        """The shortest path that covers something new and can reach an end within the limit of iterations.

        `on`: the run has to go on after it.
        """
        fresh = self._open - taken
        before: dict[int, tuple[int, PlaceEdge] | None] = {start: None}
        waiting = deque([(start, answered)])
        while waiting:
            number, spent = waiting.popleft()
            for arc in self._edges[number]:
                after = spent + _cost(arc)
                if after > limit:
                    continue
                fits = (not on or isinstance(arc.to, int)) and after + self._distance_home(arc) <= limit
                if fits and not fresh.isdisjoint(arc.covers):
                    return _traced(before, number, arc)
                if isinstance(arc.to, int) and arc.to not in before:
                    before[arc.to] = number, arc
                    waiting.append((arc.to, after))
        return None

    def _distance_home(self, arc: PlaceEdge) -> int:
        """How many answers an end is away; 0 where there is none, as the limit can end a run anywhere."""
        far = self._far[arc.to] if isinstance(arc.to, int) else 0
        return 0 if far == _FAR else far


def _edges(graph: Graph) -> list[list[PlaceEdge]]:
    """The arcs of each place that scripts may go: sound answers in their own words; others only for edges of their own.

    The fulfilled verdict is for its end alone.
    """
    own = {item for _node, arc in graph.arcs() if arc.option.kind not in {"broken", "word"} for item in arc.covers}
    edges_of_place: list[list[PlaceEdge]] = []
    for node in graph.nodes:
        chosen: dict[tuple[object, ...], PlaceEdge] = {}
        for arc in node.arcs:
            covers = arc.covers
            if arc.option.kind in {"broken", "word"}:
                covers = tuple(item for item in covers if item[0] == "edge" and item not in own)
                if not covers:
                    continue
            to = arc.to if isinstance(arc.to, int) else -1
            chosen.setdefault((to, covers), PlaceEdge(arc.option, arc.to, covers))
        edges_of_place.append(list(chosen.values()))
    return edges_of_place


def _homes(edges_of_place: list[list[PlaceEdge]]) -> tuple[list[int], list[PlaceEdge | None]]:
    """How many answers each place is from an end of the flow itself, and the arc that goes there."""
    far, homeward = [_FAR] * len(edges_of_place), list[PlaceEdge | None]([None] * len(edges_of_place))
    back: list[list[tuple[int, PlaceEdge]]] = [[] for _each in edges_of_place]
    waiting: deque[int] = deque()
    for number, arcs in enumerate(edges_of_place):
        for arc in arcs:
            if isinstance(arc.to, int):
                back[arc.to].append((number, arc))
            elif _is_home(arc) and _cost(arc) < far[number]:
                far[number], homeward[number] = _cost(arc), arc
        if homeward[number] is not None:
            waiting.append(number)
    while waiting:
        number = waiting.popleft()
        for source, arc in back[number]:
            if far[number] + _cost(arc) < far[source]:
                far[source], homeward[source] = far[number] + _cost(arc), arc
                waiting.append(source)
    return far, homeward


def _is_home(arc: PlaceEdge) -> bool:
    return any(item[0] == "end" and item[1] not in {"abort", "verdict"} for item in arc.covers)


def _cost(arc: PlaceEdge) -> int:
    """How many iterations an arc uses up."""
    return 0 if arc.option.kind == "validator" or arc.option in CHECKED else 1


def _answered(state: State) -> int:
    """How many iterations are behind a run: the one that runs isn't until it is answered."""
    return state.iteration - (state.waits in {"answer", "program"} and state.outcome is None)


def _traced(
    before: Mapping[int, tuple[int, PlaceEdge] | None], number: int, arc: PlaceEdge
) -> list[tuple[int, PlaceEdge]]:
    course = [(number, arc)]
    while (step := before[course[-1][0]]) is not None:
        course.append(step)
    return course[::-1]


def _generated(graph: Graph, player: Player, number: int, max_iterations: int | None) -> Generated:
    state = player.state
    answered = [entry.step for entry in player.trace if entry.is_visit]
    expect: dict[str, JsonValue] = {"path": list(answered)}
    if state.outcome is not None:
        ended = state.outcome
        expect |= {"end": {"kind": ended.kind, "step": ended.step}, "success": ended.success}
        title = _("{number}. {kind} at {step}").format(number=number, kind=ended.kind, step=ended.step)
    else:
        kind = state.error.kind if state.error else ""
        expect["end"] = {"error": kind}
        title = _("{number}. stops at {step}: {kind}").format(number=number, step=state.step, kind=kind)
    settings: dict[str, JsonValue] = {"title": title}
    if graph.start.entry is not None:
        settings["entry"] = graph.start.entry
    if graph.start.args:
        settings["args"] = dict(graph.start.args)
    if graph.machine.era.name != GUIDE.name:
        settings["era"] = graph.machine.era.name
    limit = player.limit or max_iterations
    if limit is not None:
        settings["maxIterations"] = limit
    settings["expect"] = expect
    return Generated(settings, tuple(player.lines), tuple(player.trace))
