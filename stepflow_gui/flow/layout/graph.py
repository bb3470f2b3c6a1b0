"""The graph under a layout, on networkx: a MultiDiGraph keyed by intent, its sub-flows, back edges and ranks."""

from typing import TYPE_CHECKING

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.flow.layout.arcs import MergedEdge, asks_elsewhere, closing_arcs, entry_keys, node_of
from stepflow_gui.flow.layout.shapes import NodeId
from stepflow_gui.flow.model import Flow, Move

if TYPE_CHECKING:
    import networkx as nx

    Edges = nx.MultiDiGraph[NodeId]


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


def graph_of(flow: Flow) -> "Edges":
    """The flow as a networkx graph: steps and ghosts, one edge a move, keyed by intent, case and ordinal.

    Moves to an end are edges to an end node of their sub-flow, one for each that the format names; what no entry goes
    to ends where the first entry's sub-flow does. Where a move asks the user, there is a loop besides: the step runs
    again.
    """
    import networkx as nx

    graph: Edges = nx.MultiDiGraph()
    graph.add_nodes_from(NodeId("step", step_id) for step_id in flow.steps)
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
            graph.add_node(node_of(flow, entry.target.value))
    order = {node: index for index, node in enumerate(graph)}
    end_of: dict[NodeId, NodeId] = {}
    entered = [node for node in entry_keys(flow) if node.kind == "step" and not flow.steps[node.name].is_section]
    alone: list[NodeId] = []  # what no run gets to: it has no end of its own
    for members in nx.weakly_connected_components(_without_sections(flow, graph)):
        if entered and not members.intersection(entered):
            alone += members
        else:
            end_of.update(dict.fromkeys(members, NodeId("end", min(members, key=order.__getitem__).name)))
    if alone:
        end_of.update(dict.fromkeys(alone, end_of[entered[0]]))
    for move in ending:
        source = NodeId("step", move.step)
        _connect(graph, move, end_of.get(source, NodeId("end", move.step))._replace(word=move.end))
    return graph


def flow_graph(flow: Flow) -> FlowGraph:
    """The flow's nodes and merged edges, in sub-flows with back edges and ranks."""
    import networkx as nx

    graph = graph_of(flow)
    order = {node: index for index, node in enumerate(graph)}
    arcs = [
        MergedEdge(source, target, tuple(data["move"] for data in between.values()))
        for source, targets in graph.adjacency()
        for target, between in targets.items()
    ]
    inside = _without_sections(flow, graph)
    parts = []
    part_of: dict[NodeId, SubFlow] = {}
    for members in nx.weakly_connected_components(inside):
        part = SubFlow(sorted(members, key=order.__getitem__), [])
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
    import networkx as nx

    outgoing: dict[NodeId, list[int]] = {node: [] for node in part.nodes}
    arrivals = dict.fromkeys(part.nodes, 0)
    for index, arc in enumerate(part.arcs):
        outgoing[arc.source].append(index)
        arrivals[arc.target] += 1
    roots = [*entries, *(node for node in part.nodes if not arrivals[node]), *part.nodes]
    part.back = [False] * len(part.arcs)
    for index in closing_arcs(part.arcs, outgoing, roots):
        part.back[index] = True
    downward: nx.DiGraph[NodeId] = nx.DiGraph()
    downward.add_nodes_from(part.nodes)
    for arc, back in zip(part.arcs, part.back, strict=True):
        checkpoint()
        downward.add_edge(*((arc.target, arc.source) if back else (arc.source, arc.target)))
    order = {node: index for index, node in enumerate(part.nodes)}
    layers = [sorted(layer, key=order.__getitem__) for layer in nx.topological_generations(downward)]
    part.rank = {node: number for number, layer in enumerate(layers) for node in layer}
    ordered = [node for layer in layers for node in layer]
    fixed = set(entries) or set(roots[:1])
    _let_down(part, downward, ordered, fixed)
    _tighten(part, downward, ordered, fixed)


def _let_down(part: SubFlow, downward: "nx.DiGraph[NodeId]", ordered: list[NodeId], fixed: set[NodeId]) -> None:
    """Move nodes that no entry reaches next to their targets, instead of to the top."""
    reached = set(fixed)
    for node in ordered:
        if not reached.isdisjoint(downward.predecessors(node)):
            reached.add(node)
    for node in reversed(ordered):
        below = [part.rank[other] for other in downward.successors(node)]
        if below and node not in reached:
            part.rank[node] = min(below) - 1


def _tighten(part: SubFlow, downward: "nx.DiGraph[NodeId]", ordered: list[NodeId], fixed: set[NodeId]) -> None:
    # Longest paths leave every node as high as it can be: let down those whose edges get shorter by it.
    ranks = part.rank
    for _ in range(2):
        for node in reversed(ordered):
            below = [ranks[other] for other in downward.successors(node)]
            above = [ranks[other] for other in downward.predecessors(node)]
            if below and node not in fixed and len(below) > len(above):
                ranks[node] = max(ranks[node], min(below) - 1)
        for node in ordered:
            above = [ranks[other] for other in downward.predecessors(node)]
            below = [ranks[other] for other in downward.successors(node)]
            if above and len(above) > len(below):
                ranks[node] = max(above) + 1


def _connect(graph: "Edges", move: Move, target: NodeId) -> None:
    source = NodeId("step", move.step)
    count = graph.number_of_edges(source, target) if target in graph else 0
    graph.add_edge(source, target, key=(move.intent, move.case, count), move=move)


def _without_sections(flow: Flow, graph: "Edges") -> "Edges":
    inside = graph.copy()
    inside.remove_nodes_from([NodeId("step", step.id) for step in flow.steps.values() if step.is_section])
    return inside
