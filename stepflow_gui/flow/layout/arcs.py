"""The merged edges of a flow, from its moves alone."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from stepflow_gui.flow.layout.shapes import NodeId
from stepflow_gui.flow.model import Flow, Move
from stepflow_gui.flow.stages import stage_of, stages_of
from stepflow_gui.messages import _


class MergedEdge(NamedTuple):
    """All moves between two nodes."""

    source: NodeId
    target: NodeId
    moves: tuple[Move, ...]
    back: bool = False  # it goes against the flow: to an earlier stage, or closes a cycle


def node_of(flow: Flow, name: str) -> NodeId:
    """What a target's name refers to: a step, or a ghost if there is none."""
    return NodeId("step" if name in flow.steps else "ghost", name)


def asks_elsewhere(move: Move) -> bool:
    """Whether a move with another target goes back to its own step: the user is asked, then the step runs again."""
    return move.asks and move.target != move.step


def entry_keys(flow: Flow) -> dict[NodeId, list[str | None]]:
    """Verdict types by the node that they enter at, None for `entryStep`; those that only go on there are marked."""
    keys: dict[NodeId, list[str | None]] = {}
    for entry in flow.entries:
        if entry.target:
            key = _("{type} (continuation)").format(type=entry.key) if entry.continuation else entry.key
            keys.setdefault(node_of(flow, entry.target.value), []).append(key)
    return keys


def arcs_of(flow: Flow, ends: Iterable[NodeId]) -> tuple[list[NodeId], list[MergedEdge]]:
    """The nodes and merged edges. `ends` are those that are there: a step ends at the nearest one of its sub-flow.

    Where there is none, all steps of a sub-flow end at one that is named after the first of them.
    """
    moves_by_ends: dict[tuple[NodeId, NodeId | None, str], list[Move]] = {}
    for move in flow.moves():
        source = NodeId("step", move.step)
        target = None if move.target is None else node_of(flow, move.target)
        moves_by_ends.setdefault((source, target, move.end), []).append(move)
        if asks_elsewhere(move):
            moves_by_ends.setdefault((source, source, ""), []).append(move)
    end_of = _nearest_ends(flow, moves_by_ends, dict.fromkeys(end.name for end in ends))
    arcs = [
        MergedEdge(source, target or NodeId("end", end_of[source], end), tuple(moves))
        for (source, target, end), moves in moves_by_ends.items()
    ]
    nodes = dict.fromkeys(NodeId("step", step_id) for step_id in flow.steps)
    nodes.update(dict.fromkeys(arc.target for arc in arcs if arc.target.kind == "ghost"))
    nodes.update(dict.fromkeys(node for node in entry_keys(flow) if node.kind == "ghost"))
    nodes.update(dict.fromkeys(arc.target for arc in arcs if arc.target.kind == "end"))
    return list(nodes), _with_back(flow, list(nodes), arcs)


def _with_back(flow: Flow, nodes: list[NodeId], arcs: list[MergedEdge]) -> list[MergedEdge]:
    outgoing: dict[NodeId, list[int]] = {node: [] for node in nodes}
    entered: set[NodeId] = set()
    for number, arc in enumerate(arcs):
        outgoing[arc.source].append(number)
        if arc.source != arc.target:
            entered.add(arc.target)
    roots = [*entry_keys(flow), *(node for node in nodes if node not in entered), *nodes]
    back = set(closing_arcs(arcs, outgoing, roots))
    stages = stages_of(flow)

    def goes_back(number: int, arc: MergedEdge) -> bool:
        up = stage_of(arc.source, stages) - stage_of(arc.target, stages) if stages else 0
        return up > 0 or (up == 0 and number in back)

    return [arc._replace(back=goes_back(number, arc)) for number, arc in enumerate(arcs)]


def _nearest_ends(
    flow: Flow, moves_by_ends: Iterable[tuple[NodeId, NodeId | None, str]], names: Iterable[str]
) -> dict[NodeId, str]:
    """The name of the end that each step would go to, by the steps that ends are named after; a section has its own.

    What no entry goes to has none of its own: it is the first entry's.
    """
    sections = {NodeId("step", step.id) for step in flow.steps.values() if step.is_section}
    beside: dict[NodeId, list[NodeId]] = {NodeId("step", step_id): [] for step_id in flow.steps}
    for source, target, _end in moves_by_ends:
        if target is not None and not sections & {source, target}:
            beside.setdefault(source, []).append(target)
            beside.setdefault(target, []).append(source)
    found = {node: node.name for node in sections}
    named = {NodeId("step", name) for name in names} - sections
    known = [node for node in beside if node in named]  # in the order of the file
    entries = [node for node in entry_keys(flow) if node.kind == "step" and node not in sections]
    alone: list[NodeId] = []
    for starts in (known, *([node] for node in list(beside))):
        reached = _spread(starts, beside, found)
        if entries and starts is not known and not reached.intersection(entries):
            alone += reached
    found.update(dict.fromkeys(alone, found[entries[0]] if alone else ""))
    return found


def _spread(starts: Iterable[NodeId], beside: dict[NodeId, list[NodeId]], found: dict[NodeId, str]) -> set[NodeId]:
    """What is reached newly from some nodes; each has the name of the node that it is reached from."""
    waiting = deque(node for node in starts if node not in found)
    found.update((node, node.name) for node in waiting)
    reached = set(waiting)
    while waiting:
        node = waiting.popleft()
        for other in beside[node]:
            if other not in found:
                found[other] = found[node]
                reached.add(other)
                waiting.append(other)
    return reached


def closing_arcs(
    arcs: Sequence[MergedEdge], outgoing: Mapping[NodeId, Sequence[int]], roots: Iterable[NodeId]
) -> Iterator[int]:
    """The arcs that go to a node of the path being searched (depth first): reversing them breaks every cycle."""
    state: dict[NodeId, int] = {}  # 1 on the path, 2 done
    for root in roots:
        if root in state:
            continue
        state[root] = 1
        path = [(root, iter(outgoing[root]))]
        while path:
            node, rest = path[-1]
            for index in rest:
                target = arcs[index].target
                if target not in state:
                    state[target] = 1
                    path.append((target, iter(outgoing[target])))
                    break
                if state[target] == 1:
                    yield index
            else:
                state[node] = 2
                path.pop()
