"""Paths to what a search has found, played on the machine itself, limits included; what they share is played once."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from stepflow_gui.run.exploring.answer_options import AnswerOption, read_steps
from stepflow_gui.run.exploring.playing import PlayablePath, Player, StepRun, arrived, is_over
from stepflow_gui.run.exploring.search import UNLIMITED, Graph, SearchNode, limited, without_context
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.state import START, State


class Destination(NamedTuple):
    """A place of a search, and what happens there; without an option the place alone.

    `wanted`: the outcome or error that it comes to.
    """

    node: SearchNode
    option: AnswerOption | None = None
    wanted: object = None


class _Reached(NamedTuple):
    """A run at a place, and the steps that it has come to."""

    state: State
    runs: StepRun | None


def routes_to(graph: Graph, destinations: Sequence[Destination]) -> list[PlayablePath]:
    """The shortest path to each. Linear in places and destinations, but for lines and events, which come when asked."""
    own, far = graph.machine, limited(graph.machine, UNLIMITED)
    within = [each for each in destinations if each.node.iteration <= own.config.limit]
    beyond = [each for each in destinations if each.node.iteration > own.config.limit]
    routes = {False: iter(_routes(graph, own, within)), True: iter(_routes(graph, far, beyond))}
    return [next(routes[each.node.iteration > own.config.limit]) for each in destinations]


def _routes(graph: Graph, machine: Machine, destinations: Sequence[Destination]) -> list[PlayablePath]:
    """The same on a machine. Its state at a place is kept until all that comes after it was played."""
    here = defaultdict[int, list[int]](list)  # place -> the destinations that are played from it
    following = Counter[int]()
    places: set[int] = set()
    for at, destination in enumerate(destinations):
        place = _played_from(graph, destination)
        here[place.number].append(at)
        while place.number not in places:
            places.add(place.number)
            if place.before is None:
                break
            following[place.before.number] += 1
            place = place.before
    kept_steps, kept = read_steps(machine), dict[int, _Reached]()
    found: dict[int, PlayablePath] = {}
    for number in sorted(places):  # those before a place have smaller numbers
        node = graph.nodes[number]
        if node.before is None or node.option is None:
            state, _effects = machine.step(START, graph.start)
            reached = _Reached(state, None if state.waits == "start" else arrived(None, state.step or ""))
        else:
            before = node.before.number
            reached = _after(machine, kept[before], node.option, kept_steps)
            following[before] -= 1
            if not following[before]:
                del kept[before]
        if following[number]:
            kept[number] = reached
        for at in here[number]:
            found[at] = _route(graph, destinations[at], reached, node, kept_steps)
    return [found[at] for at in range(len(destinations))]


def _played_from(graph: Graph, destination: Destination) -> SearchNode:
    """The place up to which all do the same: a limit that has to be raised is that of the last iteration."""
    place = destination.node
    if place.iteration > graph.machine.config.limit:
        while place.before is not None and place.before.iteration == destination.node.iteration:
            place = place.before
    return place


def _after(machine: Machine, reached: _Reached, option: AnswerOption, kept: frozenset[str]) -> _Reached:
    before, runs = reached
    if is_over(before):
        return reached
    after, _effects = machine.step(before, option.event)
    if after.iteration != before.iteration:
        runs = arrived(runs, after.step or "")
    return _Reached(without_context(before, after, kept), runs)


def _route(
    graph: Graph, destination: Destination, reached: _Reached, place: SearchNode, kept: frozenset[str]
) -> PlayablePath:
    node, option, wanted = destination
    limit = None if node.iteration <= graph.machine.config.limit else node.iteration
    machine = graph.machine if limit is None else limited(graph.machine, limit)
    rest = [] if option is None else [option]
    while node is not place and node.before is not None and node.option is not None:
        rest.append(node.option)
        node = node.before
    for each in reversed(rest):
        reached = _after(machine, reached, each, kept)
    came = reached.state.outcome or reached.state.error

    def play() -> Player:
        player = Player(machine, graph.start)
        player.answer_all([*(each for _node, each in destination.node.path()), *([] if option is None else [option])])
        return player

    return PlayablePath(destination.node.iteration, reached.runs, play, limit, plays=came == wanted)
