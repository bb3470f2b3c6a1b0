"""The graph under a layout: nodes with the moves between them, its sub-flows, back edges and ranks."""

from collections.abc import Iterable

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.flow.layout.arcs import MergedEdge, asks_elsewhere, closing_arcs, entry_keys, node_of
from stepflow_gui.flow.layout.shapes import NodeId
from stepflow_gui.flow.model import Flow, Move
from stepflow_gui.flow.reach import Graph, islands, turned

Edges = dict[NodeId, dict[NodeId, list[Move]]]  # by source and target


class SubFlow:
    """A sub-flow: nodes that hang together, with its ends."""

    __slots__ = ("arcs", "back", "nodes", "rank")

    def __init__(self, nodes: list[NodeId], arcs: list[MergedEdge]) -> None:
        self.nodes = nodes  # in file order, ghosts and the end last
        self.arcs = arcs  # no loops
        self.back: list[bool] = []  # for each arc: whether it goes against the flow
        self.rank: dict[NodeId, int] = {}  # the layer, from 0 at the top


class FlowGraph:
    """A flow as nodes and merged edges. `arcs` has all of them, loops and those of section steps included."""

    __slots__ = ("arcs", "nodes", "parts", "sections")

    def __init__(
        self, nodes: list[NodeId], arcs: list[MergedEdge], parts: list[SubFlow], sections: list[NodeId]
    ) -> None:
        self.nodes = nodes
        self.arcs = arcs
        self.parts = parts
        self.sections = sections


def graph_of(flow: Flow) -> Edges:
    """The flow as a graph: steps and ghosts, with the moves from one to another.

    Moves to an end are edges to an end node of their sub-flow, one for each that the format names; what no entry goes
    to ends where the first entry's sub-flow does. Where a move asks the user, there is a loop besides: the step runs
    again.
    """
    graph: Edges = {NodeId("step", step_id): {} for step_id in flow.steps}
    ending: list[Move] = []
    for move in flow.moves():
        checkpoint()
        if move.target is None:
            ending.append(move)
        else:
            _connect(graph, move, node_of(flow, move.target))
        if asks_elsewhere(move):
            _connect(graph, move, NodeId("step", move.step))
    for entry in flow.entries:
        if entry.target:
            graph.setdefault(node_of(flow, entry.target.value), {})
    end_of: dict[NodeId, NodeId] = {}
    entered = [node for node in entry_keys(flow) if node.kind == "step" and not flow.steps[node.name].is_section]
    alone: list[NodeId] = []  # what no run gets to: it has no end of its own
    for members in islands(_without_sections(flow, graph)):
        if entered and not set(members).intersection(entered):
            alone += members
        else:
            end_of.update(dict.fromkeys(members, NodeId("end", members[0].name)))
    if alone:
        end_of.update(dict.fromkeys(alone, end_of[entered[0]]))
    for move in ending:
        source = NodeId("step", move.step)
        _connect(graph, move, end_of.get(source, NodeId("end", move.step))._replace(word=move.end))
    return graph


def flow_graph(flow: Flow) -> FlowGraph:
    """The flow's nodes and merged edges, in sub-flows with back edges and ranks."""
    graph = graph_of(flow)
    arcs = [
        MergedEdge(source, target, tuple(moves))
        for source, targets in graph.items()
        for target, moves in targets.items()
    ]
    parts = []
    part_of: dict[NodeId, SubFlow] = {}
    for members in islands(_without_sections(flow, graph)):
        part = SubFlow(members, [])
        parts.append(part)
        part_of.update(dict.fromkeys(part.nodes, part))
    for arc in arcs:
        checkpoint()
        if arc.source != arc.target and arc.source in part_of and arc.target in part_of:
            part_of[arc.source].arcs.append(arc)
    wanted: dict[SubFlow, list[NodeId]] = {}
    for node in entry_keys(flow):
        if node in part_of:
            wanted.setdefault(part_of[node], []).append(node)
    for part in parts:
        rank(part, wanted.get(part, []))
    in_order = [*wanted, *(part for part in parts if part not in wanted)]
    sections = [node for node in graph if node not in part_of]
    return FlowGraph(list(graph), arcs, in_order, sections)


