"""What can be reached in a graph, its cycles and its islands. Linear in nodes and edges, without recursion.

A graph is a mapping of each node to its successors; a node without an entry has none. Orders are those of
the mapping, so the same text always gives the same answer.
"""

from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
Graph = Mapping[Node, Sequence[Node]]


def reached(starts: Iterable[Node], graph: Graph[Node]) -> dict[Node, None]:
    """The nodes that can be reached from some start, the starts included, the nearest first."""
    found = dict.fromkeys(starts)
    waiting = deque(found)
    while waiting:
        for node in graph.get(waiting.popleft(), ()):
            if node not in found:
                found[node] = None
                waiting.append(node)
    return found


def turned(graph: Graph[Node]) -> dict[Node, list[Node]]:
    """The graph with every edge reversed."""
    back: dict[Node, list[Node]] = {node: [] for node in graph}
    for node, others in graph.items():
        for other in others:
            back.setdefault(other, []).append(node)
    return back


def knots(graph: Graph[Node]) -> list[list[Node]]:
    """The strongly connected parts, each in the order of the graph; a part follows those that it has edges to.

    Tarjan's algorithm. A node without edges to others is a part by itself.
    """
    rank = {node: at for at, node in enumerate(graph)}
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    path: list[Node] = []
    on_path: set[Node] = set()
    parts: list[list[Node]] = []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        path.append(root)
        on_path.add(root)
        while work:
            node, targets = work[-1]
            for other in targets:
                if other not in index:
                    index[other] = low[other] = len(index)
                    path.append(other)
                    on_path.add(other)
                    work.append((other, iter(graph.get(other, ()))))
                    break
                if other in on_path:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == index[node]:
                    part = _cut(path, node)
                    on_path.difference_update(part)
                    parts.append(sorted(part, key=lambda each: rank.get(each, len(rank))))
    return parts


def _cut(path: list[Node], node: Node) -> list[Node]:
    """Take the nodes from `node` on off the end of the path."""
    cut = [path.pop()]
    while cut[-1] != node:
        cut.append(path.pop())
    return cut


def circle(start: Node, graph: Graph[Node]) -> list[Node]:
    """A shortest path from a node back to itself, in order, the node first and only once; [] if there is none."""
    before: dict[Node, Node] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for other in graph.get(node, ()):
            if other == start:
                return _back(node, start, before)
            if other not in before:
                before[other] = node
                waiting.append(other)
    return []


def _back(node: Node, start: Node, before: Mapping[Node, Node]) -> list[Node]:
    cycle = [node]
    while cycle[-1] != start:
        cycle.append(before[cycle[-1]])
    return cycle[::-1]


def islands(graph: Graph[Node]) -> list[list[Node]]:
    """The parts that no edge connects, whatever its direction; parts and nodes in the order of the graph."""
    beside = {node: [*graph[node], *others] for node, others in turned(graph).items() if node in graph}
    found: list[list[Node]] = []
    seen: set[Node] = set()
    rank = {node: at for at, node in enumerate(graph)}
    for node in graph:
        if node not in seen:
            part = [each for each in reached([node], beside) if each in rank]
            seen.update(part)
            found.append(sorted(part, key=rank.__getitem__))
    return found
