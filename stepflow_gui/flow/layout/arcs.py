"""The merged edges of a flow, from its moves alone."""

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from stepflow_gui.flow.layout.shapes import Layout, NodeId
from stepflow_gui.flow.model import Flow, Move
from stepflow_gui.messages import _


class MergedEdge(NamedTuple):
    """All moves between two nodes."""

    source: NodeId
    target: NodeId
    moves: tuple[Move, ...]


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


def arcs_after(flow: Flow, before: Layout) -> tuple[list[NodeId], list[MergedEdge]]:
    """The nodes and merged edges, each step ending where it did before; one that didn't, at an end near to it."""
    moves_by_ends: dict[tuple[NodeId, NodeId | None, str], list[Move]] = {}
    for move in flow.moves():
        source = NodeId("step", move.step)
        target = None if move.target is None else node_of(flow, move.target)
        moves_by_ends.setdefault((source, target, move.end), []).append(move)
        if asks_elsewhere(move):
            moves_by_ends.setdefault((source, source, ""), []).append(move)
    ends = {route.source: route.target for route in before.routes if route.kind == "end"}
    ending = [source for source, target, _end in moves_by_ends if target is None]
    missing = [source for source in ending if source not in ends]
    if missing:
        ends.update(_near_ends(moves_by_ends, {source: ends[source] for source in ending if source in ends}, missing))
    arcs = [
        MergedEdge(source, target or ends[source]._replace(word=end), tuple(moves))
        for (source, target, end), moves in moves_by_ends.items()
    ]
    nodes = dict.fromkeys(NodeId("step", step_id) for step_id in flow.steps)
    nodes.update(dict.fromkeys(arc.target for arc in arcs if arc.target.kind == "ghost"))
    nodes.update(dict.fromkeys(node for node in entry_keys(flow) if node.kind == "ghost"))
    nodes.update(dict.fromkeys(arc.target for arc in arcs if arc.target.kind == "end"))
    return list(nodes), arcs


def _near_ends(
    moves_by_ends: Iterable[tuple[NodeId, NodeId | None, str]], ends: dict[NodeId, NodeId], missing: list[NodeId]
) -> dict[NodeId, NodeId]:
    """Of steps that newly end: the end of the nearest step of their sub-flow that has one, else one of their own."""
    beside: dict[NodeId, list[NodeId]] = {}
    for source, target, _end in moves_by_ends:
        if target is not None:
            beside.setdefault(source, []).append(target)
            beside.setdefault(target, []).append(source)
    found: dict[NodeId, NodeId] = {}
    for step in missing:
        seen = {step}
        waiting = deque([step])
        while waiting:
            node = waiting.popleft()
            end = ends.get(node) or found.get(node)
            if end:
                found[step] = end
                break
            new = [other for other in beside.get(node, ()) if other not in seen]
            seen.update(new)
            waiting.extend(new)
        found.setdefault(step, NodeId("end", step.name))
    return found