def rank(part: SubFlow, entries: list[NodeId]) -> None:
    """Give each node of a sub-flow its layer and mark the arcs that go back."""
    outgoing: dict[NodeId, list[int]] = {node: [] for node in part.nodes}
    arrivals = dict.fromkeys(part.nodes, 0)
    for index, arc in enumerate(part.arcs):
        outgoing[arc.source].append(index)
        arrivals[arc.target] += 1
    roots = [*entries, *(node for node in part.nodes if not arrivals[node]), *part.nodes]
    part.back = [False] * len(part.arcs)
    for index in closing_arcs(part.arcs, outgoing, roots):
        part.back[index] = True
    below: dict[NodeId, dict[NodeId, None]] = {node: {} for node in part.nodes}
    for arc, back in zip(part.arcs, part.back, strict=True):
        checkpoint()
        source, target = (arc.target, arc.source) if back else (arc.source, arc.target)
        below[source][target] = None
    downward = Downward({node: list(targets) for node, targets in below.items()})
    order = {node: index for index, node in enumerate(part.nodes)}
    layers = [sorted(layer, key=order.__getitem__) for layer in downward.layers()]
    part.rank = {node: number for number, layer in enumerate(layers) for node in layer}
    ordered = [node for layer in layers for node in layer]
    fixed = set(entries) or set(roots[:1])
    _let_down(part, downward, ordered, fixed)
    _tighten(part, downward, ordered, fixed)


class Downward:
    """The edges of a sub-flow that go with the flow, by what is below a node and what is above it."""

    __slots__ = ("above", "below")

    def __init__(self, below: Graph[NodeId]) -> None:
        self.below = below
        self.above = turned(below)

    def layers(self) -> Iterable[list[NodeId]]:
        """The nodes by the longest path to them, those that nothing is above first."""
        waits_for = {node: len(above) for node, above in self.above.items()}
        layer = [node for node, count in waits_for.items() if not count]
        while layer:
            yield layer
            following = []
            for node in layer:
                for other in self.below[node]:
                    waits_for[other] -= 1
                    if not waits_for[other]:
                        following.append(other)
            layer = following


def _let_down(part: SubFlow, downward: Downward, ordered: list[NodeId], fixed: set[NodeId]) -> None:
    """Move nodes that no entry reaches next to their targets, instead of to the top."""
    reached = set(fixed)
    for node in ordered:
        if not reached.isdisjoint(downward.above[node]):
            reached.add(node)
    for node in reversed(ordered):
        below = [part.rank[other] for other in downward.below[node]]
        if below and node not in reached:
            part.rank[node] = min(below) - 1


def _tighten(part: SubFlow, downward: Downward, ordered: list[NodeId], fixed: set[NodeId]) -> None:
    # Longest paths leave every node as high as it can be: let down those whose edges get shorter by it.
    ranks = part.rank
    for _ in range(2):
        for node in reversed(ordered):
            below = [ranks[other] for other in downward.below[node]]
            above = [ranks[other] for other in downward.above[node]]
            if below and node not in fixed and len(below) > len(above):
                ranks[node] = max(ranks[node], min(below) - 1)
        for node in ordered:
            above = [ranks[other] for other in downward.above[node]]
            below = [ranks[other] for other in downward.below[node]]
            if above and len(above) > len(below):
                ranks[node] = max(above) + 1


def _connect(graph: Edges, move: Move, target: NodeId) -> None:
    graph.setdefault(target, {})
    graph[NodeId("step", move.step)].setdefault(target, []).append(move)


def _without_sections(flow: Flow, graph: Edges) -> Graph[NodeId]:
    sections = {NodeId("step", step.id) for step in flow.steps.values() if step.is_section}
    return {
        node: [other for other in targets if other not in sections]
        for node, targets in graph.items()
        if node not in sections
    }
